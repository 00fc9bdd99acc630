import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import type { ReadyTool } from '../../domain/tool.ts'
import { isPathAt } from '../../domain/effects.ts'
import type { CallPosition } from '../../domain/transcript.ts'
import { editedPayload, isApprovalAsked, requireApproval } from '../approvals/approvals.ts'
import { jobPath, usesRights, type CallSite } from './call-site.ts'
import {
  checkEffect,
  recordError,
  recordOutput,
  effectOutput,
  type EffectCall,
  withEffectLimit,
  hasRelatedRuns,
  hasUnlistedJob,
  earlierIdenticalCalls,
} from './effect-call.ts'
import { idempotencyKey, ioOf } from './tool-io.ts'

/**
 * An irreversible call. Its intent is on disk before it is made, and it is made at most once. If a crash leaves open
 * whether it happened, the tool is asked, and if the tool does not know, a user.
 */
export async function callIrreversible<P, O>(
  site: CallSite,
  tool: ReadyTool<P, O>,
  input: P,
  shown: Pick<EffectCall<P, O>, 'payload' | 'secrets' | 'parse'>,
): Promise<O> {
  const path = jobPath(site, tool.name, input)
  const effectCall: EffectCall<P, O> = { site, tool, input, ...shown, path }
  if (site.position !== undefined) return callAtPosition(effectCall, site.position)
  const effect = site.call.host.state.effects.get(path)
  if (effect?.state === 'done') return effectOutput<O>(site, effect)
  if (effect !== undefined) return resume(effectCall, effect.times)
  tool.assertPossible?.(input)
  // If an approval for this exact call is in the log, the call is decided by it.
  const others = isApprovalAsked(site, { path }) ? [] : jobsWithOtherCalls(site, tool.name)
  return others.length === 0 ? performNew(effectCall) : performAfterOthers(effectCall, others)
}

/** A call of a transcript is known by its position: it was interrupted, or never made. */
async function callAtPosition<P, O>(effectCall: EffectCall<P, O>, position: CallPosition): Promise<O> {
  const { site, tool, input } = effectCall
  const { jobs, effects } = site.call.host.state
  const path = jobs.get(site.call.job.key)?.effects?.find((one) => isPathAt(one, position))
  const effect = path === undefined ? undefined : effects.get(path)
  if (effect?.state === 'intended') return resume({ ...effectCall, path: path! }, effect.times)
  tool.assertPossible?.(input)
  return performNew(effectCall)
}

/**
 * Jobs that made, or may have made, another call of the tool for this task: this job in an earlier attempt, or before an
 * interruption where its code has not repeated the call since, and the jobs that it replaces.
 */
function jobsWithOtherCalls({ call, attempt, paths }: CallSite, tool: string): string[] {
  const { jobs, effects } = call.host.state
  const found: string[] = []
  for (let job = jobs.get(call.job.key); job !== undefined; job = jobs.get(job.replaces ?? '')) {
    for (const path of job.effects ?? []) {
      const { origin } = effects.get(path)!
      const isContinued = job.key === call.job.key && origin.attempt === attempt.number && paths.has(path)
      if (origin.tool === tool && !isContinued) found.push(job.key)
    }
  }
  return found
}

/** A retry makes no other call of the tool. */
async function performAfterOthers<P, O>(effectCall: EffectCall<P, O>, jobs: readonly string[]): Promise<O> {
  const { site, tool } = effectCall
  if (jobs.includes(site.call.job.key)) {
    const message = `"${tool.name}" made, or may have made, another call for this task. A retry makes no second one: see in the run whether the first took place.`
    throw new TuttiError('EffectUnknown', message)
  }
  return performInAddition(effectCall, `This task has called "${tool.name}" before, or has set about calling it.`, jobs)
}

async function performNew<P, O>(effectCall: EffectCall<P, O>): Promise<O> {
  const { site, tool, input, payload, path } = effectCall
  const { origin } = site
  const { host } = site.call
  const isFree = origin === undefined && host.approvals.allowsWithoutApproval(tool.name, input)
  if (!isApprovalAsked(site, { path })) {
    const identical = earlierIdenticalCalls(effectCall, isFree)
    // If no other runs need to be asked, no await may come between this check and the intent.
    const before = identical instanceof Promise ? await identical : identical
    if (before.length > 0) return performInAdditionToOthers(effectCall, before, [])
  }
  if (!isFree) {
    const { askedSince = 'This call cannot be undone' } = tool
    const reason = origin === undefined ? `${askedSince}.` : `${askedSince}, and ${origin}.`
    const destination = tool.destination?.(input)
    await requireApproval(site, { path, tool: tool.name, payload, reason, destination, parse: effectCall.parse })
  }
  return perform(effectCall)
}

/** A sentence about the origin of the input, for approvals with another reason. */
function warningOf({ origin }: CallSite): string {
  return origin === undefined ? '' : ` Mind that ${origin}.`
}

