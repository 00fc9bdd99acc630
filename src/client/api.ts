/** What the server says of an error: RFC 9457 problem details. */
interface Problem {
  readonly detail?: string
  readonly code?: string
}

/** An answer of the server that is none: `code` as in docs/errors.md, `message` one sentence that says what to do. */
export class ApiError extends Error {
  readonly code: string
  readonly status: number

  constructor(status: number, { code = 'Internal', detail = `The server answered ${status}.` }: Problem) {
    super(detail)
    this.status = status
    this.code = code
  }
}

/** A page of a list; `nextCursor` leads to the next one. */
export interface Items<T> {
  readonly items: readonly T[]
  readonly nextCursor?: string
}

export const api = {
  get: <T>(path: string, signal?: AbortSignal) => request<T>('GET', path, undefined, signal),
  post: <T>(path: string, body: unknown = {}) => request<T>('POST', path, body),
  put: <T>(path: string, body: unknown) => request<T>('PUT', path, body),
  patch: <T>(path: string, body: unknown) => request<T>('PATCH', path, body),
  delete: <T>(path: string, body?: unknown) => request<T>('DELETE', path, body),
}

async function request<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const isFile = body instanceof FormData
  const response = await fetch(path, {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined || isFile ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
  if (!response.ok) throw new ApiError(response.status, await problemOf(response))
  if (response.status === 204) return undefined as T
  return (await response.json()) as T
}

async function problemOf(response: Response): Promise<Problem> {
  if (!/json/.test(response.headers.get('content-type') ?? '')) return {}
  return (await response.json().catch(() => ({}))) as Problem
}
