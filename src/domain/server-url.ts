import { TuttiError } from './errors.ts'

/**
 * Parses the URL of a server, with optional user name and password; undefined for what is no URL. A password with an
 * unencoded delimiter such as `/` makes a URL that parsers read differently: part of the password would be shown, and
 * looked up as a host.
 * @param what named in the message, such as `The database URL`
 * @throws TuttiError `ConfigurationError` that shows no part of such a URL
 */
export function readServerUrl(text: string, what: string): URL | undefined {
  const [, scheme = '', authority = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#\\]*)(.*)$/is.exec(text) ?? []
  const isPage = /^https?$/i.test(scheme) && !/[@:]/.test(authority)
  const isWithoutHost = /^[a-z][a-z0-9+.-]*:(?!\/\/).*@/is.test(text)
  // oxlint-disable-next-line no-control-regex -- parsers leave them out, each in its own way
  const isUnclear = isWithoutHost || (rest.includes('@') && !isPage) || /[\u0000-\u0020\u007f\\]/.test(text)
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = [url?.username, url?.password].every((part) => isDecodable(part ?? ''))
  if (!isUnclear && isPlain && (url !== undefined || !authority.includes('@'))) return url
  throw new TuttiError(
    'ConfigurationError',
    `${what} is malformed; it has two slashes before its host (scheme://host), and special characters in user and password must be percent-encoded, such as %40 for @, %2F for /, %23 for # and %25 for %.`,
  )
}

/** Whether percent-encoding in a text means characters. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Host and port, for the list of hosts that may be reached and for messages. */
export function serverHost(address: string): string {
  const { host, protocol, port } = new URL(address)
  return port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
}

/** Whether a name or address, with or without the brackets of a URL, is one of this machine that no other reaches. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)
}

/** The address of a database. */
type DatabaseAddress =
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
