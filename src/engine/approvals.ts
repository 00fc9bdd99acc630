import { TuttiError } from '../core/errors.ts'
import type { ApprovalDecision } from '../core/events.ts'
import type { CallScope } from './call-scope.ts'
import { digest } from './call-paths.ts'

export interface ApprovalAsk {
  readonly path: string
  readonly tool: string
  readonly payload: unknown
  readonly reason: string
  /** Tells questions about one call apart, when it is asked for again after an interruption. */
  readonly purpose?: string
}

/** Whether the question stands in the log already. */
export function isApprovalAsked({ call }: CallScope, ask: ApprovalAsk): boolean {
  return call.host.state.approvals.has(approvalIdOf(call.host.state.runId, ask))
}

function approvalIdOf(runId: string, { path, purpose = 'call' }: ApprovalAsk): string {
  return `${runId}.${digest([path, purpose])}`
}

/**
 * Asks a person and waits, for days if need be: the run leaves memory meanwhile (SPEC R10). The request is on disk before
 * anyone can see it. Each call is asked for once; a restart finds the question, or its answer, in the log.
 * @throws TuttiError `ApprovalDenied`, `ApprovalTimedOut` or `ApprovalExpired`
 */
export async function requireApproval(scope: CallScope, ask: ApprovalAsk): Promise<void> {
  const { call, attempt } = scope
  const { host, job } = call
  const approvalId = approvalIdOf(host.state.runId, ask)
  if (!host.state.approvals.has(approvalId)) {
    host.push({
      type: 'approval.requested',
      key: job.key,
      approvalId,
      path: ask.path,
      tool: ask.tool,
      payload: ask.payload,
      reason: ask.reason,
      provenance: call.provenance,
      expiresAt: host.clock.now() + host.approvals.timeoutMs,
    })
    await host.flush()
    attempt.assertAlive()
  }
  if (host.state.approvals.get(approvalId)!.decision === undefined) {
    await attempt.parking(() => host.until((state) => state.approvals.get(approvalId)?.decision !== undefined))
    attempt.assertAlive()
  }
  const { decision, by, instructions } = host.state.approvals.get(approvalId)!
  if (decision !== 'approved') throw refusal(decision!, ask.tool, by, instructions)
}

function refusal(decision: ApprovalDecision, tool: string, by?: string, instructions?: string): TuttiError {
  const details = { tool, ...(instructions === undefined ? {} : { instructions }) }
  switch (decision) {
    case 'denied': {
      const why = instructions === undefined ? '' : `: ${instructions}`
      return new TuttiError('ApprovalDenied', `${by ?? 'A person'} denied the call of "${tool}"${why}.`, { details })
    }
    case 'timed_out':
      return new TuttiError('ApprovalTimedOut', `Nobody decided on the call of "${tool}" in time.`, { details })
    default:
      return new TuttiError('ApprovalExpired', `The approval of "${tool}" is no longer open.`, { details })
  }
}
