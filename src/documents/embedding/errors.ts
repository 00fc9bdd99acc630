import { errorText } from '../../domain/error-text.ts'
import { TuttiError } from '../../domain/errors.ts'
import { retryAfterMs } from '../../shared/retry-after.ts'

const FIRST_WAIT_MS = 1_000
/** A server that asks to wait longer counts as unreachable: the caller continues without vectors. */
const MAX_WAIT_MS = 60_000

/** What the AI SDK throws when a server answers with an error, or not at all. */
interface CallError {
  readonly statusCode?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
}

/** The status that a server answered with. */
export function httpStatus(thrown: unknown): number | undefined {
  return (thrown as CallError | undefined)?.statusCode
}

/** Turns an error of the AI SDK into one sentence that says what to do. */
export async function embeddingError(thrown: unknown, name: string, key?: string): Promise<TuttiError> {
  if (TuttiError.isInstance(thrown)) return thrown
  const { APICallError } = await import('ai')
  const message = errorText(thrown instanceof Error ? thrown.message : String(thrown), key)
  if (!APICallError.isInstance(thrown)) {
    return new TuttiError('ModelError', `The embedding model ${name} failed: ${message}.`, { cause: thrown })
  }
  const { statusCode: status } = thrown
  if (status === undefined) {
    return unavailable(`The embedding model ${name} does not answer (${message}). Check that its server runs.`, thrown)
  }
  if (status === 429 || status === 408 || status >= 500) {
    return unavailable(`The embedding model ${name} is overloaded or out of order (status ${status}).`, thrown)
  }
  const advice =
    status === 401 || status === 403
      ? 'Check its key.'
      : status === 404 || (status >= 300 && status < 400)
        ? 'Check the URL and the name of the model.'
        : `It says: ${message}.`
  return new TuttiError('ModelError', `The embedding model ${name} refused the request (status ${status}). ${advice}`, {
    cause: thrown,
  })
}

function unavailable(message: string, cause: unknown): TuttiError {
  return new TuttiError('ModelUnavailable', message, { retryable: true, cause })
}

/** Delay in milliseconds after a number of attempts: as requested by the server, else 1, 2, 4, … s. */
export function waitBefore(attempt: number, thrown: unknown, nowMs: number): number {
  const asked = retryAfterMs((thrown as CallError | undefined)?.responseHeaders, nowMs)
  return Math.min(asked ?? FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS)
}
