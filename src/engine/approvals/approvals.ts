import type { Owner, ApprovalDecision } from '../../domain/events.ts'
import { untilAborted } from '../../shared/clock.ts'
import type { ApprovalScope, UserQuestion } from '../../domain/approvals.ts'
import { QUESTION, actOf, questionText, sentenceActOf } from '../../domain/approvals.ts'
import type { QuestionOptions } from '../../domain/actor.ts'
import { withoutFullStop } from '../../domain/error-text.ts'
import { callWithin, isPathAt } from '../../domain/effects.ts'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { ApprovalState } from '../../domain/state.ts'
import type { CallPosition } from '../../domain/transcript.ts'
import { jobPath, type CallSite } from '../calls/call-site.ts'
import { digest } from '../calls/attempt.ts'
import { instruct } from './instructions.ts'

export interface ApprovalAsk {
  readonly path: string
  readonly tool: string
  readonly payload: unknown
  readonly reason: string
  /** Distinguishes approvals for one call when it needs another approval after an interruption. */
  readonly purpose?: string
  /** The destination of the call; absent for a call that no wider approval can cover. */
  readonly destination?: string | undefined
  /** The call can be undone. */
  readonly isRead?: boolean
  /** Validates an edited payload. @throws TuttiError for one that the tool does not accept */
  readonly parse?: (payload: unknown) => unknown
  /** The payload was edited by a user. */
  readonly isEdited?: boolean
  /** Minimum time for the decision, in milliseconds. */
  readonly leastMs?: number
}

/** Whether the question is in the log already. */
export function isApprovalAsked({ call }: CallSite, ask: Pick<ApprovalAsk, 'path' | 'purpose'>): boolean {
  return call.host.state.approvals.has(approvalIdOf(call.host.state.runId, ask))
}

function approvalIdOf(runId: string, { path, purpose = 'call' }: Pick<ApprovalAsk, 'path' | 'purpose'>): string {
  return `${runId}.${digest([path, purpose])}`
}

/**
 * Requests approval and waits, for days if need be; the run leaves memory meanwhile. The request is on disk before
 * anyone can see it. Each call is requested once; after a restart the request, or its decision, is found in the log. If
 * a standing approval, one with a wider scope, covers the call, nothing is requested.
 * @throws TuttiError `ApprovalDenied`, `ApprovalTimedOut`, `ApprovalExpired`, or `ApprovalInstructed`
 */
export async function requireApproval(site: CallSite, ask: ApprovalAsk): Promise<void> {
  const { state } = site.call.host
  if (!isApprovalAsked(site, ask) && (await isCovered(site, ask))) return
  if (state.request.interactive === false) {
    const message = `${sentenceActOf(ask.tool)} needs a person's approval, and nobody can be asked during this request.`
    throw nobodyToAsk(ask.tool, `${message} Ask again where a person can decide.`)
  }
  const refused = refusedBefore(site, ask)
  if (refused !== undefined) throw refusal(refused, state.owner)
  const approval = await decisionOn(site, ask)
  if (approval.decision !== 'approved') throw refusal(approval, site.call.host.state.owner)
  if (approval.instructions !== undefined) await followInstructions(site, ask.tool, approval.instructions)
  await checkEdits(site, ask, approval)
}

/** The payload as a user edited it in the approval; undefined if it was not edited. */
export function editedPayload({ call: { host, job } }: CallSite, path: string): unknown {
  const { approvals, jobs } = host.state
  const own = (jobs.get(job.key)?.approvals ?? []).flatMap((id) => approvals.get(id) ?? [])
  return own.findLast((one) => one.path === path && one.decision === 'approved' && one.payload !== undefined)?.payload
}

/** An edited payload that the tool does not take is shown again, with the reason. */
async function checkEdits(site: CallSite, ask: ApprovalAsk, { payload }: ApprovalState): Promise<void> {
  const edited = payload ?? (ask.isEdited === true ? ask.payload : undefined)
  if (edited === undefined || ask.parse === undefined) return
  try {
    ask.parse(edited)
  } catch (thrown) {
    const reason = `The edited call cannot be made: ${toTuttiError(thrown).message}`
    const purpose = `${ask.purpose ?? 'call'}, edited`
    await requireApproval(site, { ...ask, payload: edited, reason, purpose, isEdited: true })
  }
}

