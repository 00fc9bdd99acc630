import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { useWords } from '../../locales/words.tsx'
import type { CreatedSchedule } from './schedule-form.tsx'

/** The secrets of a new schedule. No other response contains them. */
export function NewSecrets({ schedule, secrets, close }: CreatedSchedule & { close: () => void }) {
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
