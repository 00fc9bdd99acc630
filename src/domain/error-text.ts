import { createSecrets } from './secrets.ts'
import { errorInfo, type ErrorInfo } from './errors.ts'

const MAX_CHARS = 240
/** Texts are truncated to this length first. */
const MAX_READ_CHARS = 10_000

/**
 * Turns a provider's error text into one short line for logs and screens: no markup, no control characters, no final
 * full stop. Providers repeat the key they refuse, so the key and anything that looks like a key are masked. Providers
 * may also quote the request, so show the line to the user who made it only.
 */
export function errorText(text: string, apiKey?: string): string {
  const unmasked = text
    .slice(0, MAX_READ_CHARS)
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<\/?[a-z!][^<>]*>/gi, ' ')
    // oxlint-disable-next-line no-control-regex -- control characters are removed
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ')
    .trim()
  const masked = withoutFullStop(createSecrets(apiKey === undefined ? [] : [apiKey]).text(unmasked))
  return masked.length > MAX_CHARS ? `${masked.slice(0, MAX_CHARS - 1)}…` : masked
}

/** Not signed in, or not allowed to. */
const REFUSED_SIGN_IN: ReadonlySet<unknown> = new Set([401, 403])

/** The clean sentence that an answer shows of an error; its detail is in the trace and in the agent's result. */
export function cleanSentence(error: ErrorInfo): string {
  return fixedSentence(error) ?? lowerFirst(withoutFullStop(error.message))
}

/** Third-party text without its final full stop, to be put into a sentence. */
export function withoutFullStop(text: string): string {
  return text.replace(/\.\s*$/, '')
}

/** The answer's sentence about a configured source that could not be used. */
export function unavailableSource(what: string, thrown: unknown): string {
  return `${what} was left out: ${cleanSentence(errorInfo(thrown))}.`
}

/**
 * The same without the error's own message, which may contain third-party text: for output that is sent out, such as a
 * mail.
 */
export function sentenceWithoutMessage(error: ErrorInfo): string {
  if (error.type === 'BudgetExceeded') return 'the limit of the run was reached'
  return fixedSentence(error) ?? (error.type === 'PlanningDeclined' ? 'no answer was found there' : 'it gave no answer')
}

/** The sentence shown to users for an error with a technical message; undefined if the message is meant for users. */
export function fixedSentence(error: ErrorInfo): string | undefined {
  switch (error.type) {
    case 'QueryError':
      return 'the query to the database failed'
    case 'HttpError':
      if (REFUSED_SIGN_IN.has(error.details?.status)) {
        return 'the service did not accept the sign-in; check its key or token'
      }
      return Number(error.details?.status) >= 500
        ? 'the service reported an error of its own; try again later'
        : 'the service refused the request'
    case 'HttpRequestError':
      return error.details?.rule === undefined ? 'the service could not be reached' : 'the request was not allowed'
    case 'Timeout':
      return 'it took too long'
    case 'ModelError':
    case 'ModelUnavailable':
    case 'ModelOutputInvalid':
      return 'the language model gave no usable answer'
    case 'DependencyFailed':
      return 'nothing came of what it needs'
    case 'ResultRejected':
      return 'its result did not hold when it was checked'
    case 'Internal':
    case 'StorageError':
      return 'an internal error occurred'
    default:
      return undefined
  }
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text
}
