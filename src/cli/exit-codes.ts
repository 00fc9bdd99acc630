import { categoryOf, type ErrorCategory, type ErrorCode } from '../domain/errors.ts'
import type { AnswerStatus, RunResponse } from '../domain/response.ts'

/**
 * Exit codes. The table in docs/cli.md repeats this one.
 *
 * | code | meaning |
 * |---|---|
 * | 0 | done; for `ask`: the question was answered |
 * | 1 | the run failed, or a check said no (`db check`, `eval`, `test`) |
 * | 2 | the command line or its input is wrong |
 * | 3 | configuration, storage, something named in it, or Tutti itself does not work |
 * | 4 | the run was cancelled |
 * | 5 | the question, or a part of it, was not answered, or a limit was reached; the answer says which |
 * | 130 | killed by a second Ctrl-C |
 * | 141 | the reader of the output closed the pipe |
 */
export const EXIT = Object.freeze({
  ok: 0,
  failed: 1,
  usage: 2,
  configuration: 3,
  cancelled: 4,
  noResult: 5,
  killed: 130,
  brokenPipe: 141,
})

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

const EXIT_BY_CATEGORY: Readonly<Record<ErrorCategory, ExitCode>> = {
  user: EXIT.usage,
  system: EXIT.configuration,
  provider: EXIT.failed,
}

/** The command line was valid, but a person, a limit, a protection or another process stopped it, or no agent accepts it. */
const EXIT_BY_CODE: Readonly<Partial<Record<ErrorCode, ExitCode>>> = {
  Cancelled: EXIT.cancelled,
  PlanningDeclined: EXIT.failed,
  RunConflict: EXIT.failed,
  BudgetExceeded: EXIT.failed,
  LimitReached: EXIT.failed,
  ApprovalDenied: EXIT.failed,
  ApprovalTimedOut: EXIT.failed,
  ApprovalExpired: EXIT.failed,
  QueryBlocked: EXIT.failed,
  SandboxViolation: EXIT.failed,
}

export function exitCodeOfError(code: ErrorCode): ExitCode {
  return EXIT_BY_CODE[code] ?? EXIT_BY_CATEGORY[categoryOf(code)]
}

const EXIT_BY_ANSWER: Readonly<Record<AnswerStatus, ExitCode>> = {
  answered: EXIT.ok,
  partly: EXIT.noResult,
  not_answered: EXIT.noResult,
  failed: EXIT.failed,
}

/** How a run ended, as an exit code. */
export function exitCodeOfResponse({ metadata, status }: Pick<RunResponse, 'metadata' | 'status'>): ExitCode {
  if (metadata.status === 'cancelled') return EXIT.cancelled
  return metadata.status === 'finished' ? EXIT_BY_ANSWER[status] : EXIT.failed
}