/** An earlier denial or timeout of the same call in this transcript. The user is not asked again for it. */
function refusedBefore({ call, position }: CallSite, { path }: ApprovalAsk): ApprovalState | undefined {
  if (position === undefined) return undefined
  const same = callWithin(call.job.key, path)
  const before = [...call.host.state.approvals.values()]
  const isRefused = ({ decision }: ApprovalState): boolean => decision === 'denied' || decision === 'timed_out'
  return before.find((one) => one.path !== path && isRefused(one) && callWithin(one.key, one.path) === same)
}

/**
 * `ctx.question`: asks the user and waits for the answer as for an approval. The answer is the user's own words. A
 * question with the same words is asked once per job; later calls return the same answer.
 * @throws TuttiError `ApprovalDenied`, `ApprovalTimedOut` or `ApprovalExpired` without an answer
 */
export async function askPerson(
  site: CallSite,
  question: string,
  { choices: suggested = [], leastMs = 0 }: QuestionOptions = {},
): Promise<string> {
  const { host } = site.call
  if (host.state.request.interactive === false) {
    const message = `"${question}" was not asked, because nobody can answer during this request.`
    throw nobodyToAsk(QUESTION, `${message} Ask again where a person can answer.`)
  }
  const { origin, provenance } = site
  const warning = provenance.author === 'outside' ? ` Mind that ${origin}.` : ''
  const reason = `The run continues with your answer.${warning}`
  const choices = [...new Set(suggested.map((choice) => choice.trim()))].filter((choice) => choice !== '')
  const payload: UserQuestion = { question, ...(choices.length === 0 ? {} : { choices }) }
  const ask = { path: jobPath(site, QUESTION, questionText(payload)), tool: QUESTION, payload, reason, leastMs }
  const { decision, instructions } = await decisionOn(site, ask)
  if (decision !== 'approved' || instructions === undefined) throw unanswered(question, decision, instructions)
  return instructions
}

/**
 * The scopes that a user can approve, the default first. Irreversible calls in a turn that has read more than the
 * user's words only have `once`.
 */
function scopesOf({ call, origin }: CallSite, { destination, isRead = false }: ApprovalAsk): readonly ApprovalScope[] {
  if (destination === undefined || (!isRead && origin !== undefined)) return ['once']
  if (!isRead) return ['once', 'run', 'always']
  return call.host.state.request.conversationId === undefined
    ? ['run', 'once', 'always']
    : ['conversation', 'once', 'run', 'always']
}

/** Whether an approval with a wider scope covers the call. */
async function isCovered(site: CallSite, ask: ApprovalAsk): Promise<boolean> {
  const { host, job } = site.call
  const { tool, destination } = ask
  const scopes = scopesOf(site, ask)
  if (destination === undefined || scopes.length === 1) return false
  const { runApprovals, request } = host.state
  const runApproval = runApprovals.find((one) => one.tool === tool && one.destination === destination)
  const standingApprovals = runApproval === undefined ? await host.standingApprovals(tool, destination) : []
  const covering =
    runApproval ??
    standingApprovals.find(
      ({ scope, conversationId }) =>
        scope === 'always' || (scopes.includes('conversation') && conversationId === request.conversationId),
    )
  if (covering === undefined) return false
  const { approvalId, scope } = covering
  const message = `"${tool}" was not asked about: an approval covers its calls to this destination`
  host.push({ type: 'note', key: job.key, kind: 'DECISION', message, data: { approvalId, scope, destination } })
  return true
}

async function decisionOn(site: CallSite, ask: ApprovalAsk): Promise<ApprovalState> {
  const { host } = site.call
  const approvalId = approvalIdOf(host.state.runId, ask)
  if (!host.state.approvals.has(approvalId)) await request(site, ask, approvalId)
  if (host.state.approvals.get(approvalId)!.decision === undefined) {
    await site.attempt.parking(() => {
      const decided = host.until((state) => state.approvals.get(approvalId)?.decision !== undefined)
      // Rejects if an earlier call of the turn failed; then this call can no longer be made.
      const isPossible = site.turnToRun?.().then(() => decided) ?? decided
      return untilAborted(Promise.race([decided, isPossible]), site.attempt.endSignal)
    })
    site.attempt.assertAlive()
  }
  return host.state.approvals.get(approvalId)!
}

