import { errorInfo, TuttiError, type ErrorCode, type ErrorInfo } from '../../domain/errors.ts'

/**
 * A copy of a value as the log returns it after a restart: plain JSON. So a job sees the same value on replay, and
 * later changes by the actor to its own object do not affect the log.
 * @param what named in the message, such as `The output of tool "x"`
 * @throws TuttiError with `code` for values that JSON cannot represent: a BigInt, a cycle
 */
export function plainCopy<T>(value: T, what: string, code: ErrorCode = 'Internal'): T {
  try {
    const text = JSON.stringify(value) as string | undefined
    return (text === undefined ? undefined : JSON.parse(text)) as T
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message.split('\n')[0] : String(thrown)
    throw new TuttiError(code, `${what} cannot be kept in the log: ${reason}. Make its values plain JSON.`)
  }
}

/** An error as the log keeps it. Details that cannot be written are left out rather than lost together with the error. */
export function loggedError(thrown: unknown): ErrorInfo {
  const { details, ...info } = errorInfo(thrown)
  if (details === undefined) return info
  try {
    return { ...info, details: plainCopy(details, 'Details') }
  } catch {
    return info
  }
}
