import { TuttiError } from '../domain/errors.ts'

/** The rule that blocked a request. */
export type GuardRule =
  | 'url'
  | 'url-length'
  | 'protocol'
  | 'credentials'
  | 'port'
  | 'address'
  | 'host-name'
  | 'method'
  | 'header'
  | 'redirect-limit'
  | 'redirect-downgrade'
  | 'redirect-resend'
  | 'encoding'
  | 'length'
  | 'decompression'

/** A request or response that the policy blocks. Not retryable. */
export function requestBlocked(rule: GuardRule, message: string): TuttiError {
  return new TuttiError('HttpRequestError', message, { details: { rule } })
}

/** Messages for network errors, and whether they are retryable. */
const TROUBLE: Readonly<Record<string, readonly [string, boolean]>> = {
  ENOTFOUND: ['the host name is unknown; check its spelling', false],
  EAI_AGAIN: ['the name server did not answer', true],
  ECONNREFUSED: ['nothing listens there', true],
  ECONNRESET: ['the server closed the connection', true],
  EPIPE: ['the server closed the connection', true],
  EHOSTUNREACH: ['the host cannot be reached', true],
  ENETUNREACH: ['the network cannot be reached', true],
  ETIMEDOUT: ['the server did not answer', true],
  UND_ERR_CONNECT_TIMEOUT: ['the server did not answer', true],
  UND_ERR_SOCKET: ['the server closed the connection', true],
  UND_ERR_HEADERS_OVERFLOW: ['the headers of the answer are too large', false],
  UND_ERR_INVALID_ARG: ['the request is not well formed', false],
}

/**
 * Converts a network error. Message and details do not contain the query, which may contain a key.
 * @param where the request without its query, such as `GET https://host/path`
 */
export function networkError(thrown: unknown, where: string): TuttiError {
  const own = causesOf(thrown).find(TuttiError.isInstance)
  if (own !== undefined) return own
  const code = causesOf(thrown)
    .map(codeOf)
    .find((found) => found !== undefined)
  const [why, retryable] = meaningOf(code, thrown)
  return new TuttiError('HttpRequestError', `${where} failed: ${why}.`, {
    retryable,
    cause: thrown,
    ...(code === undefined ? {} : { details: { code } }),
  })
}

export function timeoutError(where: string, timeoutMs: number): TuttiError {
  const message = `${where} gave no complete answer within ${timeoutMs / 1000} s.`
  return new TuttiError('HttpRequestError', message, { retryable: true, details: { code: 'TIMEOUT' } })
}

function meaningOf(code: string | undefined, thrown: unknown): readonly [string, boolean] {
  if (code?.startsWith('HPE_') || (thrown as Error).name === 'HTTPParserError') return ['the answer is not HTTP', false]
  if (code === undefined) return ['the connection broke', true]
  const known = TROUBLE[code]
  if (known !== undefined) return known
  if (/CERT|SSL|TLS|SIGNATURE|ALTNAME/.test(code)) {
    return [`its certificate is not accepted (${code}); a private authority goes into NODE_EXTRA_CA_CERTS`, false]
  }
  return [thrown instanceof Error ? `${code}: ${thrown.message.split('\n', 1)[0]}` : code, true]
}

function codeOf(thrown: unknown): string | undefined {
  const code = (thrown as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

/** The error, its causes, and the members of an `AggregateError` (one per address tried). */
function causesOf(thrown: unknown): unknown[] {
  const found: unknown[] = []
  const visit = (error: unknown, depth: number): void => {
    if (error === undefined || error === null || depth > 5) return
    found.push(error)
    const { cause, errors } = error as { cause?: unknown; errors?: unknown }
    visit(cause, depth + 1)
    if (Array.isArray(errors)) for (const inner of errors) visit(inner, depth + 1)
  }
  visit(thrown, 0)
  return found
}
