/** RFC 9457 problem details. */
interface Problem {
  readonly detail?: string
  readonly code?: string
}

/** An error response. `code` as in docs/errors.md; `message` is one sentence that says what to do. */
export class ApiError extends Error {
  readonly code: string
  readonly status: number

  constructor(status: number, { code = 'Internal', detail = `The server answered ${status}.` }: Problem) {
    super(detail)
    this.name = 'ApiError'
    this.status = status
    this.code = code
  }
}

/** A page of a list; pass `nextCursor` to get the next one. */
export interface Items<T> {
  readonly items: readonly T[]
  readonly nextCursor?: string
}

/** Server and credentials. */
export interface Connection {
  /** Address of the server; absent in a page that the server itself serves. */
  readonly url?: string
  /** API key; absent in a browser with a session. */
  readonly key?: string
}

export interface Sent {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/**
 * Sends a request.
 * @param path with its query
 * @throws ApiError for an error response; `TypeError`, as `fetch` does, if the server cannot be reached, with its
 * address
 */
export async function sendRequest(
  { url = '', key }: Connection,
  method: string,
  path: string,
  { body, headers = {}, signal }: Sent = {},
): Promise<Response> {
  const isFile = body instanceof FormData || body instanceof Blob
  const response = await reached(url, path, {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined || isFile ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
    // Complete the request even if the user leaves the page.
    ...(method === 'DELETE' ? { keepalive: true } : {}),
  })
  return assertOk(response)
}

/** @throws ApiError for an error response */
export async function assertOk(response: Response): Promise<Response> {
  if (response.ok) return response
  const isProblem = /json/.test(response.headers.get('content-type') ?? '')
  throw new ApiError(response.status, isProblem ? ((await response.json().catch(() => ({}))) as Problem) : {})
}

/** `fetch` with the address of the server in the message of network errors. */
async function reached(url: string, path: string, request: RequestInit): Promise<Response> {
  const base = url.replace(/\/$/, '')
  return fetch(base + path, request).catch((thrown: unknown) => {
    if (!(thrown instanceof TypeError)) throw thrown
    const { code, message = '' } = (thrown.cause ?? {}) as { readonly code?: string; readonly message?: string }
    const why = code ?? (message || thrown.message)
    const where = base === '' ? 'The server' : `The server at ${base}`
    throw new TypeError(`${where} cannot be reached (${why}). Is it running, and is this its address?`, {
      cause: thrown,
    })
  })
}

/** The body of a response: JSON, text, or nothing. */
export async function readResponseBody(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  return /json/.test(response.headers.get('content-type') ?? '') ? response.json() : response.text()
}

const ask = async <T>(method: string, path: string, sent: Sent): Promise<T> =>
  (await readResponseBody(await sendRequest({}, method, path, sent))) as T

/** API of the server that serves this page. */
export const api = {
  get: <T>(path: string, signal?: AbortSignal) => ask<T>('GET', path, signal === undefined ? {} : { signal }),
  post: <T>(path: string, body: unknown = {}, signal?: AbortSignal) =>
    ask<T>('POST', path, { body, ...(signal === undefined ? {} : { signal }) }),
  put: <T>(path: string, body: unknown) => ask<T>('PUT', path, { body }),
  patch: <T>(path: string, body: unknown) => ask<T>('PATCH', path, { body }),
  delete: <T>(path: string, body?: unknown) => ask<T>('DELETE', path, body === undefined ? {} : { body }),
}
