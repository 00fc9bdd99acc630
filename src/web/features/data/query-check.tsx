import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight, Check, CircleX, Lightbulb, ShieldX } from 'lucide-react'
import { api } from '../../../client/api.ts'
import type { Answer } from '../../app/data.ts'
import { Button } from '../../ui/button.tsx'
import { ServerText } from '../../ui/states.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { useWords } from '../../locales/words.tsx'

/** Result of the SQL guard for a query. */
export type QueryCheck = Answer<'POST /databases/{database}/check'>

/** Checks the typed query with the SQL guard once typing pauses. Aborts the check of the previous text. */
export function useQueryCheck(database: string, sql: string): QueryCheck | undefined {
  const settled = useDebounced(sql)
  const path = `/databases/${encodeURIComponent(database)}/check`
  const { data } = useQuery({
    queryKey: [path, settled],
    queryFn: ({ signal }) => api.post<QueryCheck>(path, { sql: settled }, signal),
    enabled: settled.trim() !== '',
    retry: false,
  })
  return sql === settled && sql.trim() !== '' ? data : undefined
}

interface RejectedProps {
  readonly title: string
  readonly sql: string
  readonly check: QueryCheck
  readonly use: (sql: string) => void
}

/** Why a query is rejected: the rule, the position, and what is allowed. */
export function Rejected({ title, sql, check, use }: RejectedProps) {
  const { words } = useWords()
  const { rule = '', reason, at, instead } = check
  const before = sql.slice(0, at?.from ?? 0).split('\n')
  return (
    <div className="card overflow-hidden border-[var(--bad-line)]" role="status">
      <div className="flex items-start gap-2.5 px-4 py-3 text-13">
        <ShieldX size={16} aria-hidden className="mt-0.5 flex-none text-bad" />
        <div className="min-w-0 flex-1 wrap-anywhere">
          <b className="block text-bad">{title}</b>
          <span className="text-text-2">{reason === undefined ? null : <ServerText text={reason} />}</span>{' '}
          {at === undefined ? null : (
            <span className="mono text-12 text-text-2">
              {words.data.line({ line: before.length, column: before.at(-1)!.length + 1 })}
            </span>
          )}
        </div>
      </div>
      <p className="flex items-center gap-2 border-t border-line bg-[var(--bad-soft)] px-4 py-2 text-12 text-bad">
        <CircleX size={14} aria-hidden className="flex-none" />
        <b>{words.data.guard}</b>
        {words.data.protection[rule] ?? rule}
      </p>
      {instead === undefined ? null : (
        <div className="flex flex-wrap items-center gap-3 border-t border-line px-4 py-3 text-13">
          <Lightbulb size={16} aria-hidden className="flex-none text-text-3" />
          <p className="min-w-48 flex-1 wrap-anywhere">
            <b>{words.data.allowed}</b> <code className="mono">{instead}</code>
          </p>
          <Button label={words.data.useThis} icon={ArrowUpRight} className="btn-sm" onClick={() => use(instead)} />
        </div>
      )}
    </div>
  )
}

export function Accepted() {
  const { words } = useWords()
  return (
    <span className="flex items-center gap-1 text-12 text-ok" role="status">
      <Check size={14} aria-hidden />
      <span className="max-sm:sr-only">{words.data.passes}</span>
    </span>
  )
}
