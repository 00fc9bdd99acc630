import { Copyable } from '../../ui/copy-button.tsx'
import { useWords } from '../../locales/words.tsx'
import type { Secrets } from './schedule-form.tsx'
import type { Schedule } from './schedules-page.tsx'

interface NewSecretsProps {
  readonly schedule: Schedule
  readonly secrets: Secrets
  readonly close: () => void
}

/** The secrets of a new schedule. No other response contains them. */
export function NewSecrets({ schedule: { scheduleId, hook }, secrets, close }: NewSecretsProps) {
  const { words } = useWords()
  return (
    <section className="card mb-4 flex flex-col gap-3 p-4" role="status">
      <p className="text-13 text-warn">{words.schedules.once}</p>
      {secrets.hook === undefined ? null : (
        <>
          <h2 className="text-13 font-semibold">{words.schedules.hookAddress}</h2>
          <Copyable text={`${location.origin}/hooks/${scheduleId}`} />
          <h2 className="text-13 font-semibold">
            {hook === 'signed' ? words.schedules.hookSignature : words.schedules.hookSecret}
          </h2>
          <Copyable text={secrets.hook} />
        </>
      )}
      {secrets.webhook === undefined ? null : (
        <>
          <h2 className="text-13 font-semibold">{words.schedules.webhookSecret}</h2>
          <Copyable text={secrets.webhook} />
        </>
      )}
      <button type="button" className="btn self-start" onClick={close}>
        {words.schedules.copied}
      </button>
    </section>
  )
}
