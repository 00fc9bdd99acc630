import { stripVTControlCharacters } from 'node:util'
import { abortError, TuttiError, type ErrorCode } from '../domain/errors.ts'
import { truncate } from '../shared/json.ts'
import { onOneLine } from '../domain/prompt-text.ts'
import { redact } from '../domain/secrets.ts'

export interface Attempt {
  readonly server: string
  /** The operation, worded for a sentence. */
  readonly what: string
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** Last output of the server program on stderr. */
  readonly lastWords: string
  /** Masked as `***` in messages of the server. */
  readonly secrets: readonly string[]
  /** Whether the time is up or the connection has ended. Errors of the SDK are then not messages of the server. */
  readonly isOver: boolean
  /** Whether the server received a call that may change something. */
  readonly isAtWork?: boolean
}

/** Codes of JSON-RPC and of the SDK (`ErrorCode` of its types). */
const CONNECTION_CLOSED = -32_000
const REQUEST_TIMEOUT = -32_001
/** The SDK's message if a request was not sent because there is no connection. */
export const NOT_CONNECTED = 'Not connected'
const MAX_REPLY_CHARS = 500
const LAST_WORDS = ' Its last words: '
const NO_MCP = 'it does not speak MCP'

/** Converts an error while connecting. The operator must fix most of them. */
export function openError(error: unknown, attempt: Attempt): TuttiError {
  if (TuttiError.isInstance(error)) return error
  const { code, message } = describe(error)
  const failed = (kind: ErrorCode, reason: string, retryable = false): TuttiError =>
    new TuttiError(kind, redact(`Cannot connect to MCP server "${attempt.server}": ${reason}`, attempt.secrets), {
      retryable,
      cause: error,
    })
  const reply = replyOf(error, attempt)
  if (reply !== undefined) return failed('ConfigurationError', `it answers ${reply}`)
  if (code === 'ENOENT') return failed('ConfigurationError', 'its command is not found.')
  if (code === 'EACCES') return failed('ConfigurationError', 'its command may not be run.')
  if (code === CONNECTION_CLOSED || message === NOT_CONNECTED) {
    return failed('ConfigurationError', `the program ended before it answered.${lastWords(attempt)}`)
  }
  if (code === REQUEST_TIMEOUT) return callError(error, attempt, lastWords(attempt))
  if (code === 404 || code === 405)
    return failed('ConfigurationError', `there is no MCP endpoint at its URL (HTTP ${code}).`)
  if (isHttpStatus(code) || isNetworkFailure(error)) return callError(error, attempt)
  return attempt.signal?.aborted === true
    ? callError(error, attempt)
    : failed('ConfigurationError', `${NO_MCP}: ${message}`)
}

/**
 * Converts an error of a call: `EffectUnknown` if the call may have changed something.
 * @param more added to the message of a timeout
 */
export function callError(error: unknown, attempt: Attempt, more = ''): TuttiError {
  if (TuttiError.isInstance(error)) return error
  const { server, what, signal, timeoutMs } = attempt
  const { code, message } = describe(error)
  if (signal?.aborted === true) return abortError(signal, `The call of ${what} on MCP server "${server}"`)
  const describeError = (reason: string): string =>
    redact(`MCP server "${server}", ${what}: ${reason}`, attempt.secrets)
  const failed = (reason: string, retryable = false): TuttiError =>
    new TuttiError('ToolError', describeError(reason), { retryable, cause: error })
  const cutOff = (reason: string, retryable = true): TuttiError =>
    attempt.isAtWork === true
      ? new TuttiError('EffectUnknown', describeError(`${reason}${IN_DOUBT}`), { cause: error })
      : failed(reason, retryable)
  const reply = replyOf(error, attempt)
  if (reply !== undefined) return failed(`it answers ${reply}`)
  if (code === REQUEST_TIMEOUT) return cutOff(`no answer within ${timeoutMs / 1000} s.${more}`)
  if (code === CONNECTION_CLOSED) return cutOff(`the connection broke.${lastWords(attempt)}`)
  if (message === NOT_CONNECTED) return failed(`the connection broke.${lastWords(attempt)}`, true)
  if (code === 401 || code === 403) {
    const message = `MCP server "${server}" refuses access (HTTP ${code}); check the headers it is called with, or sign in with "tutti mcp login ${server}".`
    return new TuttiError('ConfigurationError', message, { cause: error })
  }
  if (isSessionLost(error)) return cutOff('the server no longer knows our session.')
  if (isRenewed(error)) return cutOff('the sign-in was renewed in the middle of it.')
  if (isHttpStatus(code) && code >= 500) return cutOff(`HTTP status ${code}.`)
  if (isHttpStatus(code)) return failed(`HTTP status ${code}.`, code === 429)
  if (isNetworkFailure(error)) return cutOff(`it cannot be reached (${networkReason(error)}).`)
  // The server has responded, but the response is not valid.
  return cutOff(isSchemaError(error) ? 'its answer does not match the MCP schema.' : sentence(message), false)
}

