import { tryParseJson } from '../shared/json.ts'
import type { z } from 'zod'
import { errorText } from '../domain/error-text.ts'
import { TuttiError } from '../domain/errors.ts'
import type { HttpClient, HttpRequest, HttpResponse } from '../http/client.ts'
import { bodyText } from '../http/body.ts'

export interface ProviderCall<T> {
  readonly http: HttpClient
  readonly request: HttpRequest
  /** What people call the service. */
  readonly service: string
  readonly reply: z.ZodType<T>
  /** What to do about a refusal (401, 403). */
  readonly whenRefused: string
  /** What to check when the answer is not what the service should give. */
  readonly whenStrange: string
  /** Never shown, whatever the service returns. */
  readonly secret?: string
}

const TIMEOUT_MS = 30_000
const MAX_BYTES = 8_000_000

/**
 * Calls a search service and reads its JSON.
 * @throws TuttiError `ConfigurationError` when it does not accept the settings; `HttpError` for any other status and for
 * an answer that is not such JSON; `HttpRequestError` for network trouble
 */
export async function callProvider<T>(call: ProviderCall<T>): Promise<T> {
  const response = await call.http.request({ timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, ...call.request })
  if (response.status < 200 || response.status > 299) throw statusError(call, response)
  const parsed = call.reply.safeParse(tryParseJson(bodyText(response)))
  if (parsed.success) return parsed.data
  const responseKind = /^\s*</.test(bodyText(response)) ? 'a web page' : 'something else'
  throw new TuttiError(
    'HttpError',
    `${describeTarget(call)} answered with ${responseKind} in place of search results. ${call.whenStrange}`,
  )
}

function statusError<T>(call: ProviderCall<T>, response: HttpResponse): TuttiError {
  const { status, headers } = response
  const target = describeTarget(call)
  if (status === 401 || status === 403) {
    return new TuttiError('ConfigurationError', `${target} refused the search (${status}). ${call.whenRefused}`)
  }
  const retryAfter = headers['retry-after']
  const details = { status, ...(retryAfter === undefined ? {} : { retryAfter }) }
  if (status === 429) {
    const when =
      retryAfter !== undefined && /^\d+$/.test(retryAfter) ? ` Try again in ${retryAfter} s.` : ' Try again later.'
    return new TuttiError('HttpError', `${target} has had too many searches (429).${when}`, {
      retryable: true,
      details,
    })
  }
  const reason = reasonIn(call, response)
  const message = `${target} could not search (${status})${reason === '' ? '' : `: ${reason}`}.`
  return new TuttiError('HttpError', message, { retryable: status >= 500 || status === 408, details })
}

function describeTarget<T>({ service, request }: ProviderCall<T>): string {
  return `${service} at ${new URL(request.url).host}`
}

/** The service's own words, from the usual fields, shortened and without the key. */
function reasonIn<T>({ secret }: ProviderCall<T>, response: HttpResponse): string {
  const find = (node: unknown, depth: number): string => {
    if (typeof node === 'string') return node
    if (typeof node !== 'object' || node === null || depth > 3) return ''
    const fields = node as Readonly<Record<string, unknown>>
    const found = ['detail', 'error', 'message'].map((name) => find(fields[name], depth + 1))
    return found.find((text) => text !== '') ?? ''
  }
  return errorText(find(tryParseJson(bodyText(response)), 0), secret)
}
