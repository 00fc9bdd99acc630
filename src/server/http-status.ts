import { categoryOf, type ErrorCategory, type ErrorCode } from '../core/errors.ts'

const OF_CATEGORY: Readonly<Record<ErrorCategory, number>> = { user: 400, system: 500, provider: 502 }

/** Codes that HTTP has a closer word for. */
const CLOSER: Readonly<Partial<Record<ErrorCode, number>>> = {
  ApprovalDenied: 403,
  QueryBlocked: 403,
  SandboxViolation: 403,
  RunNotFound: 404,
  ArtifactNotFound: 404,
  ApprovalExpired: 409,
  ApprovalNotPending: 409,
  ApprovalTimedOut: 409,
  Cancelled: 409,
  RunConflict: 409,
  PlanningDeclined: 422,
  BudgetExceeded: 429,
  ModelUnavailable: 503,
  RunLost: 503,
  StorageError: 503,
  Timeout: 504,
}

/** The status that a request is answered with when it ends with an error of this code. */
export function httpStatusOfError(code: ErrorCode): number {
  return CLOSER[code] ?? OF_CATEGORY[categoryOf(code)]
}
