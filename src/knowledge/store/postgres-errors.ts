import { TuttiError } from '../../core/errors.ts'
import { readServerUrl } from '../../core/server-url.ts'

const CONNECTION_CODES = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])

/** SQLSTATEs after which the same statement may succeed: connection trouble, server going down, deadlock. */
const TRANSIENT_STATES = /^(?:08...|57P0[123]|53300|40001|40P01)$/

/** `pg` has no code for a connection that ends under a query. */
const CONNECTION_MESSAGE =
  /connection terminated|connection ended|not queryable|timeout exceeded when trying to connect/i

const ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection: check that it runs and that host and port are right',
  ENOTFOUND: 'has a host that is not known: check the database URL',
  EAI_AGAIN: 'has a host that is not known: check the database URL',
  '28P01': 'does not accept this user or password: check the database URL',
  '28000': 'does not accept this user or password: check the database URL',
  '3D000': 'has no such database: create it, or check the database URL',
  '53100': 'has a full disk, and nothing of this was written: free some space, then retry',
  '25006': 'is read-only, as a standby is: give the URL of the primary',
}

/** Turns an error of `pg` into one sentence that says what to do; never shows the password. */
export function storageError(thrown: unknown, server: string): unknown {
  if (TuttiError.isInstance(thrown)) return thrown
  const error = thrown instanceof AggregateError && thrown.errors[0] instanceof Error ? thrown.errors[0] : thrown
  const message = error instanceof Error ? error.message : String(error)
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  const retryable = CONNECTION_CODES.has(code) || TRANSIENT_STATES.test(code) || CONNECTION_MESSAGE.test(message)
  if (code === '' && !retryable) return thrown // a mistake in the code, not of the server
  return new TuttiError('StorageError', `PostgreSQL at ${server} ${ADVICE[code] ?? `reports: ${message}`}.`, {
    retryable,
    details: { server, code },
    cause: thrown,
  })
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
