import type { Pool, PoolClient } from 'pg'
import type { ConnectTarget, Database, DatabaseOptions, Protections, QueryOptions, QueryOutput } from './database.ts'
import { assertRunnable, queryLimits, type QueryLimits } from './limits.ts'
import { fetchRows, postgresSocket, sendCancelRequest, socketTo } from './postgres-rows.ts'
import { connectError, isRefusal, postgresQueryError } from './postgres-errors.ts'
import { assertPlainRole, postgresProtections, readerStatements, readPostgresRights } from './postgres-rights.ts'
import { readPostgresSchema } from './postgres-schema.ts'
import type { CallableNames, DatabaseSchema } from './schema.ts'
import { type Connections, runInSession } from './session.ts'
import { PostgresAnalysis } from './sql-guard/server-analysis/postgres-analysis.ts'

const MAX_CONNECTIONS = 3
const CONNECT_TIMEOUT_MS = 10_000
const LOCK_TIMEOUT_MS = 5_000
/** Memory for each sort or hash table of a query; a server may allow far more for its own users. */
const WORK_MEM = '32MB'
/** Limit for all temporary files of a query, if the user may set it. */
const TEMP_FILE_LIMIT = '2GB'

/** A PostgreSQL database, or one with its protocol, behind the layers of docs/database-safety.md. */
export class PostgresDatabase implements Database {
  readonly name: string
  readonly dialect = 'postgres'
  readonly #url: URL
  readonly #role: string | undefined
  readonly #timeZone: string | undefined
  readonly #schemas: readonly string[]
  readonly #allowSuperuser: boolean
  readonly #target: ConnectTarget | undefined
  readonly #analysis: PostgresAnalysis | undefined
  #pool: Promise<Pool> | undefined
  #inUse = 0
  /** Set once the user's rights were checked; whether the user may limit temporary files. */
  #admitted: { readonly limitsFiles: boolean } | undefined

  constructor(url: URL, options: DatabaseOptions) {
    this.#url = url
    this.name = options.name ?? decodeURIComponent(url.pathname.slice(1))
    this.#role = options.role
    this.#timeZone = options.timeZone
    this.#schemas = options.schemas ?? ['public']
    this.#allowSuperuser = options.allowSuperuser ?? false
    this.#target = options.target
    const { tables, extensions = [], serverCheck = true } = options
    if (serverCheck) this.#analysis = new PostgresAnalysis({ schemas: this.#schemas, tables, extensions })
  }

