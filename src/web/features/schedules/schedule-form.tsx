import { api } from '../../../client/api.ts'
import { useChange, type Answer } from '../../app/data.ts'
import { Button } from '../../ui/button.tsx'
import { Choice, Field, LongField } from '../../ui/field.tsx'
import { MutationForm, useFields } from '../../ui/form.tsx'
import { useWords } from '../../locales/words.tsx'
import type { Schedule } from './schedules-page.tsx'
import { cronOf, parseDailyCron, type Days } from './schedule-times.ts'

/** A new schedule with the secrets for callers and for verifying deliveries, which are shown once. */
export type CreatedSchedule = Answer<'POST /schedules'>

interface ScheduleFormProps {
  /** The schedule to edit; absent for a new one. */
  readonly schedule?: Schedule
  readonly onCreate?: (created: CreatedSchedule) => void
  readonly close: () => void
}

type Kind = Days | 'cron' | 'once' | 'bearer' | 'signed'

/** Form values; the kind decides which ones are used. `at` is in the browser's time zone. */
type Draft = Readonly<Record<'question' | 'time' | 'cron' | 'zone' | 'at' | 'webhook', string>> & {
  readonly kind: Kind
}

/** Creates or edits a schedule. The kind of a hook and the webhook cannot be edited. */
export function ScheduleForm({ schedule, onCreate, close }: ScheduleFormProps) {
  const { words } = useWords()
  const { values, field } = useFields(toDraft(schedule))
  const { kind } = values
  const isNew = schedule === undefined
  const isHook = kind === 'bearer' || kind === 'signed'
  const { bearer, signed, ...timedKinds } = words.schedules.kind
  const save = useChange(async () => {
    if (isNew) {
      onCreate?.(await api.post<CreatedSchedule>('/schedules', toSchedule(values)))
    } else {
      await api.patch(`/schedules/${encodeURIComponent(schedule.scheduleId)}`, changesOf(schedule, values))
    }
    close()
  }, '/schedules')
  return (
    <MutationForm
      mutation={save}
      action={isNew ? words.schedules.make : words.app.save}
      disabled={values.question.trim() === ''}
      actions={<Button label={words.app.cancel} onClick={close} />}
    >
      <LongField label={words.schedules.question} rows={2} required {...field('question')} />
      <div className="grid gap-3 sm:grid-cols-3">
        {!isNew && isHook ? null : (
          <Choice<Kind>
            label={words.schedules.when}
            options={isNew ? { ...timedKinds, bearer, signed } : (timedKinds as Record<Kind, string>)}
            {...field('kind')}
          />
        )}
        {kind === 'once' ? (
          <Field label={words.schedules.moment} type="datetime-local" required {...field('at')} />
        ) : null}
        {kind === 'cron' ? (
          <Field
            label={words.schedules.cron}
            hint={words.schedules.cronHint}
            required
            maxLength={200}
            {...field('cron')}
          />
        ) : null}
        {isHook || kind === 'once' || kind === 'cron' ? null : (
          <Field label={words.schedules.time} type="time" required {...field('time')} />
        )}
        {isHook || kind === 'once' ? null : (
          <Field label={words.schedules.zone} required list="zones" {...field('zone')} />
        )}
        <datalist id="zones">
          {Intl.supportedValuesOf('timeZone').map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      {isNew ? (
        <Field label={words.schedules.webhook} hint={words.schedules.webhookHint} type="url" {...field('webhook')} />
      ) : null}
    </MutationForm>
  )
}

function toDraft(schedule: Schedule | undefined): Draft {
  const { request, cron = '', zone, at, hook } = schedule ?? {}
  const days = parseDailyCron(cron)
  const kind = days?.kind ?? (schedule === undefined ? 'weekdays' : 'cron')
  return {
    question: request?.question ?? '',
    kind: hook ?? (at === undefined ? kind : 'once'),
    time: days?.time ?? '08:00',
    cron,
    zone: zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    at: at === undefined ? '' : toLocalTime(at),
    webhook: '',
  }
}

/** Converts a time to the value of a `datetime-local` input. */
function toLocalTime(at: string): string {
  const time = new Date(at)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function timesOf({ kind, time, cron, zone, at }: Draft): object {
  if (kind === 'bearer' || kind === 'signed') return { hook: kind }
  if (kind === 'once') return { at: new Date(at).toISOString() }
  return { cron: kind === 'cron' ? cron.trim() : cronOf(kind, time), zone: zone.trim() }
}

function toSchedule(draft: Draft): object {
  const { question, webhook } = draft
  return {
    ...timesOf(draft),
    request: { question: question.trim() },
    ...(webhook === '' ? {} : { webhook }),
  }
}

/** The changed values. */
function changesOf(before: Schedule, draft: Draft): object {
  const question = draft.question.trim()
  const isSameTime = JSON.stringify(timesOf(toDraft(before))) === JSON.stringify(timesOf(draft))
  return {
    ...(question === before.request.question ? {} : { request: { ...before.request, question } }),
    ...(before.hook !== undefined || isSameTime ? {} : timesOf(draft)),
  }
}
