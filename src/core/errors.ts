/**
 * The closed list of error codes. The first group carries the names of the seed systems; the rest are ours.
 * A code is what programs switch on; the message is what people read and says what to do next.
 */
export const ERROR_CODES = [
  'PlanningDeclined',
  'QueryError',
  'HttpError',
  'HttpRequestError',
  'PathResolutionError',
  'SandboxViolation',
  'ConfigurationError',
  // request and plan
  'InvalidRequest',
  'UnknownAgent',
  'InvalidPlan',
  // models
  'ModelUnavailable',
  'ModelError',
  'ModelOutputInvalid',
  // engine
  'Timeout',
  'Cancelled',
  'BudgetExceeded',
  'ApprovalDenied',
  'ApprovalTimedOut',
  'ApprovalExpired',
  'ApprovalNotPending',
  // ends an attempt whose job is done anew with a person's instructions; no result carries it
  'ApprovalInstructed',
  'EffectUnknown',
  'RunNotFound',
  'RunConflict',
  'RunLost',
  'DependencyFailed',
  // data
  'QueryBlocked',
  'ToolError',
  'DocumentError',
  'MailError',
  'ArtifactNotFound',
  'StorageError',
  'Internal',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

/** An error as it is written to the log and returned to callers. */
export interface ErrorInfo {
  readonly type: ErrorCode
  readonly message: string
  readonly retryable?: boolean
  readonly details?: Readonly<Record<string, unknown>>
}

export interface TuttiErrorOptions {
  readonly retryable?: boolean
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

const marker = Symbol.for('tutti.error')

/** The one error class. `retryable` tells the engine whether another attempt can help. */
export class TuttiError extends Error {
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly [marker] = true

  constructor(code: ErrorCode, message: string, options: TuttiErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = code
    this.code = code
    this.retryable = options.retryable ?? false
    this.details = options.details
  }

  /** Works across copies of the package, where `instanceof` does not. */
  static isInstance(value: unknown): value is TuttiError {
    return typeof value === 'object' && value !== null && marker in value
  }

  static fromInfo(info: ErrorInfo): TuttiError {
    return new TuttiError(info.type, info.message, {
      ...(info.retryable === undefined ? {} : { retryable: info.retryable }),
      ...(info.details === undefined ? {} : { details: info.details }),
    })
  }
}

/** Names of errors that mean a mistake in code rather than trouble in the world; trying again cannot help. */
const BUG_NAMES = new Set(['TypeError', 'ReferenceError', 'SyntaxError', 'RangeError', 'ZodError'])

/**
 * Turns anything thrown into a `TuttiError`. A plain `Error` from a user's agent counts as retryable (R15: an agent
 * just throws), unless it is a programming error. `fetch` reports network trouble as a `TypeError` with a cause.
 */
export function toTuttiError(thrown: unknown): TuttiError {
  if (TuttiError.isInstance(thrown)) return thrown
  if (thrown instanceof Error) {
    const isBug = BUG_NAMES.has(thrown.name) && thrown.cause === undefined
    return new TuttiError('Internal', thrown.message || thrown.name, { retryable: !isBug, cause: thrown })
  }
  return new TuttiError('Internal', `Something that is not an Error was thrown: ${textOf(thrown)}`)
}

/** `String` itself throws for objects without a prototype. */
function textOf(thrown: unknown): string {
  try {
    return String(thrown)
  } catch {
    return Object.prototype.toString.call(thrown)
  }
}

export function errorInfo(thrown: unknown): ErrorInfo {
  const error = toTuttiError(thrown)
  return {
    type: error.code,
    message: error.message,
    ...(error.retryable ? { retryable: true } : {}),
    ...(error.details === undefined ? {} : { details: error.details }),
  }
}
