import { TuttiError } from '../../domain/errors.ts'
import { ERASED_STATE, erasedError } from './erased.ts'
import { readServerUrl } from '../../domain/server-url.ts'

const CONNECTION_CODES = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])

/**
 * SQLSTATEs after which the same statement may succeed: server going down or coming up, no free connection, deadlock,
 * serialization failure. Class 08 are the connection errors.
 */
const TRANSIENT_STATES = /^(?:08...|57P0[123]|53300|40001|40P01)$/

/** `pg` has no code for a connection that ends under a query. */
const CONNECTION_MESSAGE =
  /connection terminated|connection ended|not queryable|timeout exceeded when trying to connect/i

/** True when the connection or bad timing was at fault, not the statement. */
export function isTransient(thrown: unknown): boolean {
  if (TuttiError.isInstance(thrown)) return thrown.retryable
  if (!(thrown instanceof Error)) return false
  const code = codeOf(thrown)
  return CONNECTION_CODES.has(code) || TRANSIENT_STATES.test(code) || CONNECTION_MESSAGE.test(thrown.message)
}

/** False for errors that do not come from `pg` but from a bug in the surrounding code. */
export function isPostgresError(thrown: unknown): boolean {
  return isTransient(thrown) || (thrown instanceof Error && codeOf(thrown) !== '')
}

/** Converts an error of `pg` into one sentence that says what to do, without the password. */
export function postgresError(thrown: unknown, server: string): TuttiError {
  if (TuttiError.isInstance(thrown)) return thrown
  const code = thrown instanceof Error ? codeOf(thrown) : ''
  if (code === ERASED_STATE) return erasedError(thrown)
  return new TuttiError('StorageError', explain(thrown, code, server), {
    retryable: isTransient(thrown),
    details: { server, ...(code === '' ? {} : { code }) },
    cause: thrown,
  })
}

function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code
  // All addresses of a host failed.
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return codeOf(error.errors[0])
  return ''
}

function explain(thrown: unknown, code: string, server: string): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  if (code === '28P01' || code === '28000')
    return `PostgreSQL at ${server} does not accept this user or password: check the database URL.`
  if (code === '25006') return `PostgreSQL at ${server} is read-only, as a standby is: give the URL of the primary.`
  if (isTransient(thrown)) return `The connection to PostgreSQL at ${server} failed (${message || code}); try again.`
  return `PostgreSQL at ${server} reports: ${message}.`
}

/**
 * `host:port/database`, which is all of the URL that an error may show.
 * @throws TuttiError `ConfigurationError`
 */
export function describeServer(url: string): string {
  const address = readServerUrl(url, 'The database URL')
  if (address === undefined) {
    throw new TuttiError(
      'ConfigurationError',
      'The database URL is not valid; it looks like postgres://user:password@host/name.',
    )
  }
  const { host, pathname } = address
  return `${host}${pathname}`
}
