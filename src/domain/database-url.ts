import { TuttiError } from './errors.ts'
import { isDecodable, readServerUrl } from './server-url.ts'

/** The address of a database. */
export type DatabaseAddress =
  | { readonly kind: 'postgres' | 'mysql'; readonly url: URL }
  | { readonly kind: 'sqlite'; readonly path: string }

const SQLITE_FILE = /\.(?:db|sqlite|sqlite3)$/i

/**
 * Parses `sqlite:path`, a path ending in `.db`, `.sqlite` or `.sqlite3`, `postgres://…` or `postgresql://…`,
 * `mysql://…` or `mariadb://…`.
 * @throws TuttiError `ConfigurationError` for any other address; the message shows no part of a URL
 */
export function readDatabaseUrl(text: string): DatabaseAddress {
  // At least two letters: `C:\shop.db` is a path.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase()
  switch (scheme) {
    case 'postgres':
    case 'postgresql':
      return { kind: 'postgres', url: parsed(text) }
    case 'mysql':
    case 'mariadb':
      return { kind: 'mysql', url: parsed(text) }
    case 'sqlite':
      return { kind: 'sqlite', path: sqlitePath(text) }
    default:
      if (SQLITE_FILE.test(text) && !text.includes('://')) return { kind: 'sqlite', path: text }
      throw new TuttiError(
        'ConfigurationError',
        `${scheme === undefined ? 'A database address' : `"${scheme}:"`} is not understood; use sqlite:path/to/file.db, ` +
          'postgres://user:password@host/database or mysql://user:password@host/database.',
      )
  }
}

/** The problem of an address, without full stop; undefined for a valid one. */
export function databaseUrlProblem(text: string): string | undefined {
  try {
    readDatabaseUrl(text)
    return undefined
  } catch (thrown) {
    return (thrown as TuttiError).message.replace(/\.$/, '')
  }
}

function parsed(url: string): URL {
  const address = readServerUrl(url, 'The database URL')
  // The message does not contain the URL, which may hold a password.
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

/** `sqlite:a.db`, `sqlite://a.db`, `sqlite:/a.db` and `sqlite:///a.db`; nothing is percent-decoded. */
function sqlitePath(url: string): string {
  const path = url.slice('sqlite:'.length).replace(/^\/\//, '')
  if (path !== '') return path
  throw new TuttiError('ConfigurationError', 'The SQLite address does not name a file: sqlite:path/to/file.db.')
}
