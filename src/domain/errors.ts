import { omitUndefined } from '../shared/json.ts'

/**
 * Where the cause of an error is, and so who can fix it. `user`: the request is invalid, or a user or a user's limit
 * stopped it. `system`: this installation. `provider`: an external service such as a model or a database. Exit codes
 * and HTTP statuses follow from it.
 */
export type ErrorCategory = 'user' | 'system' | 'provider'

/**
 * The closed list of error codes, with their categories. Programs switch on the code; people read the message, which
 * says what to do. docs/errors.md explains each code.
 */
const CATEGORIES = {
  // request and plan
  InvalidRequest: 'user',
  UnknownAgent: 'user',
  InvalidPlan: 'user',
  PlanningDeclined: 'user',
  // users and permissions
  NotSignedIn: 'user',
  NotAllowed: 'user',
  NotFound: 'user',
  KeyReused: 'user',
  TooLarge: 'user',
  LimitReached: 'user',
  // runs
  RunNotFound: 'user',
  RunConflict: 'user',
  RunLost: 'system',
  RunPoisoned: 'system',
  ArtifactNotFound: 'user',
  Cancelled: 'user',
  Timeout: 'provider',
  BudgetExceeded: 'user',
  DependencyFailed: 'provider',
  ResultRejected: 'provider',
  // approvals and calls that cannot be undone
  ApprovalDenied: 'user',
  ApprovalTimedOut: 'user',
  ApprovalExpired: 'user',
  ApprovalNotPending: 'user',
  // the call was not made, since the user gave instructions for it; no result of a job carries it
  ApprovalInstructed: 'user',
  EffectUnknown: 'system',
  // models
  ModelUnavailable: 'provider',
  ModelError: 'provider',
  ModelOutputInvalid: 'provider',
  // sources and tools
  SourceNotFound: 'user',
  QueryError: 'provider',
  QueryBlocked: 'user',
  HttpError: 'provider',
  HttpRequestError: 'provider',
  PathResolutionError: 'user',
  SandboxViolation: 'user',
  ToolError: 'provider',
  DocumentError: 'user',
  MailError: 'provider',
  // the installation
  ConfigurationError: 'system',
  StorageError: 'system',
  Internal: 'system',
} as const satisfies Readonly<Record<string, ErrorCategory>>

export type ErrorCode = keyof typeof CATEGORIES

export const ERROR_CODES = Object.keys(CATEGORIES) as readonly ErrorCode[]

/** The category of an error code, which determines exit codes and HTTP statuses. */
export function categoryOf(code: ErrorCode): ErrorCategory {
  return CATEGORIES[code]
}

interface Approval {
  readonly tool: string
  /** Why the call was not made. */
  readonly reason?: 'denied_by_user' | 'hitl_timeout' | 'hitl_skipped_non_streaming' | 'trial_run'
  /** The user's instructions with the decision. */
  readonly instructions?: string
  /** The task with all instructions given so far. */
  readonly task?: string
}

/** Whether a call was not made because a user refused it or did not decide in time. */
export function isOfApproval(error: Pick<ErrorInfo, 'type'> | undefined): boolean {
  return error !== undefined && ['ApprovalDenied', 'ApprovalTimedOut', 'ApprovalExpired'].includes(error.type)
}

/** Whether an agent declined its task, or the user denied or stopped it: then it has not failed. */
export function isOfDecision(error: Pick<ErrorInfo, 'type'> | undefined): boolean {
  return isOfApproval(error) || error?.type === 'PlanningDeclined' || error?.type === 'Cancelled'
}

/** Details by error code. All are optional, because logs of other versions may lack them. */
interface DetailsByCode {
  InvalidRequest: { readonly issues: readonly string[] }
  /** When the limit resets, in milliseconds since the epoch; absent if only freeing space helps. */
  LimitReached: { readonly endsAt: number }
  ApprovalDenied: Approval
  ApprovalInstructed: Approval
  ApprovalTimedOut: Approval
  ApprovalExpired: Approval
  /**
   * The code of the database driver, such as an SQLSTATE; for a model's query also the database's message and the
   * latency.
   */
  QueryError: { readonly code: string; readonly error: string; readonly latencyMs: number }
  /** The rule that blocked the query, and why. */
  QueryBlocked: { readonly rule: string; readonly error: string; readonly latencyMs: number }
  HttpError: { readonly status: number; readonly retryAfter: string }
  /** The rule of the guard that refused the request, or the network's own code. */
  HttpRequestError: { readonly rule: string; readonly code: string }
  /** The placeholders without a value. */
  PathResolutionError: { readonly missing: readonly string[] }
  /** How a process ended, and its last output. */
  ToolError: { readonly signal: string | null; readonly exitCode: number | null; readonly stderr: string }
  /** The file or server, and the code that its driver or the system gave. */
  StorageError: { readonly path: string; readonly server: string; readonly code: string }
}

/** Details of an error with code `C`. Any error may have a job's partial result in `partial`. */
export type ErrorDetails<C extends ErrorCode = ErrorCode> = C extends keyof DetailsByCode
  ? Partial<DetailsByCode[C]> & { readonly partial?: unknown }
  : { readonly partial?: unknown }

/** An error as it is written to the log and returned to callers. */
export type ErrorInfo = { readonly [C in ErrorCode]: InfoOf<C> }[ErrorCode]

interface InfoOf<C extends ErrorCode> {
  readonly type: C
  readonly message: string
  readonly retryable?: boolean
  readonly details?: ErrorDetails<C>
}

export interface TuttiErrorOptions<C extends ErrorCode = ErrorCode> {
  readonly retryable?: boolean
  readonly details?: ErrorDetails<C>
  readonly cause?: unknown
}

const marker = Symbol.for('tutti.error')

/** Tutti's only error class. `retryable` tells the engine whether another attempt can help. */
export class TuttiError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C
  readonly retryable: boolean
  readonly details: ErrorDetails<C> | undefined
  readonly [marker] = true

  constructor(code: C, message: string, options: TuttiErrorOptions<C> = {}) {
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

  /** Whether it is an error with this code; narrows its details. */
  static is<C extends ErrorCode>(value: unknown, code: C): value is TuttiError<C> {
    return TuttiError.isInstance(value) && value.code === code
  }

  static fromInfo(info: ErrorInfo): TuttiError {
    return new TuttiError(info.type, info.message, {
      ...omitUndefined({ retryable: info.retryable, details: info.details }),
    })
  }
}

/** Names of errors that mean a mistake in code rather than trouble in the world; trying again cannot help. */
const BUG_NAMES = new Set(['TypeError', 'ReferenceError', 'SyntaxError', 'RangeError', 'ZodError'])

/**
 * Turns anything thrown into a `TuttiError`. A plain `Error` from a user's agent counts as retryable (an agent
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

/**
 * Why a signal ended some work: its own error, `Timeout` for a time limit, otherwise `Cancelled`.
 * @param work begins the message
 */
export function abortError({ reason }: AbortSignal, work: string): TuttiError {
  if (TuttiError.isInstance(reason)) return reason
  const isLate = reason instanceof Error && reason.name === 'TimeoutError'
  return isLate
    ? new TuttiError('Timeout', `${work} took too long and was stopped.`, { cause: reason })
    : new TuttiError('Cancelled', `${work} was cancelled.`, { cause: reason })
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
  // The class ties details to their code; the compiler cannot follow it for a code that is known at run time alone.
  return {
    type: error.code,
    message: error.message,
    ...(error.retryable ? { retryable: true } : {}),
    ...omitUndefined({ details: error.details }),
  } as ErrorInfo
}
