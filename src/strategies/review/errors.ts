import type { ErrorCode, ErrorInfo } from '../../domain/errors.ts'

/** Kinds of errors. */
export type ErrorCategory = 'network' | 'validation' | 'tool' | 'state'

interface Kind {
  readonly category: ErrorCategory
  /** Whether another attempt by the same actor, with the error as feedback, may succeed. */
  readonly isRecoverable: boolean
}

const mend = (category: ErrorCategory): Kind => ({ category, isRecoverable: true })
const end = (category: ErrorCategory): Kind => ({ category, isRecoverable: false })

/**
 * The kind of each error; of all others `end('state')`. There is no retry if a user refused, a limit is reached, the
 * installation lacks something, or an irreversible call may have been made.
 */
const KINDS: Readonly<Partial<Record<ErrorCode, Kind>>> = {
  InvalidRequest: end('validation'),
  UnknownAgent: mend('validation'),
  InvalidPlan: mend('validation'),
  PlanningDeclined: end('validation'),
  KeyReused: end('validation'),
  Timeout: mend('network'),
  ResultRejected: mend('validation'),
  ApprovalDenied: end('tool'),
  ApprovalTimedOut: end('tool'),
  ApprovalExpired: end('tool'),
  EffectUnknown: end('tool'),
  ModelUnavailable: mend('network'),
  ModelError: mend('network'),
  ModelOutputInvalid: mend('validation'),
  SourceNotFound: end('tool'),
  QueryError: mend('tool'),
  QueryBlocked: mend('tool'),
  HttpError: mend('network'),
  HttpRequestError: mend('network'),
  PathResolutionError: mend('validation'),
  SandboxViolation: mend('tool'),
  ToolError: mend('tool'),
  DocumentError: end('tool'),
  MailError: end('tool'),
}

/** The kind of an error. */
export function errorKind({ type, retryable }: Pick<ErrorInfo, 'type' | 'retryable'>): Kind {
  const kind = KINDS[type] ?? end('state')
  return retryable === true ? { ...kind, isRecoverable: true } : kind
}
