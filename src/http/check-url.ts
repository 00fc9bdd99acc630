import { createSecrets } from '../domain/secrets.ts'
import { isIpAddress } from './addresses.ts'
import { requestBlocked } from './errors.ts'
import type { HttpPolicy } from './policy.ts'

const MAX_URL_CHARS = 8_192
/** Names that always mean something internal: RFC 6761, RFC 6762, ICANN's `.internal`. */
const INTERNAL_NAME = /^(localhost|.*\.(localhost|local|internal|localdomain|home\.arpa))$/

/** Host of a URL without brackets and trailing dot, in lower case, as used by allow-list and resolver. */
export function normalizeHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

/** Whether a name always means something internal. Requests to it are refused against SSRF. */
export function isInternalName(host: string): boolean {
  return INTERNAL_NAME.test(host) || !host.includes('.')
}

/** Method and URL for messages, without query and credentials: queries may contain keys. */
export function requestLine(method: string, url: URL): string {
  return `${method} ${url.protocol}//${url.host}${url.pathname}`
}

/**
 * Checks a URL before its name is resolved. The WHATWG parser has already normalised decimal, octal and hexadecimal
 * addresses.
 * @throws TuttiError `HttpRequestError` with `details.rule`
 */
export function checkUrl(text: string, policy: HttpPolicy): URL {
  if (text.length > MAX_URL_CHARS)
    throw requestBlocked('url-length', `A URL may have at most ${MAX_URL_CHARS} characters.`)
  if (!URL.canParse(text)) {
    throw requestBlocked('url', `"${createSecrets().text(text).slice(0, 200).split('?')[0]}" is not a complete URL.`)
  }
  const url = new URL(text)
  const { protocol } = url
  if (!policy.protocols.includes(protocol)) {
    throw requestBlocked('protocol', `Requests may only use ${policy.protocols.join(' ')}, not ${protocol}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw requestBlocked('credentials', 'The URL contains a user name or password; configure a sign-in instead.')
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

const ASK_OPERATOR = 'The operator can add it to the list of allowed hosts.'

/** `found` is the resolved address, if the host is a name. */
export function addressRefused(host: string, kind: string, found?: string): Error {
  const target = found === undefined ? host : `${host} (${found})`
  return requestBlocked('address', `${target} is not an address of the public internet (${kind}). ${ASK_OPERATOR}`)
}
