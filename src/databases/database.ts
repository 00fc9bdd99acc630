import { TuttiError } from '../core/errors.ts'
import { readServerUrl } from '../core/server-url.ts'
import { openMysql } from './mysql.ts'
import { openPostgres } from './postgres.ts'
import type { DatabaseSchema, Dialect } from './schema.ts'
import { openSqlite } from './sqlite.ts'
import type { Walls } from './walls.ts'

export interface QueryOptions {
  /** Rows kept, 1,000 when absent; a result with more is truncated. */
  readonly maxRows?: number
  /** Milliseconds for the whole query, waiting for a connection included; 30,000 when absent. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/**
 * A result. Cells are JSON: dates and times ISO 8601, a number only where it is exact (else text), bytes as
 * `<N bytes>`, huge text cut with a mark.
 */
export interface QueryOutput {
  readonly columns: string[]
  readonly data: unknown[][]
  /** Rows in `data`. */
  readonly rowCount: number
  readonly truncated: boolean
}

/**
 * A database that can only be read. Whatever the SQL says, a query cannot write, run on after its time, or leave anything
 * behind in the session. Which tables and functions it may use is decided by the gate (`gate/`), and where the database can
 * be asked (`word/`), its own word is held against the same lists.
 * Errors are `ConfigurationError` (cannot be opened), `QueryBlocked` (by the database's own word), `QueryError` (the
 * database refused or failed), `Cancelled`.
 */
export interface Database {
  readonly name: string
  readonly dialect: Dialect
  /** The tables and views that the database has now. */
  schema(signal?: AbortSignal): Promise<DatabaseSchema>
  /** Runs one statement that returns rows. */
  query(sql: string, options?: QueryOptions): Promise<QueryOutput>
  /** Which walls stand for the user that is logged in. */
  walls(signal?: AbortSignal): Promise<Walls>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Absent: the file's stem, or the database's name in the URL. */
  readonly name?: string
  /** PostgreSQL: a role with SELECT alone that each query switches to. Better still: log in as that role. */
  readonly role?: string
  /** PostgreSQL: the schemas that are shown and searched; `public` when absent. */
  readonly schemas?: readonly string[]
  /** Tables and views that may be read, as `x` or `schema.x`; absent, all. The checks behind the gate use it, too. */
  readonly tables?: readonly string[]
  /** PostgreSQL, MySQL: accepts a user with more rights than reading needs. */
  readonly allowSuperuser?: boolean
  /** PostgreSQL: extensions whose types and operators queries may use, besides those of PostgreSQL's own distribution. */
  readonly extensions?: readonly string[]
  /** PostgreSQL, SQLite: whether the database is asked what a query would use before it runs; true when absent. */
  readonly serverCheck?: boolean
}

const SQLITE_FILE = /\.(?:db|sqlite|sqlite3)$/i

/**
 * Opens a database by its address: `sqlite:path`, a path ending in `.db`, `.sqlite` or `.sqlite3`, `postgres://…` or
 * `postgresql://…`, `mysql://…` or `mariadb://…`. Connects on first use.
 * @throws TuttiError `ConfigurationError` for any other address
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  // At least two letters: `C:\shop.db` is a path.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase()
  switch (scheme) {
    case 'postgres':
    case 'postgresql':
      return openPostgres(parsed(url), options)
    case 'mysql':
    case 'mariadb':
      return openMysql(parsed(url), options)
    case 'sqlite':
      return openSqlite(sqlitePath(url), options)
    default:
      if (SQLITE_FILE.test(url) && !url.includes('://')) return openSqlite(url, options)
      throw new TuttiError(
        'ConfigurationError',
        `${scheme === undefined ? 'A database address' : `"${scheme}:"`} is not understood; use sqlite:path/to/file.db, ` +
          'postgres://user:password@host/database or mysql://user:password@host/database.',
      )
  }
}

function parsed(url: string): URL {
  const address = readServerUrl(url, 'The database URL')
  // The URL itself stays out of the message: it may hold a password.
  if (address === undefined || !isDecodable(address.pathname)) {
    throw new TuttiError(
      'ConfigurationError',
      'The database URL is malformed; special characters in user and password must be percent-encoded.',
    )
  }
  if (address.pathname.length <= 1) {
    throw new TuttiError(
      'ConfigurationError',
      `The database URL does not name a database: ${address.protocol}//host/database.`,
    )
  }
  return address
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** `sqlite:a.db`, `sqlite://a.db`, `sqlite:/a.db` and `sqlite:///a.db`; nothing is percent-decoded. */
function sqlitePath(url: string): string {
  const path = url.slice('sqlite:'.length).replace(/^\/\//, '')
  if (path !== '') return path
  throw new TuttiError('ConfigurationError', 'The SQLite address does not name a file: sqlite:path/to/file.db.')
}
