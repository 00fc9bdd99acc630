import { useState } from 'react'
import type { Operations } from '../../../client/api-types.ts'
import { useGet } from '../../app/data.ts'
import { Field, Section } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { useWords } from '../../locales/words.tsx'

type RetentionReply = Operations['GET /retention']['answer']
type Due = Operations['GET /retention/due']['answer']

const FIELDS = ['runDays', 'conversationDays', 'uploadDays'] as const
/** Deleted with the user or by hand; has no retention period. */
const BY_HAND = new Set<string>(['memory'])

/**
 * Retention periods, what was deleted, and what would be deleted. The periods are set only in the configuration file.
 */
export function Retention() {
  const reply = useGet<RetentionReply>('/retention', true, 60_000)
  return (
    <Fetched query={reply}>
      {({ kept, swept, nextAt }) => (
        <>
          <RetentionPeriods kept={kept} />
          <Sweeps
            swept={swept}
            {...(nextAt === undefined ? {} : { nextAt })}
            isSet={kept.some(({ setting, days }) => setting !== undefined && days !== undefined)}
          />
          <WouldGo kept={kept} />
        </>
      )}
    </Fetched>
  )
}

function RetentionPeriods({ kept }: Pick<RetentionReply, 'kept'>) {
  const { words } = useWords()
  return (
    <Section title={words.retention.keptTitle} lead={words.retention.keptLead}>
      <ul>
        {kept.map(({ kind, days, setting }) => (
          <li key={kind} className="line">
            <span className="min-w-0 flex-1 basis-40 font-medium">{words.retention.kind[kind]}</span>
            <b className="num text-right lg:order-1 lg:w-24">
              {days === undefined ? words.retention.forEver : words.retention.days({ n: days })}
            </b>
            <span className="w-full min-w-0 text-12 text-text-3 lg:w-80">
              {setting === undefined ? (
                words.retention.how[days === undefined ? (BY_HAND.has(kind) ? 'byHand' : 'never') : 'fixed']
              ) : (
                <>
                  <code className="mono">{setting}</code>{' '}
                  {days === undefined ? words.retention.notSet : words.retention.how.set}
                </>
              )}
            </span>
          </li>
        ))}
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

function Sweeps({ swept, nextAt, isSet }: Pick<RetentionReply, 'swept' | 'nextAt'> & { readonly isSet: boolean }) {
  const { words, formats } = useWords()
  const deletedText = useDeletedText(words.retention.nothing)
  const next = nextAt === undefined ? undefined : Date.parse(nextAt)
  const isLate = next !== undefined && next < Date.now() - LATE_MS
  const [last] = swept
  return (
    <Section title={words.retention.sweeps} lead={words.retention.sweepsLead}>
      {isSet ? null : <p className="line text-text-2">{words.retention.never}</p>}
      {isLate ? <p className="banner tone-warn m-4">{words.retention.late({ when: formats.date(next) })}</p> : null}
      {last === undefined ? (
        isSet ? (
          <p className="line text-text-2">{words.retention.notYet}</p>
        ) : null
      ) : (
        <ul>
          {swept.map(({ at, runs, conversations, uploads, waiting }) => (
            <li key={at} className="line">
              <span className="num w-44 flex-none text-12 text-text-3">{formats.date(Date.parse(at))}</span>
              <span className="min-w-0 flex-1 basis-60">
                {deletedText({ runs, conversations, uploads })}
                {waiting === 0 ? '' : ` · ${words.retention.waiting({ n: waiting })}`}
              </span>
              {at === last.at && next !== undefined && !isLate ? (
                <span className="text-12 text-text-2">{words.retention.next({ when: formats.date(next) })}</span>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** Previews the deletions for the entered days. The setting is not changed. */
function WouldGo({ kept }: Pick<RetentionReply, 'kept'>) {
  const { words } = useWords()
  const deletedText = useDeletedText(words.retention.none)
  const [days, setDays] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(
      FIELDS.map((field) => [field, String(kept.find(({ setting }) => setting === `retention.${field}`)?.days ?? '')]),
    ),
  )
  const [asked, setAsked] = useState<string>()
  const query = new URLSearchParams(Object.entries(days).filter(([, value]) => value !== '')).toString()
  const due = useGet<Due>(`/retention/due?${asked}`, asked !== undefined)
  return (
    <Section title={words.retention.tryTitle} lead={words.retention.tryLead}>
      <form
        className="grid items-end gap-3 p-4 sm:grid-cols-[1fr_1fr_1fr_auto]"
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(query)
          if (asked === query) void due.refetch()
        }}
      >
        {FIELDS.map((field) => (
          <Field
            key={field}
            label={words.retention.field[field]}
            type="number"
            min={1}
            max={36_500}
            value={days[field] ?? ''}
            say={(value) => setDays({ ...days, [field]: value })}
          />
        ))}
        <button type="submit" className="btn h-9" disabled={query === '' || due.isFetching}>
          {words.retention.count}
        </button>
      </form>
      {asked === undefined ? null : (
        <div className="border-t border-line" role="status">
          <Fetched query={due} lines={1}>
            {({ runs, conversations, uploads, waiting, isCut }) => (
              <div className="flex flex-col gap-2 p-4 text-13">
                <p>
                  {words.retention.wouldGo}{' '}
                  <b>
                    {isCut ? `${words.retention.atLeast} ` : ''}
                    {deletedText({ runs, conversations, uploads })}
                  </b>
                  {waiting === 0 ? '' : ` · ${words.retention.waiting({ n: waiting })}`}
                </p>
                <p className="text-12 text-text-2">
                  {words.retention.paste}: <code className="mono wrap-anywhere">{settingOf(asked)}</code>
                </p>
              </div>
            )}
          </Fetched>
        </div>
      )}
    </Section>
  )
}

/** Formats the numbers of deleted objects, without the kinds of which none were deleted. */
function useDeletedText(nothing: string): (went: Pick<Due, 'runs' | 'conversations' | 'uploads'>) => string {
  const { words, formats } = useWords()
  const { amount } = words.retention
  return ({ runs, conversations, uploads }) => {
    const parts = [
      runs === 0 ? [] : [amount.runs({ n: runs })],
      conversations === 0 ? [] : [amount.conversations({ n: conversations })],
      uploads === 0 ? [] : [amount.uploads({ n: uploads })],
    ].flat()
    return parts.length === 0 ? nothing : formats.list(parts)
  }
}

/** The configuration snippet for these days. */
function settingOf(asked: string): string {
  const days = Object.fromEntries([...new URLSearchParams(asked)].map(([field, value]) => [field, Number(value)]))
  return JSON.stringify({ retention: days }).slice(1, -1)
}
