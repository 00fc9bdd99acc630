import { TuttiError } from '../domain/errors.ts'
import { timedOut } from './limits.ts'
import { unreachableDatabase } from './network-errors.ts'

const QUERY_CANCELED = '57014'

/** A failure to connect, worded as what the operator has to put right. The password never appears. */
export function connectError(error: unknown, url: URL, allBusy: boolean): TuttiError {
  const database = decodeURIComponent(url.pathname.slice(1))
  const { code, message } = codeAndMessage(error)
  const configuration = (text: string): TuttiError => new TuttiError('ConfigurationError', text, { cause: error })
  if (code === '28P01' || code === '28000' || /password/i.test(message)) {
    return configuration(
      `PostgreSQL at ${url.host} refused user "${decodeURIComponent(url.username)}"; check user and password of database "${database}".`,
    )
  }
  if (code === '3D000') return configuration(`PostgreSQL at ${url.host} has no database "${database}".`)
  if (message.includes('timeout exceeded when trying to connect') && allBusy) {
    return new TuttiError('QueryError', `All connections to "${database}" are busy; try again later.`, {
      retryable: true,
      cause: error,
    })
  }
  return unreachableDatabase('PostgreSQL', url, database, code, message, error)
}

/** A failure of a query: the database's own message, with its hint where it gives one. */
export function postgresQueryError(error: unknown, timeoutMs: number): TuttiError {
  if (TuttiError.isInstance(error)) return error
  const { code, message } = codeAndMessage(error)
  if (code === QUERY_CANCELED && message.includes('statement timeout')) return timedOut(timeoutMs)
  const { detail, hint } = Object(error) as { detail?: string; hint?: string }
  const details = `${detail === undefined ? '' : ` ${detail}`}${hint === undefined ? '' : ` Hint: ${hint}`}`
  const serverSpoke = error instanceof Error && isRefusal(error)
  return new TuttiError(
    'QueryError',
    serverSpoke ? `${message}${details}` : `The connection to PostgreSQL broke: ${message}`,
    {
      // A query that failed fails again; a connection that broke may be replaced.
      retryable: !serverSpoke,
      ...(code === undefined ? {} : { details: { code } }),
      cause: error,
    },
  )
}

/** Whether the server refused a query and the connection is still good. The word for its severity is in the server's language. */
export function isRefusal(error: Error): boolean {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return 'severity' in error && /^(?!08|57P0)[0-9A-Z]{5}$/.test(code)
}

function codeAndMessage(error: unknown): { code: string | undefined; message: string } {
  if (!(error instanceof Error)) return { code: undefined, message: String(error) }
  return { code: 'code' in error && typeof error.code === 'string' ? error.code : undefined, message: error.message }
}
