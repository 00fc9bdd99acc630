import type { Schemas } from '../../../client/api-types.ts'
import { CalendarClock, Pause, Play, Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange, useEndpoint } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy-button.tsx'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, ErrorBanner } from '../../ui/states.tsx'
import { RowLink } from '../../ui/link.tsx'
import { useWords } from '../../locales/words.tsx'
import { ScheduleForm, type CreatedSchedule } from './schedule-form.tsx'
import { useScheduleText } from './schedule-times.ts'

export type Schedule = Schemas['Schedule']

/** Schedules: questions asked automatically, by time or by a program's call. */
export default function SchedulesPage() {
  const { words } = useWords()
  const mayChange = useMayChange()
  const [isOpen, setOpen] = useState(false)
  const [created, setCreated] = useState<CreatedSchedule>()
  return (
    <Page
      title={words.schedules.title}
      lead={words.schedules.lead}
      actions={
        mayChange && !isOpen ? (
          <Button
            label={words.schedules.add}
            icon={Plus}
            className="btn-primary ml-auto"
            onClick={() => setOpen(true)}
          />
        ) : null
      }
    >
      {created === undefined ? null : <NewSecrets {...created} close={() => setCreated(undefined)} />}
      {isOpen ? (
        <div className="card mb-4">
          <ScheduleForm
            onCreate={(answer) => setCreated(Object.keys(answer.secrets).length === 0 ? undefined : answer)}
            close={() => setOpen(false)}
          />
        </div>
      ) : null}
      <List
        query={useEndpoint('/schedules')}
        className="card overflow-hidden"
        empty={
          isOpen ? null : (
            <Empty
              icon={CalendarClock}
              title={words.schedules.none}
              hint={mayChange ? words.schedules.noneHint : words.session.readOnly}
            />
          )
        }
      >
        {(schedule) => <Entry key={schedule.scheduleId} schedule={schedule} />}
      </List>
    </Page>
  )
}

function Entry({ schedule }: { schedule: Schedule }) {
  const { words } = useWords()
  const { scheduleId, request, isPaused, hook } = schedule
  const Icon = hook === undefined ? CalendarClock : Webhook
  return (
    <li className="line">
      <span className="grid size-8 flex-none place-items-center rounded-lg bg-surface-3 text-text-2">
        <Icon size={16} aria-hidden />
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <RowLink to="/schedules/$scheduleId" params={{ scheduleId }} text={request.question} />
        <span className="text-12 text-text-2">{useScheduleText(schedule)}</span>
      </div>
      {isPaused ? <span className="badge tone-warn">{words.schedules.isPaused}</span> : null}
      <PauseButton schedule={schedule} />
    </li>
  )
}

/** Pauses or resumes a schedule. */
export function PauseButton({ schedule: { scheduleId, isPaused } }: { schedule: Schedule }) {
  const { words } = useWords()
  const change = useChange(
    () => api.patch(`/schedules/${encodeURIComponent(scheduleId)}`, { paused: !isPaused }),
    '/schedules',
  )
  if (!useMayChange()) return null
  return (
    <>
      <Button
        label={isPaused ? words.schedules.resume : words.schedules.pause}
        icon={isPaused ? Play : Pause}
        className="btn-sm"
        action={change}
      />
      <ErrorBanner error={change.error} />
    </>
  )
}

/** The secrets of a new schedule. No other response contains them. */
function NewSecrets({ schedule, secrets, close }: CreatedSchedule & { close: () => void }) {
  const { words } = useWords()
  const { scheduleId, hook } = schedule
  const entries = [
    ...(secrets.hook === undefined
      ? []
      : [
          [words.schedules.hookAddress, `${location.origin}/hooks/${scheduleId}`] as const,
          [hook === 'signed' ? words.schedules.hookSignature : words.schedules.hookSecret, secrets.hook] as const,
        ]),
    ...(secrets.webhook === undefined ? [] : [[words.schedules.webhookSecret, secrets.webhook] as const]),
  ]
  return (
    <section className="card mb-4 flex flex-col gap-3 p-4" role="status">
      <p className="text-13 text-warn">{words.schedules.once}</p>
      {entries.map(([title, text]) => (
        <div key={title} className="flex flex-col gap-3">
          <h2 className="text-13 font-semibold">{title}</h2>
          <Copyable text={text} />
        </div>
      ))}
      <Button label={words.schedules.copied} className="self-start" onClick={close} />
    </section>
  )
}