/** A call that the jobs in `named` already made, or one like it. A user must approve it, whatever the settings are. */
async function performInAddition<P, O>(
  effectCall: EffectCall<P, O>,
  made: string,
  named: readonly string[],
  purpose = 'besides',
): Promise<O> {
  const { site, tool, payload, path } = effectCall
  const reason = `${made} Approve to make this call as well, deny to leave it.${warningOf(site)}`
  await requireApproval(site, { path, tool: tool.name, payload, reason, purpose })
  return perform(effectCall, named)
}

/**
 * Requires approval for a call that other jobs have made as well. The approval names all of these jobs.
 * @param named jobs that an earlier, approved request for this call already named
 */
function performInAdditionToOthers<P, O>(
  effectCall: EffectCall<P, O>,
  others: readonly string[],
  named: readonly string[],
): Promise<O> {
  const { site, tool, path } = effectCall
  const purposeOf = (count: number): string => `besides ${count} others`
  // More may have made it since a question was put: that one is decided first, and does not speak for them.
  const counts = others.map((_other, n) => n + 1).slice(named.length)
  const count = counts.findLast((n) => isApprovalAsked(site, { path, purpose: purposeOf(n) })) ?? others.length
  const shownPaths = others.slice(0, count)
  const steps = [...new Set(shownPaths)].map((key) => `"${key}"`).join(', ')
  const who = hasRelatedRuns(site) ? 'This run, or another one of the same question,' : 'This run'
  const reason = `${who} has called "${tool.name}", or has set about calling it, with the very same before, in ${steps}.`
  return performInAddition(effectCall, reason, shownPaths, purposeOf(count))
}

/** The call with the user's edits from its approval. */
function withEdits<P, O>(effectCall: EffectCall<P, O>): EffectCall<P, O> {
  const edited = editedPayload(effectCall.site, effectCall.path)
  return edited === undefined ? effectCall : { ...effectCall, input: effectCall.parse(edited), payload: edited }
}

/**
 * Records the intent, makes the call, and records its outcome. Not interrupted when the job ends or is cancelled.
 * @param named jobs that made it before, as listed in the approval; others may have made it while the approval was open
 */
async function perform<P, O>(shown: EffectCall<P, O>, named: readonly string[] = []): Promise<O> {
  const effectCall = withEdits(shown)
  const { site, tool, input, payload, secrets, path } = effectCall
  const { host, job } = site.call
  const { turnToRun } = site
  if (turnToRun !== undefined) await site.attempt.parking(turnToRun)
  // Rights may have been revoked while the approval was pending.
  if (usesRights(site)) await host.assertPermitted()
  const identical = earlierIdenticalCalls(effectCall, true)
  // As in `performNew`: no await if possible.
  const before = identical instanceof Promise ? await identical : identical
  if (hasUnlistedJob(before, named)) return performInAdditionToOthers(effectCall, before, named)
  const key = idempotencyKey(site, path)
  return site.attempt.uninterrupted(async () => {
    const intent = { type: 'effect.intended', key: job.key, path, tool: tool.name, payload, ...secrets } as const
    host.push({ ...intent, idempotencyKey: key })
    await host.flush()
    // The write may have taken long, and the process may have been suspended meanwhile.
    await host.assertHeld()
    let output: O
    try {
      const timeoutError = new TuttiError(
        'EffectUnknown',
        `"${tool.name}" did not answer; its call may have taken place.`,
      )
      const run = (signal: AbortSignal) => tool.run(input, ioOf(site, path, signal))
      output = await withEffectLimit(host.clock, timeoutError, run)
    } catch (thrown) {
      const known = await checkEffect(effectCall)
      if (known.state === 'done') return recordOutput(effectCall, known.output)
      // Not retried automatically, whatever the tool reports: unless the tool reports "not done", the call may have
      // happened.
      const { code, message } = toTuttiError(thrown)
      return recordError(effectCall, new TuttiError(code, message, { cause: thrown }))
    }
    return recordOutput(effectCall, output)
  })
}

/**
 * Continues after a crash between intent and outcome. `times` counts the intents, so that each repetition needs
 * approval.
 */
async function resume<P, O>(shown: EffectCall<P, O>, times: number): Promise<O> {
  const effectCall = withEdits(shown)
  const { site, tool, payload, path } = effectCall
  const { host, job } = site.call
  const known = await checkEffect(effectCall)
  site.attempt.assertAlive()
  if (known.state === 'done') return recordOutput(effectCall, known.output)
  if (known.state === 'not-done') return perform(effectCall)

  const reason = `It was interrupted half-way and may already have happened. Approve to do it (again), deny to leave it.${warningOf(site)}`
  const ask = { path, tool: tool.name, payload, reason, purpose: `repeat ${times}` }
  if (!isApprovalAsked(site, ask)) host.push({ type: 'effect.unknown', key: job.key, path, tool: tool.name, reason })
  await requireApproval(site, ask)
  return perform(effectCall)
}
