import type { ErrorCode, ErrorInfo } from '../../domain/errors.ts'

/** Kinds of errors. */
export type Trouble = 'network' | 'validation' | 'tool' | 'state'

interface Kind {
  readonly trouble: Trouble
  /** Whether another attempt by the same actor, with the error as feedback, may succeed. */
  readonly isRecoverable: boolean
}

const mend = (trouble: Trouble): Kind => ({ trouble, isRecoverable: true })
const end = (trouble: Trouble): Kind => ({ trouble, isRecoverable: false })

/**
 * The kind of each error. There is no retry if a user refused, a limit is reached, the installation lacks something, or
 * an irreversible call may have been made.
 */
const KINDS: Readonly<Record<ErrorCode, Kind>> = {
  InvalidRequest: end('validation'),
  UnknownAgent: mend('validation'),
  InvalidPlan: mend('validation'),
  PlanningDeclined: end('validation'),
  NotSignedIn: end('state'),
  NotAllowed: end('state'),
  NotFound: end('state'),
  KeyReused: end('validation'),
  TooLarge: end('state'),
  LimitReached: end('state'),
  RunNotFound: end('state'),
  RunConflict: end('state'),
  RunLost: end('state'),
  RunPoisoned: end('state'),
  ArtifactNotFound: end('state'),
  Cancelled: end('state'),
  Timeout: mend('network'),
  BudgetExceeded: end('state'),
  DependencyFailed: end('state'),
  ResultRejected: mend('validation'),
  ApprovalDenied: end('tool'),
  ApprovalTimedOut: end('tool'),
  ApprovalExpired: end('tool'),
  ApprovalNotPending: end('state'),
  ApprovalInstructed: end('state'),
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
  ConfigurationError: end('state'),
  StorageError: end('state'),
  Internal: end('state'),
}

/** The kind of an error. Codes of a later version in the log end the review. */
export function errorKind({ type, retryable }: Pick<ErrorInfo, 'type' | 'retryable'>): Kind {
  const kind = (KINDS as Readonly<Partial<Record<string, Kind>>>)[type] ?? end('state')
  return retryable === true ? { ...kind, isRecoverable: true } : kind
}
