import { errorInfo, type ErrorInfo } from './errors.ts'

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
