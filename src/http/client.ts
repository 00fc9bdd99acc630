import type { Dispatcher } from 'undici'
import { systemClock, untilAborted, type Clock } from '../shared/clock.ts'
import { readBody } from './body.ts'
import { checkUrl, normalizeHost, portOf, requestLine } from './check-url.ts'
import { checkBeforeProxy, systemLookup, type Lookup } from './connect.ts'
import { createDispatcher } from './dispatcher.ts'
import { networkError, requestBlocked, timeoutError } from './errors.ts'
import { incomingHeaders, outgoingHeaders, removeSecretHeaders } from './headers.ts'
import { createPolicy, withoutAllowList, type HttpPolicy, type HttpPolicyOptions } from './policy.ts'

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export interface HttpRequest {
  /** Default `GET`. */
  readonly method?: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
  /** For the whole exchange including redirects; default: that of the client. */
  readonly timeoutMs?: number
  /** Of the decompressed body; default 5 MB. A longer body is cut, see `truncated`. */
  readonly maxBytes?: number
  /** If false, a redirect is returned as a response. */
  readonly followsRedirects?: boolean
}

export interface HttpResponse {
  /** Any status; 400 and above do not throw. */
  readonly status: number
  /** Final URL after redirects. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Whether the body was longer than `maxBytes`. */
  readonly truncated: boolean
  readonly elapsedMs: number
}

/** The HTTP client of all agents. There is no other way to the network. */
export interface HttpClient {
  /** @throws TuttiError `HttpRequestError`: blocked by the policy (`details.rule`), or a network error */
  request(request: HttpRequest): Promise<HttpResponse>
  /** Checks a request without using the network. @throws TuttiError `HttpRequestError`, as `request` would */
  check(request: HttpRequest): void
  close(): Promise<void>
}

export interface HttpClientDeps {
  readonly lookup?: Lookup
  readonly clock?: Clock
  /** Default timeout of a request; 30 s if absent. */
  readonly timeoutMs?: number | undefined
}

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_MAX_BYTES = 5_000_000
const MAX_REDIRECTS = 5

/**
 * Creates a client with the operator's policy. Nothing is loaded or connected before the first request.
 * @throws TuttiError `ConfigurationError` if the allow-list is not valid
 */
export function createHttpClient(options: HttpPolicyOptions = {}, deps: HttpClientDeps = {}): HttpClient {
  const { lookup = systemLookup, clock = systemClock, timeoutMs: usualTimeoutMs = DEFAULT_TIMEOUT_MS } = deps
  const { proxy } = options
  const doors = createDoors(createPolicy(options), (policy) => createDispatcher(policy, lookup, proxy))

  async function send(
    request: PlainRequest,
    policy: HttpPolicy,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { url, method, headers, body } = request
    if (proxy !== undefined) await checkBeforeProxy(url, policy, lookup)
    const dispatcher = await doors.open(policy)
    return dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: method as Dispatcher.HttpMethod,
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
    })
  }

  async function exchange(
    given: HttpRequest,
    first: PlainRequest,
    signal: AbortSignal,
  ): Promise<Omit<HttpResponse, 'elapsedMs'>> {
    let request = first
    let policy = doors.policy
    for (let hops = 0; ; hops++) {
      const response = await send(request, policy, signal)
      const headers = incomingHeaders(response.headers)
      const location = headers['location']
      if (given.followsRedirects === false || !isRedirect(response.statusCode) || location === undefined) {
        const { bytes, truncated } = await readBody(
          response.body,
          headers['content-encoding'],
          given.maxBytes ?? DEFAULT_MAX_BYTES,
        )
        return { status: response.statusCode, url: request.url.href, headers, body: bytes, truncated }
      }
      response.body.on('error', () => undefined).destroy()
      if (hops >= MAX_REDIRECTS)
        throw requestBlocked('redirect-limit', `More than ${MAX_REDIRECTS} redirects in a row.`)
      if (!mayLeadInside(request.url, location, policy)) policy = doors.strictPolicy
      request = nextRequest(request, response.statusCode, location, policy)
    }
  }

  return {
    async request(given) {
      const startedAt = clock.now()
      const first = firstRequest(given, doors.policy)
      const requestText = requestLine(first.method, first.url)
      const timeoutMs = given.timeoutMs ?? usualTimeoutMs
      const limit = new AbortController()
      const cancelTimer = clock.timer(timeoutMs, () => limit.abort(timeoutError(requestText, timeoutMs)))
      const signal = given.signal === undefined ? limit.signal : AbortSignal.any([limit.signal, given.signal])
      try {
        // undici notices an abort only after it has connected, which may never happen.
        const response = await untilAborted(exchange(given, first, signal), signal)
        return { ...response, elapsedMs: clock.now() - startedAt }
      } catch (thrown) {
        if (limit.signal.aborted) throw limit.signal.reason
        given.signal?.throwIfAborted()
        throw networkError(thrown, requestText)
      } finally {
        cancelTimer()
      }
    },
    check: (given) => void firstRequest(given, doors.policy),
    close: () => doors.close(),
  }
}

