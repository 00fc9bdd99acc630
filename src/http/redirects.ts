import { checkUrl, requestLine } from './check-url.ts'
import { refused } from './errors.ts'
import { withoutSecrets } from './headers.ts'
import type { HttpPolicy } from './policy.ts'

/** One hop of an exchange. */
export interface PlainRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/**
 * The request that a redirect asks for, checked like the first one (Fetch standard, "HTTP-redirect fetch"). Unlike
 * there, a request that changes something is never sent again to another origin: nobody agreed to that.
 * @throws TuttiError `HttpRequestError` with `details.rule`
 */
export function nextRequest(from: PlainRequest, status: number, location: string, policy: HttpPolicy): PlainRequest {
  if (!URL.canParse(location, from.url.href))
    throw refused('url', 'The server redirects to something that is not a URL.')
  const url = checkUrl(new URL(location, from.url.href).href, policy)
  url.hash = ''
  if (from.url.protocol === 'https:' && url.protocol === 'http:') {
    throw refused('redirect-downgrade', `${requestLine('GET', from.url)} redirects from https to http.`)
  }
  const sameOrigin = url.origin === from.url.origin
  const headers = sameOrigin ? from.headers : withoutSecrets(from.headers)
  const isRead = from.method === 'GET' || from.method === 'HEAD'
  if (!isRead && (status === 303 || (from.method === 'POST' && (status === 301 || status === 302)))) {
    return { method: 'GET', url, headers: withoutContentHeaders(headers) }
  }
  // What was sent to one place is not sent on to another.
  if (!sameOrigin && (!isRead || from.body !== undefined)) {
    throw refused('redirect-resend', `${requestLine(from.method, from.url)} asks to be sent again to ${url.origin}.`)
  }
  const { method, body } = from
  return { method, url, headers, ...(body === undefined ? {} : { body }) }
}

function withoutContentHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')))
}
