import { z } from 'zod'
import { categoryOf, TuttiError, type ErrorCategory, type ErrorCode } from '../domain/errors.ts'
import type { FastifyReply } from 'fastify'

const STATUS_BY_CATEGORY: Readonly<Record<ErrorCategory, number>> = { user: 400, system: 500, provider: 502 }

/** Codes with a more specific HTTP status. */
const STATUS_BY_CODE: Readonly<Partial<Record<ErrorCode, number>>> = {
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

/** HTTP status of an error code. */
export function httpStatusOfError(code: ErrorCode): number {
  return STATUS_BY_CODE[code] ?? STATUS_BY_CATEGORY[categoryOf(code)]
}

/** RFC 9457 problem details with Tutti's error code. */
export const problemSchema = z
  .object({
    type: z.string().describe('urn:tutti:error: and the code'),
    title: z.string(),
    status: z.number().int(),
    detail: z.string().describe('One sentence that says what to do'),
    code: z.string().describe('As in docs/errors.md'),
    requestId: z.string(),
    issues: z.array(z.string()).optional().describe('All problems of the request'),
  })
  .meta({ id: 'Problem' })
export type Problem = z.infer<typeof problemSchema>

/**
 * Error response to the client. Errors of the installation may name hosts and paths: they go to the log, and the client
 * gets the ID of the request instead.
 */
export function toProblem(error: TuttiError, requestId: string, status = httpStatusOfError(error.code)): Problem {
  const { code, message } = error
  const issues = TuttiError.is(error, 'InvalidRequest') ? error.details?.issues : undefined
  const detail =
    categoryOf(code) === 'system' ? `The server failed. Its log has the details of request ${requestId}.` : message
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

/** Sends an error in the format of the address: OpenAI errors below `/v1`, otherwise problem details. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const isTheirs = /^\/v1(?:[/?]|$)/.test(reply.request.url)
  return reply
    .code(problem.status)
    .type(isTheirs ? 'application/json' : 'application/problem+json')
    .serializer(JSON.stringify)
    .send(isTheirs ? openAiError(problem) : problem)
}

export function openAiError({ detail: message, code, status }: Problem) {
  return { error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null, code } }
}
