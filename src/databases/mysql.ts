import type { ConnectionOptions, Pool, PoolConnection, SslOptions } from 'mysql2'
import type { ConnectTarget, Database, DatabaseOptions, Protections, QueryOptions, QueryOutput } from './database.ts'
import { assertRunnable, queryLimits, type QueryLimits, timedOut } from './limits.ts'
import { assertPlainAccount, mysqlProtections, readerAccountStatements, readMysqlRights } from './mysql-rights.ts'
import { runMysql, streamRows } from './mysql-rows.ts'
import { readMysqlSchema, readOwnFunctions } from './mysql-schema.ts'
import type { DatabaseSchema } from './schema.ts'
import { type Connections, runInSession } from './session.ts'
import { TuttiError } from '../domain/errors.ts'
import { unreachableDatabase } from './network-errors.ts'
import { connect, type Socket } from 'node:net'

const LOCK_TIMEOUT_SECONDS = 5
/** `"` opens a string and `\` escapes, as the SQL guard's parser assumes; a server may be configured differently. */
const SQL_MODE = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'

/** A MySQL or MariaDB database behind the layers of docs/database-safety.md. */
export class MysqlDatabase implements Database {
  readonly name: string
  readonly dialect = 'mysql'
  readonly #url: URL
  readonly #options: ConnectionOptions
  #pool: Promise<Pool> | undefined
  readonly #allowSuperuser: boolean
  readonly #timeZone: string | undefined
  /** Statements that create an account which can only read. */
  readonly #advice: readonly string[]
  #isMariaDb: boolean | undefined
  #isAdmitted = false

  constructor(url: URL, options: DatabaseOptions) {
    this.#url = url
    this.#options = mysqlOptions(url, options.target)
    const database = decodeURIComponent(url.pathname.slice(1))
    this.name = options.name ?? database
    this.#allowSuperuser = options.allowSuperuser ?? false
    this.#timeZone = options.timeZone
    this.#advice = readerAccountStatements(database)
  }

