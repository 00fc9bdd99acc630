import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange } from '../../app/data.ts'
import { Choice, Field } from '../../ui/field.tsx'
import { Trouble } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import type { Schedule } from './schedules-page.tsx'
import { cronOf, parseDailyCron, type Days } from './schedule-times.ts'

/** Secrets for callers and for verifying deliveries; shown once. */
export interface Secrets {
  readonly hook?: string
  readonly webhook?: string
}

interface ScheduleFormProps {
  /** The schedule to edit; absent for a new one. */
  readonly schedule?: Schedule
  readonly made: (schedule: Schedule, secrets: Secrets) => void
  readonly close: () => void
}

type Kind = Days | 'cron' | 'once' | 'bearer' | 'signed'

/** Form values; the kind decides which ones are used. */
interface Draft {
  readonly question: string
  readonly kind: Kind
  readonly time: string
  readonly cron: string
  readonly zone: string
  /** In the browser's own time. */
  readonly at: string
  readonly mail: string
  readonly webhook: string
}

/** A schedule as it is written down, or changed: what a hook is it stays, and so does a webhook. */
export function ScheduleForm({ schedule, made, close }: ScheduleFormProps) {
  const { words } = useWords()
  const [draft, setDraft] = useState(() => draftOf(schedule))
  const say = (part: Partial<Draft>): void => setDraft({ ...draft, ...part })
  const { question, kind, time, cron, zone, at, mail, webhook } = draft
  const isHook = kind === 'bearer' || kind === 'signed'
  const save = useChange(async () => {
    if (schedule !== undefined) {
      const path = `/schedules/${encodeURIComponent(schedule.scheduleId)}`
      const changed = await api.patch<Schedule>(path, changeOf(schedule, draft))
      return made(changed, {})
    }
    const to = { ...(mail === '' ? {} : { mail }), ...(webhook === '' ? {} : { webhook }) }
    const asked = { ...whenOf(draft), request: { question: question.trim() }, ...to }
    const answer = await api.post<{ schedule: Schedule; secrets: Secrets }>('/schedules', asked)
    made(answer.schedule, answer.secrets)
  }, '/schedules')
  return (
    <form
      className="flex flex-col gap-3 p-4"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <label className="flex flex-col gap-1 text-12 font-medium">
        {words.schedules.question}
        <textarea
          className="input text-14"
          required
          value={question}
          onChange={(event) => say({ question: event.target.value })}
        />
      </label>
      <div className="grid gap-3 sm:grid-cols-3">
        {schedule !== undefined && isHook ? null : (
          <Choice
            label={words.schedules.when}
            value={kind}
            options={schedule === undefined ? words.schedules.kind : timed(words.schedules.kind)}
            say={(value) => say({ kind: value })}
          />
        )}
        {kind === 'once' ? (
          <Field
            label={words.schedules.moment}
            type="datetime-local"
            required
            value={at}
            say={(value) => say({ at: value })}
          />
        ) : kind === 'cron' ? (
          <Field
            label={words.schedules.cron}
            hint={words.schedules.cronHint}
            required
            maxLength={200}
            value={cron}
            say={(value) => say({ cron: value })}
          />
        ) : isHook ? null : (
          <Field label={words.schedules.time} type="time" required value={time} say={(value) => say({ time: value })} />
        )}
        {isHook || kind === 'once' ? null : (
          <Field
            label={words.schedules.zone}
            required
            list="zones"
            value={zone}
            say={(value) => say({ zone: value })}
          />
        )}
        <datalist id="zones">
          {Intl.supportedValuesOf('timeZone').map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label={words.schedules.mail}
          hint={words.schedules.mailHint}
          type="email"
          value={mail}
          say={(value) => say({ mail: value })}
        />
        {schedule === undefined ? (
          <Field
            label={words.schedules.webhook}
            hint={words.schedules.webhookHint}
            type="url"
            value={webhook}
            say={(value) => say({ webhook: value })}
          />
        ) : null}
      </div>
      {save.error === null ? null : <Trouble error={save.error} />}
      <div className="flex gap-2">
        <button type="submit" className="btn btn-primary" disabled={save.isPending || question.trim() === ''}>
          {schedule === undefined ? words.schedules.make : words.app.save}
        </button>
        <button type="button" className="btn" onClick={close}>
          {words.app.cancel}
        </button>
      </div>
    </form>
  )
}

function timed({ bearer: _bearer, signed: _signed, ...kinds }: Readonly<Record<Kind, string>>) {
  return kinds as Readonly<Record<Kind, string>>
}

function draftOf(schedule: Schedule | undefined): Draft {
  const { request, cron = '', zone, at, hook, mail = '' } = schedule ?? {}
  const days = parseDailyCron(cron)
  return {
    question: request?.question ?? '',
    kind: hook ?? (at !== undefined ? 'once' : schedule === undefined ? 'weekdays' : (days?.kind ?? 'cron')),
    time: days?.time ?? '08:00',
    cron,
    zone: zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    at: at === undefined ? '' : localTime(at),
    mail,
    webhook: '',
  }
}

/** As the browser's own field for times writes it. */
function localTime(at: string): string {
  const time = new Date(at)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function whenOf({ kind, time, cron, zone, at }: Draft): object {
  if (kind === 'bearer' || kind === 'signed') return { hook: kind }
  if (kind === 'once') return { at: new Date(at).toISOString() }
  return { cron: kind === 'cron' ? cron.trim() : cronOf(kind, time), zone: zone.trim() }
}

/** The changed values. */
function changeOf(before: Schedule, draft: Draft): object {
  const question = draft.question.trim()
  const mail = draft.mail === '' ? null : draft.mail
  const was = draftOf(before)
  const isSameTime = JSON.stringify(whenOf(was)) === JSON.stringify(whenOf(draft))
  return {
    ...(question === before.request.question ? {} : { request: { ...before.request, question } }),
    ...(before.hook !== undefined || isSameTime ? {} : whenOf(draft)),
    ...(mail === (before.mail ?? null) ? {} : { mail }),
  }
}