  schema(signal?: AbortSignal): Promise<DatabaseSchema> {
    const limits = queryLimits(signal === undefined ? {} : { signal })
    // Forget looked-up names together with the schema.
    this.#analysis?.forget()
    this.#admitted = undefined
    return this.#session(limits, async (client) => ({
      name: this.name,
      dialect: this.dialect,
      tables: await readPostgresSchema(client, this.#schemas),
      callable: await readCallableNames(client, this.#schemas),
    }))
  }

  protections(signal?: AbortSignal): Promise<Protections> {
    const limits = queryLimits(signal === undefined ? {} : { signal })
    return this.#session(limits, async (client) => {
      await this.#analysis?.check(client, 'SELECT 1')
      const rights = await readPostgresRights(client, this.#schemas)
      return postgresProtections(rights, this.#schemas, this.#analysis !== undefined)
    })
  }

  async query(sql: string, options?: QueryOptions): Promise<QueryOutput> {
    assertRunnable(sql)
    const limits = queryLimits(options)
    return this.#session(limits, async (client) => {
      await this.#analysis?.check(client, sql)
      return fetchRows(client, sql, limits.maxRows)
    })
  }

  async close(): Promise<void> {
    const pool = this.#pool
    this.#pool = undefined
    // If the pool could not be created, the query that needed it has reported that.
    await (await pool?.catch(() => undefined))?.end()
  }

  #session<T>(limits: QueryLimits, work: (client: PoolClient) => Promise<T>): Promise<T> {
    const connections: Connections<PoolClient> = {
      connect: () => this.#connect(),
      socketOf: postgresSocket,
      enter: (client) => this.#enter(client, limits),
      reset,
      release: (client, isClean) => this.#release(client, !isClean),
      cancel: (client) => sendCancelRequest(client, this.#target),
      errorOf: postgresQueryError,
    }
    return runInSession(connections, limits, work)
  }

  async #connect(): Promise<PoolClient> {
    this.#pool ??= createPool(this.#url, this.#target)
    try {
      const client = await (await this.#pool).connect()
      this.#inUse++
      // Without a listener, an error between two queries of a session would end the process. The queries report it.
      client.on('error', ignoreReportedError)
      return client
    } catch (error) {
      throw connectError(error, this.#url, this.#inUse >= MAX_CONNECTIONS)
    }
  }

  #release(client: PoolClient, destroy: boolean): void {
    this.#inUse--
    client.off('error', ignoreReportedError)
    client.release(destroy)
  }

  /**
   * Before the first query and on each reading of the schema: checks the user's rights and which settings it may
   * change.
   */
  async #enter(client: PoolClient, limits: QueryLimits): Promise<void> {
    const admitted = this.#admitted
    const limitsFiles = admitted?.limitsFiles ?? (await mayLimitFiles(client))
    await this.#begin(client, limits, limitsFiles)
    if (admitted !== undefined) return
    if (!this.#allowSuperuser) {
      const rights = await readPostgresRights(client, this.#schemas)
      assertPlainRole(rights, this.name, readerStatements(this.#schemas))
    }
    this.#admitted = { limitsFiles }
  }

  /**
   * The last statement takes the snapshot, after which PostgreSQL does not allow the transaction to become read-write.
   * Temporary objects are searched last, so that none can replace a table or function.
   */
  async #begin(client: PoolClient, limits: QueryLimits, limitsFiles: boolean): Promise<void> {
    const searchPath = ['pg_catalog', ...this.#schemas, 'pg_temp'].map(quoteIdentifier).join(', ')
    const settings: Record<string, string> = {
      statement_timeout: `${limits.timeoutMs}ms`,
      lock_timeout: `${Math.min(limits.timeoutMs, LOCK_TIMEOUT_MS)}ms`,
      idle_in_transaction_session_timeout: `${limits.timeoutMs + CONNECT_TIMEOUT_MS}ms`,
      work_mem: WORK_MEM,
      ...(limitsFiles ? { temp_file_limit: TEMP_FILE_LIMIT } : {}),
      search_path: searchPath,
      datestyle: 'ISO, YMD',
      bytea_output: 'hex',
      // The SQL guard treats backslashes in literals as the standard does.
      standard_conforming_strings: 'on',
      ...(this.#timeZone === undefined ? {} : { timezone: this.#timeZone }),
      ...(this.#role === undefined ? {} : { role: this.#role }),
    }
    const names = Object.keys(settings)
    const calls = names.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`)
    await client.query('BEGIN READ ONLY')
    await client.query(`SELECT ${calls.join(', ')}`, Object.entries(settings).flat())
  }
}

async function createPool(url: URL, target: ConnectTarget | undefined): Promise<Pool> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url.href,
    ...(target === undefined ? {} : { stream: () => socketTo(target) }),
    application_name: 'tutti',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
  })
  // An idle connection broke (server restart): the pool has dropped it already, and the next query opens another.
  pool.on('error', ignoreReportedError)
  return pool
}

function ignoreReportedError(): void {}

/** Only superusers may limit temporary files, and those to whom they granted it; asked outside of the transaction, which it could abort. */
async function mayLimitFiles(client: PoolClient): Promise<boolean> {
  try {
    await client.query(`SET temp_file_limit = '${TEMP_FILE_LIMIT}'`)
    return true
  } catch (error) {
    if (error instanceof Error && isRefusal(error)) return false
    throw error
  }
}

/** Ends the transaction and drops all session state: settings, temporary tables, advisory locks, prepared statements. */
async function reset(client: PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK')
    await client.query('DISCARD ALL')
    return true
  } catch {
    // The caller destroys a connection that cannot be cleaned; the result or error of the query is kept.
    return false
  }
}

function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * `x.name` calls a function of that name or converts x to a type of that name. Row types of tables are not involved.
 */
const ANY = `
  SELECT proname::text AS name FROM pg_catalog.pg_proc WHERE pronargs >= 1 AND pronargs - pronargdefaults <= 1
  UNION SELECT typname::text FROM pg_catalog.pg_type WHERE typrelid = 0
  ORDER BY 1`

/** Functions of extensions do not count as the database's own, since the operator of the server installs extensions. */
const OWN = `
  SELECT p.proname::text AS name FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname = ANY ($1) AND n.nspname <> 'pg_catalog'
    AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend d
                    WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  UNION
  SELECT o.oprname::text FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_namespace n ON n.oid = o.oprnamespace
  WHERE n.nspname = ANY ($1) AND n.nspname <> 'pg_catalog'
    AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend d
                    WHERE d.classid = 'pg_catalog.pg_operator'::regclass AND d.objid = o.oid AND d.deptype = 'e')
  ORDER BY 1`

/** Reads the names that a query could call; names without a schema are looked up in `schemas`. */
async function readCallableNames(client: PoolClient, schemas: readonly string[]): Promise<CallableNames> {
  const anyNames = await client.query<{ name: string }>(ANY)
  const own = await client.query<{ name: string }>(OWN, [schemas])
  return { any: anyNames.rows.map(({ name }) => name), own: own.rows.map(({ name }) => name) }
}