  schema(signal?: AbortSignal): Promise<DatabaseSchema> {
    const limits = queryLimits({ maxRows: 1_000_000, ...(signal === undefined ? {} : { signal }) })
    // Forget looked-up names together with the schema.
    this.#isAdmitted = false
    return this.#session(limits, async (connection) => ({
      name: this.name,
      dialect: this.dialect,
      tables: await readMysqlSchema(connection),
      callable: { any: [], own: await readOwnFunctions(connection) },
    }))
  }

  protections(signal?: AbortSignal): Promise<Protections> {
    const limits = queryLimits(signal === undefined ? {} : { signal })
    return this.#session(limits, async (connection) =>
      mysqlProtections(await readMysqlRights(connection), this.#advice),
    )
  }

  async query(sql: string, options?: QueryOptions): Promise<QueryOutput> {
    assertRunnable(sql)
    const limits = queryLimits(options)
    return this.#session(limits, (connection, stop) => streamRows(connection, sql, limits.maxRows, stop))
  }

  async close(): Promise<void> {
    const pool = this.#pool
    this.#pool = undefined
    if (pool === undefined) return
    const opened = await pool
    await new Promise<void>((resolve) => opened.end(() => resolve()))
  }

  #session<T>(limits: QueryLimits, work: (connection: PoolConnection, stop: () => void) => Promise<T>): Promise<T> {
    const connections: Connections<PoolConnection> = {
      connect: () => this.#connect(),
      socketOf: mysqlSocket,
      enter: async (connection) => {
        await this.#begin(connection, limits)
        await this.#admit(connection)
      },
      reset,
      release,
      cancel: (connection) => void killConnection(connection, this.#options),
      errorOf: mysqlQueryError,
    }
    return runInSession(connections, limits, work)
  }

  async #connect(): Promise<PoolConnection> {
    this.#pool ??= createMysqlPool(this.#options)
    const pool = await this.#pool
    return new Promise((resolve, reject) =>
      pool.getConnection((error, connection) => {
        if (error !== null) return reject(mysqlConnectError(error, this.#url))
        mysqlSocket(connection).ref()
        resolve(connection)
      }),
    )
  }

  /** Before the first query and on each reading of the schema. */
  async #admit(connection: PoolConnection): Promise<void> {
    if (this.#isAdmitted || this.#allowSuperuser) return
    assertPlainAccount(await readMysqlRights(connection), this.name, this.#advice)
    this.#isAdmitted = true
  }

  async #begin(connection: PoolConnection, limits: QueryLimits): Promise<void> {
    this.#isMariaDb ??= await speaksMariaDb(connection)
    const settings = {
      // MariaDB's ONLY_FULL_GROUP_BY also refuses columns that depend on the grouped key, so only MySQL gets it.
      sql_mode: `'${this.#isMariaDb ? '' : 'ONLY_FULL_GROUP_BY,'}${SQL_MODE}'`,
      // Limits SELECTs without a LIMIT of their own; others are stopped while reading.
      sql_select_limit: limits.maxRows + 1,
      lock_wait_timeout: LOCK_TIMEOUT_SECONDS,
      innodb_lock_wait_timeout: LOCK_TIMEOUT_SECONDS,
      // MySQL's default of 1,024 bytes cuts GROUP_CONCAT without an error.
      group_concat_max_len: 1_048_576,
      ...(this.#isMariaDb ? { max_statement_time: limits.timeoutMs / 1000 } : { max_execution_time: limits.timeoutMs }),
    }
    const assignments = Object.entries(settings).map(([name, value]) => `SESSION ${name} = ${value}`)
    await runMysql(connection, 'SET NAMES utf8mb4')
    await runMysql(connection, `SET ${assignments.join(', ')}`)
    if (this.#timeZone !== undefined) await setTimeZone(connection, this.#timeZone)
    await runMysql(connection, 'SET SESSION TRANSACTION READ ONLY')
    await runMysql(connection, 'START TRANSACTION READ ONLY')
  }
}

/** Servers know names of time zones only after an administrator has loaded them; others get today's offset. */
async function setTimeZone(connection: PoolConnection, zone: string): Promise<void> {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  const offset = format
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')
    ?.value.slice(3)
  const set = (value: string) => runMysql(connection, `SET SESSION time_zone = '${value.replaceAll("'", '')}'`)
  await set(zone).catch(() => set(offset || '+00:00'))
}

async function speaksMariaDb(connection: PoolConnection): Promise<boolean> {
  const [row] = await runMysql<{ version: string }>(connection, 'SELECT VERSION() AS version')
  return /mariadb/i.test(row?.version ?? '')
}

/** Gives a connection back; an idle one does not keep the program alive. */
function release(connection: PoolConnection, clean: boolean): void {
  if (!clean) return connection.destroy()
  mysqlSocket(connection).unref()
  connection.release()
}

/** Ends the transaction and drops all session state: variables, temporary tables, named locks, prepared statements. */
async function reset(connection: PoolConnection): Promise<boolean> {
  try {
    await runMysql(connection, 'ROLLBACK')
    await new Promise<void>((resolve, reject) =>
      connection.reset((error) => (error === null || error === undefined ? resolve() : reject(error))),
    )
    return true
  } catch {
    // The caller destroys a connection that cannot be cleaned; the result or error of the query is kept.
    return false
  }
}

const ACCESS_DENIED = new Set([
  'ER_ACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_ACCESS_DENIED_NO_PASSWORD_ERROR',
])
/** ER_QUERY_TIMEOUT of MySQL and ER_STATEMENT_TIMEOUT of MariaDB. */
const TIMED_OUT = new Set([3024, 1969])

/** A failure to connect, worded as what the operator has to put right. The password never appears. */
function mysqlConnectError(error: NodeJS.ErrnoException, url: URL): TuttiError {
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
function mysqlQueryError(error: unknown, timeoutMs: number): TuttiError {
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

const MAX_CONNECTIONS = 3
const CONNECT_TIMEOUT_MS = 10_000

/** A small pool. It has no idle limit: mysql2's timer for that would keep the program from ending. */
async function createMysqlPool(options: ConnectionOptions): Promise<Pool> {
  const { default: mysql } = await import('mysql2')
  return mysql.createPool({ ...options, connectionLimit: MAX_CONNECTIONS })
}

/** The socket under a connection, which mysql2 leaves out of its types. */
function mysqlSocket(connection: PoolConnection): Socket {
  return (connection as unknown as { readonly stream: Socket }).stream
}

/**
 * Ends what a connection is running on the server's side, from a second connection. Best effort: the server's own
 * statement time-out is behind it.
 */
async function killConnection(connection: PoolConnection, options: ConnectionOptions): Promise<void> {
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
function mysqlOptions(url: URL, target?: ConnectTarget): ConnectionOptions {
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
