import { connect, type Socket } from 'node:net'
import type { ConnectionOptions, Pool, PoolConnection, SslOptions } from 'mysql2'
import { TuttiError } from '../domain/errors.ts'
import type { ConnectTarget } from './database.ts'

const MAX_CONNECTIONS = 3
const CONNECT_TIMEOUT_MS = 10_000

/** A small pool. It has no idle limit: mysql2's timer for that would keep the program from ending. */
export async function createMysqlPool(options: ConnectionOptions): Promise<Pool> {
  const { default: mysql } = await import('mysql2')
  return mysql.createPool({ ...options, connectionLimit: MAX_CONNECTIONS })
}

/** The socket under a connection, which mysql2 leaves out of its types. */
export function mysqlSocket(connection: PoolConnection): Socket {
  return (connection as unknown as { readonly stream: Socket }).stream
}

/**
 * Ends what a connection is running on the server's side, from a second connection. Best effort: the server's own
 * statement time-out is behind it.
 */
export async function killConnection(connection: PoolConnection, options: ConnectionOptions): Promise<void> {
  const { default: mysql } = await import('mysql2')
  const killer = mysql.createConnection(options)
  killer.on('error', () => killer.destroy())
  killer.query(`KILL ${Number(connection.threadId)}`, () => killer.destroy())
}

/**
 * Converts the URL to explicit mysql2 options: from a URL, mysql2 would accept any option, including
 * `multipleStatements`.
 * @throws TuttiError `ConfigurationError` for an unknown option in the URL
 */
export function mysqlOptions(url: URL, target?: ConnectTarget): ConnectionOptions {
  const ssl = sslOptions(url)
  const [host, port] = [url.hostname, url.port === '' ? 3306 : Number(url.port)]
  return {
    host,
    port,
    ...(target === undefined ? {} : { stream: () => connect(target(host, port)) }),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    ...(ssl === undefined ? {} : { ssl }),
    charset: 'utf8mb4',
    connectTimeout: CONNECT_TIMEOUT_MS,
    multipleStatements: false,
    flags: ['-LOCAL_FILES'],
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
  }
}

/** `ssl-mode` as MySQL's own client spells it. */
function sslOptions(url: URL): SslOptions | undefined {
  for (const name of url.searchParams.keys()) {
    if (name !== 'ssl-mode') {
      throw new TuttiError('ConfigurationError', `A MySQL URL may have the option ssl-mode only, not "${name}".`)
    }
  }
  const mode = url.searchParams.get('ssl-mode')?.toUpperCase()
  switch (mode) {
    case undefined:
    case 'DISABLED':
      return undefined
    case 'REQUIRED':
      return { rejectUnauthorized: false }
    case 'VERIFY_CA':
      return { rejectUnauthorized: true, verifyIdentity: false }
    case 'VERIFY_IDENTITY':
      return { rejectUnauthorized: true, verifyIdentity: true }
    default:
      throw new TuttiError(
        'ConfigurationError',
        `ssl-mode "${mode}" is unknown; use DISABLED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY.`,
      )
  }
}
