import type { Schemas } from '../../../client/api-types.ts'
import { Link } from '@tanstack/react-router'
import { CalendarClock, Pause, Play, Plus, Webhook, Zap } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import { Fetched, Page } from '../../ui/page.tsx'
import { Empty, Trouble } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { ScheduleForm, type Secrets } from './schedule-form.tsx'
import { NewSecrets } from './new-secrets.tsx'
import { useScheduleText } from './schedule-times.ts'

export type Schedule = Schemas['Schedule']

/** Schedules: questions asked automatically, by time or by a program's call. */
export default function SchedulesPage() {
  const { words } = useWords()
  const mayChange = useMayChange()
  const schedules = useGet<Items<Schedule>>('/schedules')
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<{ schedule: Schedule; secrets: Secrets }>()
  const isEmpty = schedules.data?.items.length === 0
  return (
    <Page
      title={words.schedules.title}
      lead={words.schedules.lead}
      actions={
        mayChange && !isOpen ? (
          <button type="button" className="btn btn-primary ml-auto" onClick={() => setOpen(true)}>
            <Plus size={16} aria-hidden />
            {words.schedules.add}
          </button>
        ) : null
      }
    >
      {made === undefined ? null : (
        <NewSecrets schedule={made.schedule} secrets={made.secrets} close={() => setMade(undefined)} />
      )}
      {isOpen ? (
        <div className="card mb-4">
          <ScheduleForm
            made={(schedule, secrets) => {
              setOpen(false)
              setMade(Object.keys(secrets).length === 0 ? undefined : { schedule, secrets })
            }}
            close={() => setOpen(false)}
          />
        </div>
      ) : null}
      <Fetched query={schedules}>
        {({ items }) =>
          isEmpty && !isOpen ? (
            <Empty icon={CalendarClock} title={words.schedules.none}>
              {mayChange ? words.schedules.noneHint : words.session.readOnly}
            </Empty>
          ) : isEmpty ? null : (
            <ul className="card overflow-hidden">
              {items.map((schedule) => (
                <Entry key={schedule.scheduleId} schedule={schedule} mayChange={mayChange} />
              ))}
            </ul>
          )
        }
      </Fetched>
    </Page>
  )
}

function Entry({ schedule, mayChange }: { schedule: Schedule; mayChange: boolean }) {
  const { words } = useWords()
  const { scheduleId, request, isPaused, hook } = schedule
  const when = useScheduleText(schedule)
  const path = `/schedules/${encodeURIComponent(scheduleId)}`
  const pause = useChange((paused: boolean) => api.patch(path, { paused }), '/schedules')
  return (
    <li className="line">
      <span className="grid size-8 flex-none place-items-center rounded-lg bg-surface-3 text-text-2">
        {hook === undefined ? <CalendarClock size={16} aria-hidden /> : <Webhook size={16} aria-hidden />}
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <Link
          to="/schedules/$scheduleId"
          params={{ scheduleId }}
          className="cut block font-medium hover:underline"
          title={request.question}
        >
          {request.question}
        </Link>
        <span className="text-12 text-text-2">{when}</span>
      </div>
      {isPaused ? <span className="badge tone-warn">{words.schedules.isPaused}</span> : null}
      {mayChange ? (
        <button type="button" className="btn btn-sm" disabled={pause.isPending} onClick={() => pause.mutate(!isPaused)}>
          {isPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
          {isPaused ? words.schedules.resume : words.schedules.pause}
        </button>
      ) : null}
      {pause.error === null ? null : <Trouble error={pause.error} />}
    </li>
  )
}

/** Runs the schedule now and opens the run. */
export function RunNow({ path }: { path: string }) {
  const { words } = useWords()
  const run = useChange(() => api.post<{ runId: string }>(`${path}/run`), '/schedules')
  return (
    <>
      <button type="button" className="btn btn-sm" disabled={run.isPending} onClick={() => run.mutate()}>
        <Zap size={14} aria-hidden />
        {words.schedules.runNow}
      </button>
      {run.error === null ? null : <Trouble error={run.error} />}
    </>
  )
}
