import { callWithin } from '../../domain/effects.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { CallSite } from './call-site.ts'
import type { EffectCall } from './effect-call.ts'

/**
 * The jobs that have made, or may have made, an identical call before, in order: in this run, or in all runs under the
 * outermost one, if there are several. With `isMade`, this call is recorded there as started.
 */
export function earlierIdenticalCalls<P, O>(
  effectCall: EffectCall<P, O>,
  isMade: boolean,
): readonly string[] | Promise<readonly string[]> {
  return hasRelatedRuns(effectCall.site) ? claim(effectCall, isMade) : sameElsewhere(effectCall)
}

/**
 * Other jobs of the run that have made, or may have made, an identical call. They are found by the digest in the call's
 * path, because inputs in the log are masked.
 */
function sameElsewhere<P, O>({ site, path, insteadOf }: EffectCall<P, O>): string[] {
  const { host, job } = site.call
  const { effects, sameEffects } = host.state
  const same = (sameEffects.get(callWithin(job.key, path)) ?? []).filter((other) => other !== insteadOf)
  return same.map((other) => effects.get(other)!.origin.key).filter((key) => key !== job.key)
}

/** Whether there are runs above this one, or below it. */
export function hasRelatedRuns({ call: { host } }: CallSite): boolean {
  return host.state.parent !== undefined || host.state.children.size > 0
}

/** The jobs of the whole family that have set about this very call before; with `isMade`, this one does so now. */
async function claim<P, O>({ site, path, insteadOf }: EffectCall<P, O>, isMade: boolean): Promise<readonly string[]> {
  const { host, job } = site.call
  // Intents of this run are in its log once it is flushed.
  await host.flush()
  const replaced = insteadOf === undefined ? undefined : host.state.effects.get(insteadOf)!.origin.key
  return host.children.claim(
    { call: callWithin(job.key, path), job: job.key, ...omitUndefined({ insteadOf: replaced }) },
    isMade,
  )
}

/** Whether a job has set about it that is not named as often. Jobs of several runs may have one name. */
export function hasUnlistedJob(jobs: readonly string[], named: readonly string[]): boolean {
  const times = (all: readonly string[], job: string): number => all.filter((one) => one === job).length
  return jobs.some((job) => times(jobs, job) > times(named, job))
}
