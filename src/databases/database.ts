import type { TcpNetConnectOpts } from 'node:net'
import { resolve } from 'node:path'
import { readDatabaseUrl } from '../domain/server-url.ts'
import { MysqlDatabase } from './mysql.ts'
import { PostgresDatabase } from './postgres.ts'
import type { DatabaseSchema, Dialect } from './schema.ts'
import { SqliteDatabase } from './sqlite.ts'

export interface QueryOptions {
  /** Maximum number of rows; a result with more is truncated. Default: 1,000. */
  readonly maxRows?: number
  /** Timeout in milliseconds for the whole query, including waiting for a connection. Default: 30,000. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/**
 * A result. Cells are JSON: dates and times as ISO 8601, numbers only if exact (else text), short bytes as hexadecimal
 * `\x…`, else `<N bytes>`, long text truncated with a mark.
 */
export interface QueryOutput {
  readonly columns: string[]
  readonly data: unknown[][]
  /** Rows in `data`. */
  readonly rowCount: number
  readonly truncated: boolean
}

/**
 * A read-only database. Whatever the SQL, a query cannot write, exceed its time limit, or leave state in the session.
 * The SQL guard (`sql-guard/`) decides which tables and functions it may use. If the database can report what a query
 * uses (`sql-guard/server-analysis/`), its report is checked against the same lists.
 * Errors are `ConfigurationError` (cannot be opened), `QueryBlocked` (by the database's own report), `QueryError`
 * (rejected by or failed in the database), `Cancelled`.
 */
export interface Database {
  readonly name: string
  readonly dialect: Dialect
  /** The tables and views that the database has now. */
  schema(signal?: AbortSignal): Promise<DatabaseSchema>
  /** Runs one statement that returns rows. */
  query(sql: string, options?: QueryOptions): Promise<QueryOutput>
  /** Which protections mean the user that is logged in. */
  protections(signal?: AbortSignal): Promise<Protections>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Absent: the file's stem, or the database's name in the URL. */
  readonly name?: string
  /** PostgreSQL: a role with SELECT alone that each query switches to. Better still: log in as that role. */
  readonly role?: string
  /** PostgreSQL: the schemas that are shown and searched; `public` when absent. */
  readonly schemas?: readonly string[]
  /**
   * Tables and views that may be read, as `x` or `schema.x`; all when absent. The checks behind the SQL guard use it, too.
   */
  readonly tables?: readonly string[]
  /** PostgreSQL, MySQL: accepts a user with more rights than reading needs. */
  readonly allowSuperuser?: boolean
  /**
   * PostgreSQL: extensions whose types and operators queries may use, in addition to those of PostgreSQL's own
   * distribution.
   */
  readonly extensions?: readonly string[]
  /** PostgreSQL, SQLite: whether the database is asked what a query would use before it runs; true when absent. */
  readonly serverCheck?: boolean
  /** PostgreSQL, MySQL: the time zone of the session; the server's own when absent. */
  readonly timeZone?: string
  /** PostgreSQL, MySQL: how to connect to the server; throws where it must not be reached. */
  readonly target?: ConnectTarget
}

export type ConnectTarget = (host: string, port: number) => TcpNetConnectOpts

/**
 * Opens a database by its address, see `readDatabaseUrl`. Connects on first use.
 * @throws TuttiError `ConfigurationError` for an address that is not valid
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const address = readDatabaseUrl(url)
  if (address.kind === 'sqlite') return new SqliteDatabase(resolve(address.path), options)
  return new (address.kind === 'postgres' ? PostgresDatabase : MysqlDatabase)(address.url, options)
}

/** The protections of this database for this user. */
export interface Protections {
  readonly standing: readonly string[]
  /** Weaknesses of the protections, one clause each. */
  readonly weak: readonly string[]
  /** Statements that would fix the weaknesses. */
  readonly advice: readonly string[]
}
