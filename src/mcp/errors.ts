import { stripVTControlCharacters } from 'node:util'
import { abortError, TuttiError, type ErrorCode } from '../domain/errors.ts'
import { truncate } from '../shared/safe-json.ts'
import { onOneLine } from '../domain/prompt-text.ts'
import { redact } from '../domain/secrets.ts'

export interface Attempt {
  readonly server: string
  /** What was asked of it, worded for a sentence. */
  readonly what: string
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** The last that a server program wrote for people. */
  readonly lastWords: string
  /** `***` in what the server says. */
  readonly secrets: readonly string[]
  /** Its time is up, or the connection has ended: what the SDK throws then are no words of the server's. */
  readonly isOver: boolean
  /** The server was told to do something that may change something. */
  readonly isAtWork?: boolean
}

/** Codes of JSON-RPC and of the SDK (`ErrorCode` of its types). */
const CONNECTION_CLOSED = -32_000
const REQUEST_TIMEOUT = -32_001
/** As the SDK says of what was not sent, since there is nobody to read it. */
export const NOT_CONNECTED = 'Not connected'
const LONGEST_REPLY = 500
const LAST_WORDS = ' Its last words: '
const NO_MCP = 'it does not speak MCP'

/** A failure while connecting: mostly something the operator has to put right. */
export function openError(error: unknown, attempt: Attempt): TuttiError {
  if (TuttiError.isInstance(error)) return error
  const { code, message } = describe(error)
  const failed = (kind: ErrorCode, reason: string, retryable = false): TuttiError =>
    new TuttiError(kind, shown(`Cannot connect to MCP server "${attempt.server}": ${reason}`, attempt), {
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
  if (isHttpStatus(code) || isNetworkTrouble(error)) return callError(error, attempt)
  return attempt.signal?.aborted === true
    ? callError(error, attempt)
    : failed('ConfigurationError', `${NO_MCP}: ${message}`)
}

/**
 * A failure of a call: `EffectUnknown` where nobody can tell whether something was changed.
 * @param more what is said behind a time limit
 */
export function callError(error: unknown, attempt: Attempt, more = ''): TuttiError {
  if (TuttiError.isInstance(error)) return error
  const { server, what, signal, timeoutMs } = attempt
  const { code, message } = describe(error)
  if (signal?.aborted === true) return abortError(signal, `The call of ${what} on MCP server "${server}"`)
  const said = (reason: string): string => shown(`MCP server "${server}", ${what}: ${reason}`, attempt)
  const failed = (reason: string, retryable = false): TuttiError =>
    new TuttiError('ToolError', said(reason), { retryable, cause: error })
  const cutOff = (reason: string, retryable = true): TuttiError =>
    attempt.isAtWork === true
      ? new TuttiError('EffectUnknown', said(`${reason}${IN_DOUBT}`), { cause: error })
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
  if (isNetworkTrouble(error)) return cutOff(`it cannot be reached (${networkReason(error)}).`)
  // It has answered, and nobody could read what.
  return cutOff(isOfForm(error) ? 'its answer is not of the form that MCP says.' : sentence(message), false)
}

const IN_DOUBT = ' The call may have taken place: look there before you ask for it again.'

/** What a server says of an error, as people may be shown it: one line without control characters, and not endless. */
export function serverMessage(text: string): string {
  const plain = stripVTControlCharacters(text.slice(0, LONGEST_REPLY * 4)).replaceAll(/(?!\s)\p{Cc}/gu, ' ')
  return truncate(onOneLine(plain), LONGEST_REPLY)
}

/** What the server itself answered, in quotation marks; undefined for an error of the connection. */
function replyOf(error: unknown, { isOver }: Attempt): string | undefined {
  if (isOver || !isProtocolError(error)) return undefined
  const { code, message } = describe(error)
  const words = serverMessage(message.replace(`MCP error ${String(code)}: `, ''))
  return `with the error ${JSON.stringify(words)} (code ${String(code)} of its own).`
}

/** Thrown while connecting by the SDK itself, and not by what the server answers. */
export function isSdkError(error: unknown): boolean {
  return /^MCP error -3200[01]: (?:Connection closed|Request timed out)$/.test(describe(error).message)
}

/** JSON-RPC's: a reply of the server, or made by the SDK of a connection or a time that ended. Its code is no HTTP status. */
export function isProtocolError(error: unknown): boolean {
  return error instanceof Error && error.name === 'McpError'
}

/**
 * The server says by HTTP that it has forgotten our session, after a restart for example. The specification asks
 * for 404; many servers, made after the SDK's examples, answer 400 and a text.
 */
export function isSessionLost(error: unknown): boolean {
  if (isProtocolError(error)) return false
  const { code, message } = describe(error)
  return code === 404 || (code === 400 && /session/i.test(message))
}

/** The SDK has signed in anew, and has not sent the call again. */
export function isRenewed(error: unknown): boolean {
  return error instanceof SignInRenewed
}

/** In the place of the second sending of a call. */
export class SignInRenewed extends Error {}

/** In the place of a call that was chosen from an offer which may be another one by now. */
export class OfferChanged extends Error {}

/** The SDK has shown somebody where to sign in, and cannot continue without the code that comes back. */
export function isSignInWanted(error: unknown): boolean {
  return error instanceof Error && error.constructor.name.startsWith('UnauthorizedError')
}

function describe(error: unknown): { code: unknown; message: string } {
  if (!(error instanceof Error)) return { code: undefined, message: String(error) }
  return { code: 'code' in error ? error.code : undefined, message: error.message }
}

/** The SDK has held an answer against the schema of MCP. */
function isOfForm(error: unknown): boolean {
  return error instanceof Error && 'issues' in error
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function shown(message: string, { secrets }: Attempt): string {
  return redact(message, secrets)
}

function isHttpStatus(code: unknown): code is number {
  return typeof code === 'number' && code >= 400 && code < 600
}

/** `fetch` reports network trouble as a TypeError caused by the real error; a broken pipe to a program has a code. */
function isNetworkTrouble(error: unknown): boolean {
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

/** What an error says without what the server said: for prompts, and for whatever nobody takes for a stranger's. */
export function redactServerMessage(message: string): string {
  const [own] = message.split(LAST_WORDS, 1)
  return own!
    .replace(/(?<=: it answers )with the error ".*"(?= \(code )/s, 'with an error')
    .replace(new RegExp(`(?<=: ${NO_MCP}): .*`, 's'), '.')
}
