import { useNavigate, useParams } from '@tanstack/react-router'
import { History, Pencil, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useDelete, useGet, type Answer } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy-button.tsx'
import { Section } from '../../ui/field.tsx'
import { Fetched, Page, Subtitle } from '../../ui/page.tsx'
import { Empty, ServerText, ErrorBanner } from '../../ui/states.tsx'
import { ConfirmButton } from '../../ui/confirm-dialog.tsx'
import { TextLink } from '../../ui/link.tsx'
import { useWords } from '../../locales/words.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { PauseButton, type Schedule } from './schedules-page.tsx'
import { useScheduleText } from './schedule-times.ts'

type ScheduleReply = Answer<'GET /schedules/{scheduleId}'>

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
  const query = useGet<ScheduleReply>(path, true, 5_000)
  return (
    <Page title={<Subtitle to="/schedules" parent={words.schedules.title} text={query.data?.request.question ?? ''} />}>
      <Fetched query={query}>
        {({ times, ...schedule }) => (
          <>
            <ScheduleCard path={path} schedule={schedule} />
            <Section title={words.schedules.times} lead={words.schedules.timesLead}>
              <Times times={times} />
            </Section>
          </>
        )}
      </Fetched>
    </Page>
  )
}

function ScheduleCard({ path, schedule }: { path: string; schedule: Schedule }) {
  const { words } = useWords()
  const mayChange = useMayChange()
  const [isEdited, setEdited] = useState(false)
  return (
    <section className="card mb-4 overflow-hidden" aria-label={schedule.request.question}>
      {isEdited ? (
        <ScheduleForm schedule={schedule} close={() => setEdited(false)} />
      ) : (
        <>
          <ScheduleFacts schedule={schedule} />
          {mayChange ? (
            <footer className="flex flex-wrap gap-2 border-t border-line px-4 py-3">
              <PauseButton schedule={schedule} />
              <Button label={words.schedules.change} icon={Pencil} className="btn-sm" onClick={() => setEdited(true)} />
              <Remove path={path} />
            </footer>
          ) : null}
        </>
      )}
    </section>
  )
}

function ScheduleFacts({ schedule }: { schedule: Schedule }) {
  const { words } = useWords()
  const { isPaused, hook, webhook, request, scheduleId } = schedule
  return (
    <dl className="flex flex-col gap-3 p-4 text-13">
      <ScheduleFact name={words.schedules.question}>{request.question}</ScheduleFact>
      <ScheduleFact name={words.schedules.when}>
        {useScheduleText(schedule)}{' '}
        {isPaused ? <span className="badge tone-warn">{words.schedules.isPaused}</span> : null}
      </ScheduleFact>
      {hook === undefined ? null : (
        <ScheduleFact name={words.schedules.hookAddress}>
          <Copyable text={`${location.origin}/hooks/${scheduleId}`} />
        </ScheduleFact>
      )}
      <ScheduleFact name={words.schedules.answerGoes}>
        {[words.schedules.inbox, webhook].filter(Boolean).join(', ')}
      </ScheduleFact>
    </dl>
  )
}

function ScheduleFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-12 text-text-3">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

function Remove({ path }: { path: string }) {
  const { words } = useWords()
  const navigate = useNavigate()
  const remove = useDelete(path, '/schedules')
  return (
    <>
      <ConfirmButton
        label={words.schedules.remove}
        icon={Trash2}
        className="btn-danger btn-sm ml-auto"
        consequences={words.schedules.sure}
        yes={() => remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/schedules' }) })}
      />
      <ErrorBanner error={remove.error} />
    </>
  )
}

function Times({ times }: Pick<ScheduleReply, 'times'>) {
  const { words, formats } = useWords()
  if (times.length === 0) return <Empty icon={History} title={words.schedules.noTimes} />
  return (
    <ul>
      {times.map(({ runId, dueAt, status, note, failure, nextTryAt }) => (
        <li key={runId} className="line">
          <span className="num min-w-36 text-text-2">{formats.date(dueAt)}</span>
          <span className={`badge ${TONES[status]}`}>{words.schedules.status[status]}</span>
          <span className="min-w-0 flex-1 text-12 text-text-2 wrap-anywhere">
            {failure === undefined ? null : <ServerText text={failure} />}{' '}
            {nextTryAt === undefined ? null : words.schedules.again({ when: formats.date(nextTryAt) })}{' '}
            {note === undefined ? null : <ServerText text={note} />}
          </span>
          {status === 'due' || status === 'refused' ? null : (
            <TextLink to="/c/$conversationId" params={{ conversationId: runId }} text={words.schedules.answer} />
          )}
        </li>
      ))}
    </ul>
  )
}
