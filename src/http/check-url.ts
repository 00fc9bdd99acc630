import { createSecrets } from '../domain/secrets.ts'
import { isIpAddress } from './addresses.ts'
import { requestBlocked } from './errors.ts'
import type { HttpPolicy } from './policy.ts'

const LONGEST_URL = 8_192
/** Names that only ever mean something internal: RFC 6761, RFC 6762, ICANN's `.internal`. */
const INTERNAL_NAME = /^(localhost|.*\.(localhost|local|internal|localdomain|home\.arpa))$/

/** Host of a URL without brackets and trailing dot, lower case, as allow-list and resolver know it. */
export function normalizeHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

/** Whether a name can only mean something internal. */
export function isInternalName(host: string): boolean {
  return INTERNAL_NAME.test(host) || !host.includes('.')
}

/** Method and URL without query and credentials, for messages: keys travel in queries. */
export function requestLine(method: string, url: URL): string {
  return `${method} ${url.protocol}//${url.host}${url.pathname}`
}

/**
 * Checks a URL as far as that is possible before a name is resolved. The WHATWG parser has already turned decimal, octal and
 * hexadecimal addresses into their usual form.
 * @throws TuttiError `HttpRequestError` with `details.rule`
 */
export function checkUrl(text: string, policy: HttpPolicy): URL {
  if (text.length > LONGEST_URL) throw requestBlocked('url-length', `A URL may have at most ${LONGEST_URL} characters.`)
  if (!URL.canParse(text)) {
    throw requestBlocked('url', `"${createSecrets().text(text).slice(0, 200).split('?')[0]}" is not a complete URL.`)
  }
  const url = new URL(text)
  const { protocol } = url
  if (!policy.protocols.includes(protocol)) {
    throw requestBlocked('protocol', `Requests go out over ${policy.protocols.join(' ')} only, not over ${protocol}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw requestBlocked('credentials', 'The URL holds a user name or password; set up a sign-in instead.')
  }
  const host = normalizeHost(url)
  const port = portOf(url)
  if (policy.isListed(host, port)) return url
  if (isIpAddress(host)) {
    const kind = policy.addressProblem(host, host, port)
    if (kind !== undefined) throw addressRefused(host, kind)
  } else if (isInternalName(host)) {
    throw requestBlocked('host-name', `"${host}" is an internal name. ${ASK_OPERATOR}`)
  }
  if (!policy.ports.includes(port)) {
    throw requestBlocked('port', `Port ${port} of ${host} may not be used; these may: ${policy.ports.join(', ')}.`)
  }
  return url
}

const ASK_OPERATOR = 'The operator can put it on the list of allowed hosts.'

/** `found` is the address behind the host, where that is a name. */
export function addressRefused(host: string, kind: string, found?: string): Error {
  const what = found === undefined ? host : `${host} (${found})`
  return requestBlocked('address', `${what} is not an address of the public internet (${kind}). ${ASK_OPERATOR}`)
}
