import { TuttiError, type ErrorCode } from '../core/errors.ts'
import { redact } from '../core/secrets.ts'

export interface Attempt {
  readonly server: string
  /** What was asked of it, worded for a sentence. */
  readonly what: string
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** The last words of a server program. */
  readonly stderr: string
  /** `***` in what the server says. */
  readonly secrets: readonly string[]
}

/** Codes of JSON-RPC and of the SDK (`ErrorCode` of its types). */
const CONNECTION_CLOSED = -32_000
const REQUEST_TIMEOUT = -32_001

/** A failure while connecting: mostly something the operator has to put right. */
export function openError(error: unknown, attempt: Attempt): TuttiError {
  if (TuttiError.isInstance(error)) return error
  const { code, message } = describe(error)
  const failed = (kind: ErrorCode, reason: string, retryable = false): TuttiError =>
    new TuttiError(kind, shown(`Cannot connect to MCP server "${attempt.server}": ${reason}`, attempt), {
      retryable,
      cause: error,
    })
  if (code === 'ENOENT') return failed('ConfigurationError', 'its command is not found.')
  if (code === 'EACCES') return failed('ConfigurationError', 'its command may not be run.')
  if (code === CONNECTION_CLOSED) {
    return failed('ConfigurationError', `the program ended before it answered.${lastWords(attempt.stderr)}`)
  }
  if (code === 404 || code === 405)
    return failed('ConfigurationError', `there is no MCP endpoint at its URL (HTTP ${code}).`)
  if (isHttpStatus(code) || isNetworkTrouble(error) || code === REQUEST_TIMEOUT) return callError(error, attempt)
  return attempt.signal?.aborted === true
    ? callError(error, attempt)
    : failed('ConfigurationError', `it does not speak MCP: ${message}`)
}

/** A failure of a call. */
export function callError(error: unknown, attempt: Attempt): TuttiError {
  if (TuttiError.isInstance(error)) return error
  const { server, what, signal, timeoutMs } = attempt
  const { code, message } = describe(error)
  if (signal?.aborted === true) {
    return TuttiError.isInstance(signal.reason)
      ? signal.reason
      : new TuttiError('Cancelled', `The call of ${what} on MCP server "${server}" was cancelled.`, { cause: error })
  }
  const failed = (reason: string, retryable: boolean): TuttiError =>
    new TuttiError('ToolError', shown(`MCP server "${server}", ${what}: ${reason}`, attempt), {
      retryable,
      cause: error,
    })
  if (code === REQUEST_TIMEOUT) return failed(`no answer within ${timeoutMs / 1000} s.`, true)
  if (code === CONNECTION_CLOSED || message === 'Not connected') {
    return failed(`the connection broke.${lastWords(attempt.stderr)}`, true)
  }
  if (code === 401 || code === 403) {
    const message = `MCP server "${server}" refuses access (HTTP ${code}); check the headers it is called with, or sign in with "tutti mcp login ${server}".`
    return new TuttiError('ConfigurationError', message, { cause: error })
  }
  if (isSessionLost(error)) return failed('the server no longer knows our session.', true)
  if (isHttpStatus(code)) return failed(`HTTP status ${code}.`, code >= 500 || code === 429)
  if (isNetworkTrouble(error)) return failed(`it cannot be reached (${networkReason(error)}).`, true)
  return failed(message.replace(/^MCP error -?\d+: /, ''), false)
}

/**
 * The server has forgotten our session, after a restart for example, and did not run the call. The specification asks
 * for 404; many servers, made after the SDK's examples, answer 400 and a text.
 */
export function isSessionLost(error: unknown): boolean {
  const { code, message } = describe(error)
  return code === 404 || (code === 400 && /session/i.test(message))
}

/** The SDK has shown somebody where to sign in, and cannot go on without the code that comes back. */
export function isSignInWanted(error: unknown): boolean {
  return error instanceof Error && error.constructor.name.startsWith('UnauthorizedError')
}

function describe(error: unknown): { code: unknown; message: string } {
  if (!(error instanceof Error)) return { code: undefined, message: String(error) }
  return { code: 'code' in error ? error.code : undefined, message: error.message }
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

function lastWords(stderr: string): string {
  const line = stderr.trim().split('\n').at(-1)?.trim()
  return line === undefined || line === '' ? '' : ` Its last words: ${line.slice(0, 300)}`
}
