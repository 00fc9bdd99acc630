import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { History, Pause, Pencil, Play, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { api } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import { Copyable } from '../../ui/copy-button.tsx'
import { Section } from '../../ui/field.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { Empty, ServerText, Trouble } from '../../ui/states.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useWords } from '../../locales/words.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { RunNow, type Schedule } from './schedules-page.tsx'
import { useScheduleText } from './schedule-times.ts'

interface Time {
  readonly runId: string
  readonly dueAt: string
  readonly status: 'due' | 'running' | 'sending' | 'done' | 'unanswered' | 'refused' | 'undelivered'
  readonly note?: string
  readonly failure?: string
  readonly nextTryAt?: string
}

const TONES = {
  due: 'tone-info',
  running: 'tone-accent',
  sending: 'tone-accent',
  done: 'tone-ok',
  unanswered: 'tone-warn',
  refused: 'tone-bad',
  undelivered: 'tone-warn',
} as const

/** A schedule: its question, its times, where the answer is sent, and past runs. */
export default function SchedulePage() {
  const { words } = useWords()
  const { scheduleId } = useParams({ from: '/schedules/$scheduleId' })
  const path = `/schedules/${encodeURIComponent(scheduleId)}`
  const schedule = useGet<Schedule & { readonly times: readonly Time[] }>(path, true, 5_000)
  return (
    <Page
      title={
        <>
          <Link to="/schedules" className="hidden font-normal text-text-3 sm:inline">
            {words.schedules.title} ›
          </Link>{' '}
          {schedule.data?.request.question ?? ''}
        </>
      }
    >
      <Fetched query={schedule}>
        {({ times, ...shown }) => (
          <>
            <ScheduleFacts path={path} schedule={shown} />
            <Section title={words.schedules.times} lead={words.schedules.timesLead}>
              <Times times={times} />
            </Section>
          </>
        )}
      </Fetched>
    </Page>
  )
}

function ScheduleFacts({ path, schedule }: { path: string; schedule: Schedule }) {
  const { words } = useWords()
  const mayChange = useMayChange()
  const navigate = useNavigate()
  const [isChanged, setChanged] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const pause = useChange((paused: boolean) => api.patch(path, { paused }), '/schedules')
  const remove = useChange(async () => {
    await api.delete(path)
    // Leave before the lists are refetched, since the schedule of this page no longer exists.
    await navigate({ to: '/schedules' })
  }, '/schedules')
  const { isPaused, hook, mail, webhook, request, scheduleId } = schedule
  return (
    <section className="card mb-4 overflow-hidden" aria-label={request.question}>
      {isChanged ? (
        <ScheduleForm schedule={schedule} made={() => setChanged(false)} close={() => setChanged(false)} />
      ) : (
        <dl className="flex flex-col gap-3 p-4 text-13">
          <Fact name={words.schedules.question}>{request.question}</Fact>
          <Fact name={words.schedules.when}>
            {useScheduleText(schedule)}{' '}
            {isPaused ? <span className="badge tone-warn">{words.schedules.isPaused}</span> : null}
          </Fact>
          {hook === undefined ? null : (
            <Fact name={words.schedules.hookAddress}>
              <Copyable text={`${location.origin}/hooks/${scheduleId}`} />
            </Fact>
          )}
          <Fact name={words.schedules.answerGoes}>
            {[words.schedules.inbox, mail, webhook].filter(Boolean).join(', ')}
          </Fact>
        </dl>
      )}
      {[pause.error, remove.error].map((error, at) => (error === null ? null : <Trouble key={at} error={error} />))}
      {mayChange && !isChanged ? (
        <footer className="flex flex-wrap gap-2 border-t border-line px-4 py-3">
          <RunNow path={path} />
          <button
            type="button"
            className="btn btn-sm"
            disabled={pause.isPending}
            onClick={() => pause.mutate(!isPaused)}
          >
            {isPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
            {isPaused ? words.schedules.resume : words.schedules.pause}
          </button>
          <button type="button" className="btn btn-sm" onClick={() => setChanged(true)}>
            <Pencil size={14} aria-hidden />
            {words.schedules.change}
          </button>
          <button type="button" className="btn btn-danger btn-sm ml-auto" onClick={() => setAsked(true)}>
            <Trash2 size={14} aria-hidden />
            {words.schedules.remove}
          </button>
        </footer>
      ) : null}
      {isAsked ? (
        <ConfirmDialog action={words.schedules.remove} yes={() => remove.mutate()} close={() => setAsked(false)}>
          {words.schedules.sure}
        </ConfirmDialog>
      ) : null}
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-12 text-text-3">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

function Times({ times }: { times: readonly Time[] }) {
  const { words, formats } = useWords()
  if (times.length === 0) return <Empty icon={History} title={words.schedules.noTimes} />
  return (
    <ul>
      {times.map(({ runId, dueAt, status, note, failure, nextTryAt }) => (
        <li key={runId} className="line">
          <span className="num min-w-36 text-text-2">{formats.date(Date.parse(dueAt))}</span>
          <span className={`badge ${TONES[status]}`}>{words.schedules.status[status]}</span>
          <span className="min-w-0 flex-1 text-12 text-text-2 wrap-anywhere">
            {failure === undefined ? null : <ServerText text={failure} />}{' '}
            {nextTryAt === undefined ? null : words.schedules.again({ when: formats.date(Date.parse(nextTryAt)) })}{' '}
            {note === undefined ? null : <ServerText text={note} />}
          </span>
          {status === 'due' || status === 'refused' ? null : (
            <Link
              to="/c/$conversationId"
              params={{ conversationId: runId }}
              className="text-accent-text hover:underline"
            >
              {words.schedules.answer}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
