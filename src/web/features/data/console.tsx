import { useSearch } from '@tanstack/react-router'
import { Check, Lock, Play, ShieldX, Square, Timer, type LucideIcon } from 'lucide-react'
import { useEffect, useRef, useState, type Ref } from 'react'
import { api, ApiError } from '../../../client/api.ts'
import type { Table } from '../../../client/run.ts'
import { useChange, type Answer } from '../../app/data.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Hint, Cut } from '../../ui/list.tsx'
import { ErrorText, ErrorBanner } from '../../ui/states.tsx'
import { SendKeys } from '../../ui/send-keys.tsx'
import { useWords } from '../../locales/words.tsx'
import { useNow } from '../../ui/use-now.ts'
import ResultTable from '../chat/result-table.tsx'
import { Accepted, Rejected, useQueryCheck, type QueryCheck } from './query-check.tsx'

type Reply = Answer<'POST /databases/{database}/query'>

/** Number of queries in the history. */
const MAX_TRIED = 20

interface TriedQuery {
  readonly at: number
  readonly sql: string
  /** Absent if the query was stopped, rejected or failed. */
  readonly rows?: number
  readonly isStopped?: boolean
}

/** Runs the user's own read-only SQL, and shows why the SQL guard rejects a query. */
export function Console({ database }: { database: string }) {
  const { words } = useWords()
  const { sql: initialSql = '' } = useSearch({ strict: false })
  const [sql, setSql] = useState(initialSql)
  const [tried, setTried] = useState<readonly TriedQuery[]>([])
  const stop = useRef(new AbortController())
  const field = useRef<HTMLTextAreaElement>(null)
  // Abort the query on unmount.
  useEffect(() => () => stop.current.abort(), [])
  const check = useQueryCheck(database, sql)
  const run = useChange(async (text: string) => {
    const record = (outcome: Pick<TriedQuery, 'rows' | 'isStopped'>) =>
      setTried((all) => [{ at: Date.now(), sql: text, ...outcome }, ...all].slice(0, MAX_TRIED))
    stop.current = new AbortController()
    try {
      const path = `/databases/${encodeURIComponent(database)}/query`
      const reply = await api.post<Reply>(path, { sql: text }, stop.current.signal)
      record({ rows: reply.rows.length })
      return { sql: text, table: toTable(reply) }
    } catch (thrown) {
      record({ isStopped: thrown instanceof Error && thrown.name === 'AbortError' })
      throw thrown
    }
  })
  const start = (): void => {
    if (sql.trim() !== '' && !run.isPending) run.mutate(sql.trim())
  }
  const isSame = run.variables === sql.trim()
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_260px]">
      <div className="flex min-w-0 flex-col gap-4">
        <Form className="card overflow-hidden" submit={start}>
          <header className="flex min-h-12 items-center gap-2 border-b border-line px-4 py-2 text-13">
            <span className="badge tone-ok">
              <Lock aria-hidden />
              {words.data.isReadOnly}
            </span>
            <Cut text={words.data.on({ database })} title={database} className="text-text-2" />
            <span className="ml-auto flex items-center gap-3">
              {check?.allowed === true ? <Accepted /> : null}
              {run.isPending ? (
                <Button label={words.data.stop} icon={Square} className="btn-sm" onClick={() => stop.current.abort()} />
              ) : (
                <Button
                  label={
                    <>
                      {words.data.run} <SendKeys />
                    </>
                  }
                  icon={Play}
                  type="submit"
                  className="btn-primary btn-sm"
                  disabled={sql.trim() === ''}
                />
              )}
            </span>
          </header>
          <Editor field={field} sql={sql} mark={check?.at} write={setSql} start={start} />
        </Form>
        {check === undefined || check.allowed ? null : (
          <Rejected
            title={isSame && run.error !== null ? words.data.refused : words.data.wouldBeRefused}
            sql={sql}
            check={check}
            use={(text) => {
              setSql(text)
              field.current?.focus()
            }}
          />
        )}
        {run.error === null || (isSame && check?.allowed === false) ? null : <Failed error={run.error} />}
        {run.data === undefined || run.error !== null ? null : (
          <ResultTable key={run.submittedAt} table={run.data.table} sql={run.data.sql} first="table" />
        )}
        {run.isPending ? <Running since={run.submittedAt} /> : null}
      </div>
      <Section title={words.data.history} lead={words.data.historyLead}>
        {tried.length === 0 ? (
          <Hint>{words.data.consoleHint}</Hint>
        ) : (
          <ul>
            {tried.map(({ at, sql: text, rows, isStopped = false }, n) => (
              <li key={`${at} ${n}`} className="border-b border-line last:border-b-0">
                <button
                  type="button"
                  className="flex w-full flex-col gap-1 px-4 py-2.5 text-left hover:bg-surface-2"
                  onClick={() => setSql(text)}
                >
                  <code className="mono line-clamp-2 wrap-anywhere" title={text}>
                    {text}
                  </code>
                  <Outcome rows={rows} isStopped={isStopped} at={at} />
                </button>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </div>
  )
}

/** Result of a query, and its time. */
function Outcome({ rows, isStopped, at }: { rows: number | undefined; isStopped: boolean; at: number }) {
  const { words, formats } = useWords()
  const [Icon, tone, text] =
    rows !== undefined
      ? [Check, 'text-text-3', words.step.rows({ n: formats.number(rows), isOne: rows === 1 })]
      : isStopped
        ? [Square, 'text-text-3', words.data.stopped]
        : [ShieldX, 'text-bad', words.data.failed]
  return (
    <span className={`flex items-center gap-1 text-11 ${tone}`}>
      <Icon size={12} aria-hidden />
      {text} · {formats.time(at)}
    </span>
  )
}

/** How long a query has run. */
function Running({ since }: { since: number }) {
  const { words, formats } = useWords()
  const seconds = Math.max(0, Math.floor((useNow(true) - since) / 1_000))
  return (
    <p className="banner tone-info">
      <span className="spin mt-1" aria-hidden />
      {words.data.runsSince({ seconds: formats.number(seconds) })}
    </p>
  )
}

/** Why a query has no result: it was stopped, took too long, was rejected by the database itself, or failed. */
function Failed({ error }: { error: Error }) {
  const { words } = useWords()
  const code = error instanceof ApiError ? error.code : error.name
  const outcomes: Readonly<Record<string, readonly [tone: string, icon: LucideIcon, title: string]>> = {
    AbortError: ['tone-info', Square, words.data.stopped],
    Timeout: ['tone-warn', Timer, words.data.late],
    QueryBlocked: ['tone-bad', ShieldX, words.data.protection['server']!],
  }
  const [tone, Icon, title] = outcomes[code] ?? []
  if (tone === undefined || Icon === undefined) return <ErrorBanner error={error} isInText />
  return (
    <div className={`banner ${tone}`} role="alert">
      <Icon size={16} aria-hidden />
      <p className="min-w-0 wrap-anywhere">
        <b className="block">{title}</b>
        {code === 'AbortError' ? words.data.stoppedHint : <ErrorText error={error} />}
      </p>
    </div>
  )
}

/** Columns with the same name are distinguished by index. */
function toTable({ columns, rows, hasMore }: Reply): Table {
  const names = columns.map((name, at) => (columns.indexOf(name) === at ? name : `${name} (${at + 1})`))
  return {
    columns: names,
    rows: rows.map((row) => Object.fromEntries(row.map((cell, at) => [names[at], cell]))),
    rowCount: rows.length,
    truncated: hasMore,
  }
}

interface EditorProps {
  readonly field: Ref<HTMLTextAreaElement>
  readonly sql: string
  /** The underlined range. */
  readonly mark: QueryCheck['at']
  readonly write: (sql: string) => void
  readonly start: () => void
}

const TEXT = 'mono min-h-32 w-full px-4 py-3 whitespace-pre-wrap wrap-break-word [grid-area:1/1]'

/** SQL input that grows with its text. A copy of the text below it shows the underline. */
function Editor({ field, sql, mark, write, start }: EditorProps) {
  const { words } = useWords()
  return (
    <div className="grid">
      <pre className={`${TEXT} pointer-events-none text-transparent select-none`} aria-hidden>
        {mark === undefined ? (
          sql
        ) : (
          <>
            {sql.slice(0, mark.from)}
            <span className="underline decoration-bad decoration-wavy decoration-from-font underline-offset-4">
              {sql.slice(mark.from, mark.to)}
            </span>
            {sql.slice(mark.to)}
          </>
        )}
        {/* Else a line that was just begun has no height. */}
        {'\n'}
      </pre>
      <textarea
        ref={field}
        className={`${TEXT} block resize-none overflow-hidden bg-transparent outline-none`}
        aria-label={words.data.query}
        placeholder="SELECT …"
        spellCheck={false}
        value={sql}
        onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) start()
        }}
      />
    </div>
  )
}