function firstRequest({ method = 'GET', url, headers = {}, body }: HttpRequest, policy: HttpPolicy): PlainRequest {
  const upper = method.toUpperCase()
  if (!(METHODS as readonly string[]).includes(upper)) {
    throw requestBlocked('method', `"${method.slice(0, 20)}" is not one of ${METHODS.join(', ')}.`)
  }
  return {
    method: upper,
    url: checkUrl(url, policy),
    headers: outgoingHeaders(headers),
    ...(body === undefined ? {} : { body }),
  }
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status)
}

/** Only internal hosts may redirect to internal hosts; otherwise any server could reach them through this client. */
function mayLeadInside(from: URL, location: string, policy: HttpPolicy): boolean {
  if (policy.isListed(normalizeHost(from), portOf(from))) return true
  return URL.canParse(location, from.href) && new URL(location, from.href).origin === from.origin
}

/** Two connection pools: with the allow-list, and without it for redirects from public hosts. */
function createDoors(policy: HttpPolicy, create: (policy: HttpPolicy) => Promise<Dispatcher>) {
  const strictPolicy = withoutAllowList(policy)
  const opened = new Map<HttpPolicy, Promise<Dispatcher>>()
  return {
    policy,
    strictPolicy,
    open(which: HttpPolicy): Promise<Dispatcher> {
      let dispatcher = opened.get(which)
      if (dispatcher === undefined) opened.set(which, (dispatcher = create(which)))
      return dispatcher
    },
    async close(): Promise<void> {
      // Not awaited: connections being established end within their timeout.
      for (const dispatcher of await Promise.all(opened.values())) void dispatcher.destroy()
      opened.clear()
    },
  }
}

/** One hop of an exchange. */
interface PlainRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/**
 * The request for a redirect, checked like the first one (Fetch standard, "HTTP-redirect fetch"). Unlike there, a
 * request that may change something is never sent again to another origin: the user did not approve that.
 * @throws TuttiError `HttpRequestError` with `details.rule`
 */
function nextRequest(from: PlainRequest, status: number, location: string, policy: HttpPolicy): PlainRequest {
  if (!URL.canParse(location, from.url.href))
    throw requestBlocked('url', 'The server redirects to something that is not a URL.')
  const url = checkUrl(new URL(location, from.url.href).href, policy)
  url.hash = ''
  if (from.url.protocol === 'https:' && url.protocol === 'http:') {
    throw requestBlocked('redirect-downgrade', `${requestLine('GET', from.url)} redirects from https to http.`)
  }
  const sameOrigin = url.origin === from.url.origin
  const headers = sameOrigin ? from.headers : removeSecretHeaders(from.headers)
  const isRead = from.method === 'GET' || from.method === 'HEAD'
  if (!isRead && (status === 303 || (from.method === 'POST' && (status === 301 || status === 302)))) {
    return { method: 'GET', url, headers: withoutContentHeaders(headers) }
  }
  // A body is never sent again to another origin.
  if (!sameOrigin && (!isRead || from.body !== undefined)) {
    throw requestBlocked(
      'redirect-resend',
      `${requestLine(from.method, from.url)} asks to be sent again to ${url.origin}.`,
    )
  }
  const { method, body } = from
  return { method, url, headers, ...(body === undefined ? {} : { body }) }
}

function withoutContentHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')))
}
