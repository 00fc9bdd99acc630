import { errorInfo, TuttiError, type ErrorCode, type ErrorInfo } from '../../domain/errors.ts'

/**
 * A copy of a value as the log returns it after a restart: plain JSON. So a job sees the same value on replay, and
 * later changes by the actor to its own object do not affect the log.
 * @param what named in the message, such as `The output of tool "x"`
 * @throws TuttiError with `code` for values that JSON cannot represent: a BigInt, a cycle
 */
export function plainCopy<T>(value: T, what: string, code: ErrorCode = 'Internal'): T {
  if (isScalar(value)) return value
  return isFlat(value) ? { ...value } : deepCopy(value, what, code)
}

/** The same, but values with scalars only are not copied: for callers that copy the top level anyway. */
export function plain<T>(value: T, what: string): T {
  return isScalar(value) || isFlat(value) ? value : deepCopy(value, what, 'Internal')
}

function deepCopy<T>(value: T, what: string, code: ErrorCode): T {
  try {
    const text = JSON.stringify(value) as string | undefined
    return (text === undefined ? undefined : JSON.parse(text)) as T
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message.split('\n')[0] : String(thrown)
    throw new TuttiError(code, `${what} cannot be kept in the log: ${reason}. Make its values plain JSON.`)
  }
}

/** True for most values; a shallow copy of them is enough. */
function isFlat(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.values(value).every(isScalar)
}

function isScalar(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    // JSON writes numbers that are not finite as null, and -0 as 0.
    (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0))
  )
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
