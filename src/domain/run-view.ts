import { stepOfPath } from './effects.ts'
import type { RunEvent } from './events.ts'
import { omitUndefined } from '../shared/json.ts'
import { responseOf, type RunResponse } from './response.ts'
import { fold, isOver, type JobState, type RunState } from './state.ts'
import type { ApprovalRecord, RunRecord } from './store.ts'
import { traceOf } from './trace.ts'
import { NO_USAGE } from './usage.ts'
import { categoryOf, isOfApproval, type ErrorInfo } from './errors.ts'

export type ApprovalRequest = Extract<RunEvent, { type: 'approval.requested' }>

/** A run of the list as programs are shown it; times in ISO 8601. */
export function runView({ runId, status, strategy, question, parentId, createdAt, updatedAt }: RunRecord) {
  return {
    runId,
    status,
    strategy,
    question,
    ...omitUndefined({ parentId }),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}

/** An approval as programs see it; times in ISO 8601. */
export function approvalView({ owner: _owner, path, ...approval }: ApprovalRecord) {
  const { requestedAt, expiresAt, decidedAt, revokedAt, ...about } = approval
  return {
    ...about,
    ...omitUndefined({ step: stepOfPath(approval.key, path) }),
    requestedAt: iso(requestedAt),
    expiresAt: iso(expiresAt),
    ...(decidedAt === undefined ? {} : { decidedAt: iso(decidedAt) }),
    ...(revokedAt === undefined ? {} : { revokedAt: iso(revokedAt) }),
  }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}

/** One run as programs see it. @param trace includes the trace, even if the request did not ask for one */
export function runDetailView(record: RunRecord, events: readonly RunEvent[], trace: boolean) {
  const state = fold(events)
  const { request, forkOf } = state
  return {
    run: { ...runView(record), ...omitUndefined({ forkOf }) },
    request,
    jobs: [...state.jobs.values()].map(jobSummary),
    approvals: openApprovals(events, state).map(({ approvalId, key, tool, payload, reason, expiresAt }) => ({
      approvalId,
      key,
      tool,
      payload,
      reason,
      expiresAt: iso(expiresAt),
    })),
    response: responseWith(events, trace),
  }
}

function jobSummary({ key, actor, status, attempt, dependsOn = [], result }: JobState) {
  return {
    key,
    actor,
    status,
    attempt,
    dependsOn,
    ...(result === undefined ? {} : { latencyMs: result.latencyMs, usage: result.usage ?? NO_USAGE }),
    ...(result?.error === undefined ? {} : { error: result.error }),
  }
}

/** The calls of a run that wait for a decision. */
export function openApprovals(events: readonly RunEvent[], state: RunState): ApprovalRequest[] {
  if (isOver(state)) return []
  return events.filter(
    (event): event is ApprovalRequest =>
      event.type === 'approval.requested' && state.approvals.get(event.approvalId)?.decision === undefined,
  )
}

/** The response, with the trace if it is requested now or was requested when the run started. */
export function responseWith(events: readonly RunEvent[], trace: boolean): RunResponse {
  const response = responseOf(events)
  return trace && response.trace === undefined ? { ...response, trace: traceOf(events) } : response
}

/**
 * The first job of a finished run that is worth a retry: the one at which the run was stopped or failed, or, in an
 * answered run, one that failed for a temporary reason. Undefined without any.
 */
export function retryableJob(state: RunState): JobState | undefined {
  if (!isOver(state)) return undefined
  const all = [...state.jobs.values()]
  const open = all.filter(
    ({ status, supersededBy, isOutdated }) =>
      (status === 'failed' || status === 'running') && supersededBy === undefined && isOutdated !== true,
  )
  if (state.status === 'finished') return open.find(({ result }) => mayGoWell(result?.error))
  // Stopped between two steps: the last one is done once more.
  return open[0] ?? all.at(state.status === 'cancelled' ? -1 : 0)
}

/** A declined or denied task would end the same way again. An approval that timed out may be decided this time. */
function mayGoWell(error: ErrorInfo | undefined): boolean {
  if (error === undefined) return false
  const isOpen = isOfApproval(error) || error.type === 'ApprovalInstructed'
  return isOpen ? error.type !== 'ApprovalDenied' : categoryOf(error.type) !== 'user'
}
