import { z } from 'zod'
import { categoryOf, TuttiError, type ErrorCategory, type ErrorCode } from '../domain/errors.ts'

const OF_CATEGORY: Readonly<Record<ErrorCategory, number>> = { user: 400, system: 500, provider: 502 }

/** Codes that HTTP has a closer word for. */
const CLOSER: Readonly<Partial<Record<ErrorCode, number>>> = {
  NotSignedIn: 401,
  ApprovalDenied: 403,
  NotAllowed: 403,
  QueryBlocked: 403,
  SandboxViolation: 403,
  RunNotFound: 404,
  NotFound: 404,
  ArtifactNotFound: 404,
  ApprovalExpired: 409,
  ApprovalNotPending: 409,
  ApprovalTimedOut: 409,
  Cancelled: 409,
  RunConflict: 409,
  TooLarge: 413,
  KeyReused: 422,
  PlanningDeclined: 422,
  BudgetExceeded: 429,
  LimitReached: 429,
  ModelUnavailable: 503,
  RunLost: 503,
  StorageError: 503,
  Timeout: 504,
}

/** The status that a request is answered with when it ends with an error of this code. */
export function httpStatusOfError(code: ErrorCode): number {
  return CLOSER[code] ?? OF_CATEGORY[categoryOf(code)]
}

/** RFC 9457, with Tutti's code. */
export const problemSchema = z
  .object({
    type: z.string().describe('urn:tutti:error: and the code'),
    title: z.string(),
    status: z.number().int(),
    detail: z.string().describe('One sentence that says what to do'),
    code: z.string().describe('As in docs/errors.md'),
    requestId: z.string(),
    issues: z.array(z.string()).optional().describe('All that is wrong with the request'),
  })
  .meta({ id: 'Problem' })
export type Problem = z.infer<typeof problemSchema>

/**
 * What a request is told of an error. Errors of the installation may name its hosts and paths: they are for the operator's
 * log, and who asks gets the request's id to speak of.
 */
export function toProblem(error: TuttiError, requestId: string, status = httpStatusOfError(error.code)): Problem {
  const { code, message } = error
  const issues = TuttiError.is(error, 'InvalidRequest') ? error.details?.issues : undefined
  const detail =
    categoryOf(code) === 'system'
      ? `Something is wrong on the server; its log says more of the request ${requestId}.`
      : message
  return {
    type: `urn:tutti:error:${code}`,
    title: code.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    status,
    detail,
    code,
    requestId,
    ...(issues === undefined ? {} : { issues: [...issues] }),
  }
}
