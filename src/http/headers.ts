import { wordSet } from '../shared/word-set.ts'
import { requestBlocked } from './errors.ts'

/** Set by the client itself: with them a caller could talk to another host, or do something else, than was checked. */
const OWN = wordSet(
  'host connection keep-alive transfer-encoding content-length upgrade expect te trailer proxy-authorization proxy-connection accept-encoding x-http-method-override x-http-method x-method-override',
)

/** The only headers that are sent on when a redirect leads to another origin; keys hide in headers of any name. */
const HARMLESS = new Set(['accept', 'accept-language', 'user-agent'])

/**
 * Lower-cases names, adds the client's own headers, and refuses what would change where a request goes.
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

/** The headers for another origin: no authorization, no cookies, no keys of any name. */
export function removeSecretHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => HARMLESS.has(name) || name === 'accept-encoding'),
  )
}

/** Repeated headers joined as RFC 9110 section 5.2 says. */
export function incomingHeaders(
  given: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      return value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]]
    }),
  )
}