const IN_DOUBT = ' The call may have taken place: check its effect before you repeat it.'

/** An error message of a server, made safe to show: one line without control characters, of limited length. */
export function serverMessage(text: string): string {
  const plain = stripVTControlCharacters(text.slice(0, MAX_REPLY_CHARS * 4)).replaceAll(/(?!\s)\p{Cc}/gu, ' ')
  return truncate(onOneLine(plain), MAX_REPLY_CHARS)
}

/** The error that the server returned, quoted; undefined for errors of the connection. */
function replyOf(error: unknown, { isOver }: Attempt): string | undefined {
  if (isOver || !isProtocolError(error)) return undefined
  const { code, message } = describe(error)
  const words = serverMessage(message.replace(`MCP error ${String(code)}: `, ''))
  return `with the error ${JSON.stringify(words)} (code ${String(code)} of its own).`
}

/** Whether the SDK itself raised the error while connecting, rather than the server. */
export function isSdkError(error: unknown): boolean {
  return /^MCP error -3200[01]: (?:Connection closed|Request timed out)$/.test(describe(error).message)
}

/**
 * A JSON-RPC error: returned by the server, or raised by the SDK for an ended connection or a timeout. Its code is no
 * HTTP status.
 */
export function isProtocolError(error: unknown): boolean {
  return error instanceof Error && error.name === 'McpError'
}

/**
 * Whether the HTTP response says that the session is unknown, for example after a restart of the server. The
 * specification requires 404; many servers follow the SDK's examples and answer 400 with a text.
 */
export function isSessionLost(error: unknown): boolean {
  if (isProtocolError(error)) return false
  const { code, message } = describe(error)
  return code === 404 || (code === 400 && /session/i.test(message))
}

/** Whether the SDK has signed in again without repeating the call. */
export function isRenewed(error: unknown): boolean {
  return error instanceof SignInRenewed
}

/** Thrown instead of sending a call twice. */
export class SignInRenewed extends Error {}

/** Thrown instead of a call if the server's tools may have changed since the tool was chosen. */
export class OfferChanged extends Error {}

/** Whether the SDK has opened the sign-in page and needs the resulting code to continue. */
export function isSignInWanted(error: unknown): boolean {
  return error instanceof Error && error.constructor.name.startsWith('UnauthorizedError')
}

function describe(error: unknown): { code: unknown; message: string } {
  if (!(error instanceof Error)) return { code: undefined, message: String(error) }
  return { code: 'code' in error ? error.code : undefined, message: error.message }
}

/** Whether the response does not match the MCP schema. */
function isSchemaError(error: unknown): boolean {
  return error instanceof Error && 'issues' in error
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function isHttpStatus(code: unknown): code is number {
  return typeof code === 'number' && code >= 400 && code < 600
}

/**
 * `fetch` reports network errors as a TypeError with the real error as its cause. A broken pipe to a program has a
 * code.
 */
function isNetworkFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (error instanceof TypeError && error.cause !== undefined) || ('code' in error && error.code === 'EPIPE')
}

function networkReason(error: unknown): string {
  const { cause } = error as Error
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return cause instanceof Error ? cause.message : (error as Error).message
}

function lastWords(attempt: Attempt): string {
  const line = attempt.lastWords.trim().split('\n').at(-1)?.trim()
  return line === undefined || line === '' ? '' : `${LAST_WORDS}${serverMessage(line)}`
}

/**
 * Removes the server's text from a message: for prompts, and wherever the text would not be recognised as untrusted.
 */
export function redactServerMessage(message: string): string {
  const [own] = message.split(LAST_WORDS, 1)
  return own!
    .replace(/(?<=: it answers )with the error ".*"(?= \(code )/s, 'with an error')
    .replace(new RegExp(`(?<=: ${NO_MCP}): .*`, 's'), '.')
}
