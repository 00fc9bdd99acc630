import { useState } from 'react'
import { useGet, type Answer } from '../../app/data.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Section } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Fetched } from '../../ui/page.tsx'
import { useWords } from '../../locales/words.tsx'

type RetentionReply = Answer<'GET /retention'>
type Due = Answer<'GET /retention/due'>

const FIELDS = ['runDays', 'conversationDays', 'uploadDays'] as const

/**
 * Retention periods, what was deleted, and what would be deleted. The periods are set only in the configuration file.
 */
export function Retention() {
  return (
    <Fetched query={useGet<RetentionReply>('/retention', true, 60_000)}>
      {(reply) => (
        <>
          <RetentionPeriods kept={reply.kept} />
          <Sweeps {...reply} />
          <Preview kept={reply.kept} />
        </>
      )}
    </Fetched>
  )
}

function RetentionPeriods({ kept }: Pick<RetentionReply, 'kept'>) {
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

/** A sweep takes less time than this. If it is later, it did not run. */
const LATE_MS = 300_000

function Sweeps({ kept, swept, nextAt }: RetentionReply) {
  const { words, formats } = useWords()
  const describe = useDeletions(words.retention.nothing)
  const isSet = kept.some(({ setting, days }) => setting !== undefined && days !== undefined)
  const isLate = nextAt !== undefined && Date.parse(nextAt) < Date.now() - LATE_MS
  const next = nextAt === undefined ? undefined : { when: formats.date(nextAt) }
  return (
    <Section title={words.retention.sweeps} lead={words.retention.sweepsLead}>
      {isSet ? null : <p className="line text-text-2">{words.retention.never}</p>}
      {isLate && next !== undefined ? <p className="banner tone-warn m-4">{words.retention.late(next)}</p> : null}
      {isSet && swept.length === 0 ? <p className="line text-text-2">{words.retention.notYet}</p> : null}
      <ul>
        {swept.map((sweep, index) => (
          <li key={sweep.at} className="line">
            <span className="num w-44 flex-none text-12 text-text-3">{formats.date(sweep.at)}</span>
            <span className="min-w-0 flex-1 basis-60">{describe(sweep)}</span>
            {index > 0 || next === undefined || isLate ? null : (
              <span className="text-12 text-text-2">{words.retention.next(next)}</span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Previews the deletions for the entered days. The setting is not changed. */
function Preview({ kept }: Pick<RetentionReply, 'kept'>) {
  const { words } = useWords()
  const describe = useDeletions(words.retention.none)
  const daysOf = (field: string): string =>
    String(kept.find(({ setting }) => setting === `retention.${field}`)?.days ?? '')
  const { values, field } = useFields<Readonly<Record<(typeof FIELDS)[number], string>>>({
    runDays: daysOf('runDays'),
    conversationDays: daysOf('conversationDays'),
    uploadDays: daysOf('uploadDays'),
  })
  const [submitted, setSubmitted] = useState<string>()
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString()
  const due = useGet<Due>(`/retention/due?${submitted}`, submitted !== undefined)
  return (
    <Section title={words.retention.tryTitle} lead={words.retention.tryLead}>
      <Form
        className="grid items-end gap-3 p-4 sm:grid-cols-[1fr_1fr_1fr_auto]"
        submit={() => {
          setSubmitted(query)
          if (submitted === query) void due.refetch()
        }}
      >
        {FIELDS.map((name) => (
          <Field key={name} label={words.retention.field[name]} type="number" min={1} max={36_500} {...field(name)} />
        ))}
        <Button label={words.retention.count} type="submit" className="h-9" disabled={query === '' || due.isFetching} />
      </Form>
      {submitted === undefined ? null : (
        <div className="border-t border-line" role="status">
          <Fetched query={due} lines={1}>
            {(data) => (
              <div className="flex flex-col gap-2 p-4 text-13">
                <p>
                  {words.retention.wouldGo} {data.isCut ? words.retention.atLeast : ''} <b>{describe(data)}</b>
                </p>
                <p className="text-12 text-text-2">
                  {words.retention.paste}: <code className="mono wrap-anywhere">{toSetting(submitted)}</code>
                </p>
              </div>
            )}
          </Fetched>
        </div>
      )}
    </Section>
  )
}

/** Returns a function that lists the numbers of deleted objects, without the kinds of which none were deleted. */
function useDeletions(none: string): (deleted: Omit<Due, 'isCut'>) => string {
  const { words, formats } = useWords()
  const { amount } = words.retention
  return (deleted) => {
    const parts = (['runs', 'conversations', 'uploads'] as const)
      .filter((kind) => deleted[kind] > 0)
      .map((kind) => amount[kind]({ n: deleted[kind] }))
    const text = parts.length === 0 ? none : formats.list(parts)
    return deleted.waiting === 0 ? text : `${text} · ${words.retention.waiting({ n: deleted.waiting })}`
  }
}

/** The configuration snippet for these days. */
function toSetting(query: string): string {
  const days = Object.fromEntries([...new URLSearchParams(query)].map(([field, value]) => [field, Number(value)]))
  return JSON.stringify({ retention: days }).slice(1, -1)
}
