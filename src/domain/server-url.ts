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
export function isDecodable(text: string): boolean {
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
