import { wordSet } from '../shared/word-set.ts'
import { errorText } from '../domain/error-text.ts'
import { TuttiError } from '../domain/errors.ts'
import type { ProviderConfig } from './config.ts'
import { retryAfterMs } from '../shared/retry-after.ts'
import type { Quirk } from './wire/quirks.ts'

/** Why a request failed, and how to continue. */
export interface Failure {
  /** The error, beginning with the provider's name. */
  readonly reason: string
  /**
   * `retry`: the same request, later. `reask`: with the fault pointed out. `longer`: with a higher output limit.
   * `leave-out`: without the feature that the server refused.
   */
  readonly next: 'retry' | 'reask' | 'longer' | 'leave-out' | 'give-up'
  /** With `leave-out`. */
  readonly refused?: Quirk
  /** It took all the time that it was given. */
  readonly isHang?: boolean
  readonly retryAfterMs?: number
  /** False when no byte reached the provider. */
  readonly isReached: boolean
  /** True when the provider turned the request down before working on it, so that it cost nothing. */
  readonly isFree: boolean
}

/** The fields of AI SDK's `APICallError` and `StreamProviderError` that are read here. */
interface CallError {
  readonly message: string
  readonly statusCode?: number
  readonly responseHeaders?: Record<string, string>
  readonly data?: unknown
  readonly cause?: unknown
}

const NEVER_CONNECTED = wordSet('ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH UND_ERR_CONNECT_TIMEOUT')

/** From OpenSSL's verification and Node's check of the name; the next attempt would see the same. */
const BAD_CERTIFICATE = /CERT|^HOSTNAME_MISMATCH$|^UNABLE_TO_(GET|VERIFY|DECRYPT|DECODE)_|^INVALID_(CA|PURPOSE)$/

/** Errors of the SDK before a request is sent; a retry cannot help. */
const REFUSED_BY_SDK =
  /^AI_(InvalidPrompt|InvalidArgument|UnsupportedFunctionality|UnsupportedModelVersion|NoSuchModel|Load\w+)Error$/

/** Converts an error that the SDK threw, or put into a stream, into a failure with a clean one-line reason. */
export function classifyFailure(error: unknown, provider: ProviderConfig, model: string, nowMs: number): Failure {
  const call = callError(error)
  const errorMessage = errorText(call.message, provider.apiKey)
  const { name } = provider
  const status = call.statusCode
  if (error instanceof Error && REFUSED_BY_SDK.test(error.name)) {
    return {
      reason: `${name} cannot be asked: ${errorMessage}`,
      next: 'give-up',
      isReached: false,
      isFree: true,
    }
  }
  const own = ownError(error)
  if (own?.retryable === false) {
    return { reason: `${name} ${own.message}`, next: 'give-up', isReached: true, isFree: false }
  }
  if (status === undefined || (status >= 200 && status < 300)) return brokenAnswer(call, provider, errorMessage)

  const refused = (what: string): Failure => ({
    reason: `${name} ${what} (${status}): ${errorMessage}`,
    next: 'give-up',
    isReached: true,
    isFree: true,
  })
  if (status === 401) return refused(`refused the key of ${provider.source}`)
  if (status === 403) return refused(`does not allow this to the key of ${provider.source}`)
  if (status === 402 || codeOf(call) === 'insufficient_quota') return refused('has no credit left for this account')
  if (status === 404) return refused(`does not know "${model}", or its address is wrong`)
  if (status >= 300 && status < 400) return refused('redirects elsewhere, which is not followed; check the address')
  const wait = retryAfterMs(call.responseHeaders, nowMs)
  const later = {
    next: 'retry',
    isReached: true,
    isFree: true,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  } as const
  if (status === 429) return { ...later, reason: `${name} asks to slow down (429): ${errorMessage}` }
  if (status >= 500 || status === 408 || status === 409 || status === 425) {
    return { ...later, reason: `${name} is in trouble (${status}): ${errorMessage}` }
  }
  return refused('refused the request')
}

/** Not an HTTP error, but no usable answer either: the network, a cut or silent stream, a body that is not the API's. */
function brokenAnswer(call: CallError, provider: ProviderConfig, errorMessage: string): Failure {
  const code = networkCode(call)
  if (code !== undefined && BAD_CERTIFICATE.test(code)) {
    const reason = `${provider.name} has a certificate that is not trusted (${code}); check the address, or name your own authority in NODE_EXTRA_CA_CERTS`
    return { reason, next: 'give-up', isReached: false, isFree: true }
  }
  const isReached = code === undefined || !NEVER_CONNECTED.has(code)
  const fault = `${provider.name} ${isReached ? 'gave no complete answer' : `cannot be reached (${code})`}`
  const reason = isReached
    ? `${fault}: ${errorMessage}${code === undefined || errorMessage.includes(code) ? '' : ` (${code})`}`
    : fault
  return { reason, next: 'retry', isReached, isFree: !isReached }
}

/** From our own check of the answer, a few causes down. */
function ownError(error: unknown): TuttiError | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; depth++, cause = cause.cause) {
    if (TuttiError.isInstance(cause)) return cause
  }
  return undefined
}

function callError(error: unknown): CallError {
  if (error instanceof Error) return error
  // openai-compatible puts the provider's own error object into the stream.
  if (typeof error === 'object' && error !== null) {
    const { message, code } = error as { message?: unknown; code?: unknown }
    const statusCode = typeof code === 'number' && code >= 400 ? { statusCode: code } : {}
    return { message: typeof message === 'string' ? message : JSON.stringify(error), data: { error }, ...statusCode }
  }
  return { message: String(error) }
}

function codeOf(call: CallError): unknown {
  return (call.data as { error?: { code?: unknown } } | undefined)?.error?.code
}

/** The system's error code, a few causes down. */
function networkCode(error: unknown): string | undefined {
  for (let cause = error, depth = 0; typeof cause === 'object' && cause !== null && depth < 5; depth++) {
    const { code, errors } = cause as { code?: unknown; errors?: unknown[] }
    if (typeof code === 'string' && (/^(E[A-Z]+|UND_ERR_\w+)$/.test(code) || BAD_CERTIFICATE.test(code))) return code
    // Node tries IPv6 and IPv4 and reports both.
    cause = errors?.[0] ?? (cause as { cause?: unknown }).cause
  }
  return undefined
}