async function request(site: CallSite, ask: ApprovalAsk, approvalId: string): Promise<void> {
  const { call, attempt, position, provenance } = site
  const { host, job } = call
  const scopes = scopesOf(site, ask)
  // After an upgrade the schema of a tool may make another input of the same call.
  if (position !== undefined) expireApprovals(call, position, ask.path)
  const timeoutMs = host.state.request.approvalTimeoutMs ?? host.approvals.timeoutMs
  host.push({
    type: 'approval.requested',
    key: job.key,
    approvalId,
    path: ask.path,
    tool: ask.tool,
    payload: ask.payload,
    reason: ask.reason,
    provenance,
    expiresAt: host.clock.now() + Math.max(timeoutMs, ask.leastMs ?? 0),
    ...omitUndefined({ effectiveTask: call.effectiveTask }),
    ...(scopes.length === 1
      ? {}
      : omitUndefined({ destination: ask.destination, scopes, conversationId: host.state.request.conversationId })),
  })
  await host.flush()
  attempt.assertAlive()
}

/** Expires pending approvals for the call at a position, except for the one with this path. */
export function expireApprovals({ host, job }: CallSite['call'], position: CallPosition, except?: string): void {
  for (const { approvalId, key, path } of host.state.openApprovals.values()) {
    if (key !== job.key || path === except || !isPathAt(path, position)) continue
    host.push({ type: 'approval.decided', approvalId, decision: 'expired', by: 'engine' })
  }
}

/**
 * The instructions of an approval: the call is not made. In a transcript they become its result; otherwise the job ends,
 * unless its agent makes another call with them.
 */
async function followInstructions(
  { call, attempt, position }: CallSite,
  tool: string,
  instructions: string,
): Promise<never> {
  const { text } = await instruct(call)
  const message = `"${tool}" was not called, because the user gave instructions`
  const error = new TuttiError(
    'ApprovalInstructed',
    position === undefined
      ? `${message}: ${withoutFullStop(instructions)}. Ask anew with them.`
      : `${message}. ${text}`,
    { details: { tool, instructions, ...omitUndefined({ task: call.taskText }) } },
  )
  // Not left to the agent's own handling of errors.
  if (position === undefined && call.actor.followsInstructions !== true) attempt.abort(error)
  throw error
}

/** The error of non-interactive requests. */
function nobodyToAsk(tool: string, message: string): TuttiError {
  return new TuttiError('ApprovalDenied', message, { details: { tool, reason: 'hitl_skipped_non_streaming' } })
}

function unanswered(question: string, decision: ApprovalDecision | undefined, why: string | undefined): TuttiError {
  const details = { tool: QUESTION, ...omitUndefined({ instructions: why }) }
  if (decision === 'timed_out')
    return new TuttiError('ApprovalTimedOut', `Nobody answered "${question}" in time.`, { details })
  if (decision === 'expired') return new TuttiError('ApprovalExpired', `"${question}" is no longer open.`, { details })
  const suffix = why === undefined ? '' : `: ${withoutFullStop(why)}`
  return new TuttiError('ApprovalDenied', `The person left "${question}" unanswered${suffix}.`, { details })
}

/** @param owner of the run, who reads the message */
function refusal({ decision, tool, by, instructions }: ApprovalState, owner: Owner): TuttiError {
  const details = { tool, ...omitUndefined({ instructions }) }
  switch (decision satisfies ApprovalDecision | undefined) {
    case 'denied': {
      const why = instructions === undefined ? '' : `: ${withoutFullStop(instructions)}`
      const message = `${by === owner ? 'You' : (by ?? 'A person')} denied ${actOf(tool)}${why}.`
      return new TuttiError('ApprovalDenied', message, { details: { ...details, reason: 'denied_by_user' } })
    }
    case 'timed_out': {
      const message = `Nobody decided on ${actOf(tool)} in time.`
      return new TuttiError('ApprovalTimedOut', message, { details: { ...details, reason: 'hitl_timeout' } })
    }
    default:
      return new TuttiError('ApprovalExpired', `The approval of ${actOf(tool)} is no longer open.`, { details })
  }
}
