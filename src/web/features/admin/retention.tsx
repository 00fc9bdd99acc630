import { useEndpoint, type Answer } from '../../app/data.ts'
import { Section } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { useWords } from '../../locales/words.tsx'

/** Retention periods. They are set only in the configuration file. */
export function Retention() {
  return <Fetched query={useEndpoint('/retention')}>{({ kept }) => <RetentionPeriods kept={kept} />}</Fetched>
}

function RetentionPeriods({ kept }: Answer<'GET /retention'>) {
  const { words } = useWords()
  const { how } = words.retention
  return (
    <Section title={words.retention.keptTitle} lead={words.retention.keptLead}>
      <ul>
        {kept.map(({ kind, days, setting }) => {
          // Memory is deleted with the user or by hand.
          const fallback = kind === 'memory' ? how.byHand : how.never
          return (
            <li key={kind} className="line">
              <span className="min-w-0 flex-1 basis-40 font-medium">{words.retention.kind[kind]}</span>
              <b className="num text-right lg:order-1 lg:w-24">
                {days === undefined ? words.retention.forEver : words.retention.days({ n: days })}
              </b>
              <span className="w-full min-w-0 text-12 text-text-3 lg:w-80">
                {setting === undefined ? (
                  days === undefined ? (
                    fallback
                  ) : (
                    how.fixed
                  )
                ) : (
                  <>
                    <code className="mono">{setting}</code> {days === undefined ? words.retention.notSet : how.set}
                  </>
                )}
              </span>
            </li>
          )
        })}
      </ul>
      <p className="border-t border-line px-4 py-3 text-12 text-text-2">
        {words.retention.change}{' '}
        <a href="/guide/configuration#retention" className="text-accent-text underline">
          {words.retention.guide}
        </a>
      </p>
    </Section>
  )
}
