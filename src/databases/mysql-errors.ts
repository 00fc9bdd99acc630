import { TuttiError } from '../domain/errors.ts'
import { timedOut } from './limits.ts'
import { unreachableDatabase } from './network-errors.ts'

const ACCESS_DENIED = new Set([
  'ER_ACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_ACCESS_DENIED_NO_PASSWORD_ERROR',
])
/** ER_QUERY_TIMEOUT of MySQL and ER_STATEMENT_TIMEOUT of MariaDB. */
const TIMED_OUT = new Set([3024, 1969])

/** A failure to connect, worded as what the operator has to put right. The password never appears. */
export function mysqlConnectError(error: NodeJS.ErrnoException, url: URL): TuttiError {
  if (TuttiError.isInstance(error)) return error
  const database = decodeURIComponent(url.pathname.slice(1))
  if (error.code !== undefined && ACCESS_DENIED.has(error.code)) {
    return new TuttiError(
      'ConfigurationError',
      `MySQL at ${url.host} refused user "${decodeURIComponent(url.username)}"; check user, password and rights on database "${database}".`,
      { cause: error },
    )
  }
  if (error.code === 'ER_BAD_DB_ERROR') {
    return new TuttiError('ConfigurationError', `MySQL at ${url.host} has no database "${database}".`, { cause: error })
  }
  return unreachableDatabase('MySQL', url, database, error.code, error.message, error)
}

/** A failure of a query: the database's own message. Retryable only when the connection broke. */
export function mysqlQueryError(error: unknown, timeoutMs: number): TuttiError {
  if (TuttiError.isInstance(error)) return error
  const { errno, code, message, fatal } = error as { errno?: number; code?: string; message: string; fatal?: boolean }
  if (errno !== undefined && TIMED_OUT.has(errno)) return timedOut(timeoutMs)
  const serverSpoke = fatal !== true && code?.startsWith('ER_') === true
  return new TuttiError('QueryError', serverSpoke ? message : `The connection to MySQL broke: ${message}`, {
    retryable: !serverSpoke,
    ...(code === undefined ? {} : { details: { code } }),
    cause: error,
  })
}
