import { wordSet } from '../shared/word-set.ts'
import { requestBlocked } from './errors.ts'

/**
 * Headers that only the client sets. With them a caller could address another host or action than the one that was
 * checked.
 */
const OWN = wordSet(
  'host connection keep-alive transfer-encoding content-length upgrade expect te trailer proxy-authorization proxy-connection accept-encoding x-http-method-override x-http-method x-method-override',
)

/** The only headers sent after a redirect to another origin: any other may contain a key. */
const HARMLESS = new Set(['accept', 'accept-language', 'user-agent'])

/**
 * Lower-cases names, adds the client's own headers, and rejects those that could redirect a request.
 * @throws TuttiError `HttpRequestError` with rule `header`
 */
export function outgoingHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': 'tutti', 'accept-encoding': 'gzip, deflate, br' }
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    if (OWN.has(lower)) throw requestBlocked('header', `The header "${name}" cannot be set by a request.`)
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw requestBlocked('header', `The header "${name.slice(0, 50)}" has characters that HTTP does not allow.`)
    }
    headers[lower] = value
  }
  return headers
}

/** Headers for another origin, without anything that may be a credential. */
export function removeSecretHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => HARMLESS.has(name) || name === 'accept-encoding'),
  )
}

/** Joins repeated headers (RFC 9110, section 5.2). */
export function incomingHeaders(
  given: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      return value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]]
    }),
  )
}
