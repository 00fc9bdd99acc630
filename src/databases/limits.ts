import { abortError, TuttiError } from '../domain/errors.ts'
import type { QueryOptions } from './database.ts'

const DEFAULT_MAX_ROWS = 1000
const DEFAULT_TIMEOUT_MS = 30_000

export interface QueryLimits {
  readonly maxRows: number
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/** Fills in the defaults. @throws TuttiError `ConfigurationError` for a limit that is not a positive whole number */
export function queryLimits(options: QueryOptions = {}): QueryLimits {
  const { maxRows = DEFAULT_MAX_ROWS, timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options
  for (const [name, value] of Object.entries({ maxRows, timeoutMs })) {
    if (!Number.isSafeInteger(value) || value < 1 || value > 2_147_483_647) {
      throw new TuttiError('ConfigurationError', `${name} must be a whole number from 1 to 2147483647, not ${value}.`)
    }
  }
  return { maxRows, timeoutMs, signal }
}

/**
 * Runs `work` within the limits. On time-out or abort, `stop` is called at once and must end the work in the database,
 * too; the promise rejects without waiting for it.
 * @throws TuttiError `QueryError` on time-out, `Timeout` or `Cancelled` on abort, otherwise the error of `work`
 */
export function withinLimits<T>(
  limits: Omit<QueryLimits, 'maxRows'>,
  work: () => Promise<T>,
  stop: () => void,
): Promise<T> {
  const { timeoutMs, signal } = limits
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortError(signal, 'The query'))
    const finish = (settle: () => void): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    const breakOff = (error: TuttiError): void =>
      finish(() => {
        reject(error)
        stop()
      })
    const onAbort = (): void => breakOff(abortError(signal!, 'The query'))
    const timer = setTimeout(() => breakOff(timedOut(timeoutMs)), timeoutMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    work().then(
      (value) => finish(() => resolve(value)),
      (error: unknown) => finish(() => reject(error)),
    )
  })
}

export function timedOut(timeoutMs: number): TuttiError {
  const seconds = timeoutMs / 1000
  return new TuttiError(
    'QueryError',
    `The query took longer than ${seconds} s and was stopped; make it narrower (a filter, fewer joins) and try again.`,
  )
}

/** @throws TuttiError `QueryError` for text that databases do not read unchanged */
export function assertRunnable(sql: string): void {
  if (sql.trim() === '') throw new TuttiError('QueryError', 'The query is empty.')
  // Databases stop reading at a NUL, so what follows it would go unchecked.
  if (sql.includes('\0')) throw new TuttiError('QueryError', 'The query contains a NUL character.')
}

/** SELECT, WITH, VALUES or TABLE behind blanks, brackets and plain comments; not behind `/*!`, which MySQL runs. */
const STARTS_AS_QUERY = /^(?:[\s(]|--[^\n]*\n|#[^\n]*\n|\/\*(?![!M])[\s\S]*?\*\/)*(?:select|with|values|table)\b/i

/**
 * For databases without PostgreSQL's DECLARE CURSOR, whose grammar accepts only queries.
 * @throws TuttiError `QueryError` for a statement of another kind
 */
export function assertQuery(sql: string): void {
  if (!STARTS_AS_QUERY.test(sql)) throw new TuttiError('QueryError', 'Only SELECT queries can be run here.')
}
