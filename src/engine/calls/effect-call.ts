import { type EffectState, callWithin } from '../../domain/effects.ts'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import type { Provenance } from '../../domain/provenance.ts'
import type { EffectCheck, ReadyTool } from '../../domain/tool.ts'
import { loggedError, plainCopy } from '../log/plain-json.ts'
import type { CallSite } from './call-site.ts'
import { idempotencyKey, outputOf, provenanceOf, provenanceOfError, type DeclaredSecrets } from './tool-io.ts'
import type { Clock } from '../../shared/clock.ts'

/** An irreversible call on its way. */
export interface EffectCall<P, O> {
  readonly site: CallSite
  readonly tool: ReadyTool<P, O>
  readonly input: P
  /** The input as users see it. */
  readonly payload: unknown
  readonly secrets: DeclaredSecrets
  /** Validates a payload that a user edited. @throws TuttiError `ToolError` */
  readonly parse: (payload: unknown) => P
  readonly path: string
}

/**
 * Records the output of the call, and returns it as the log has it. An output that cannot be logged is an error after
 * the call was made.
 */
export async function recordOutput<P, O>(effectCall: EffectCall<P, O>, returned: O): Promise<O> {
  const { site, tool, path } = effectCall
  const { host, job } = site.call
  let output: O
  let provenance: Provenance | undefined
  try {
    output = plainCopy(returned, outputOf(tool), 'ToolError')
    provenance = provenanceOf(tool, output)
  } catch (thrown) {
    const message = `${toTuttiError(thrown).message} The call may have taken place: look there before you ask for it again.`
    return recordError(effectCall, new TuttiError('EffectUnknown', message, { cause: thrown }))
  }
  site.call.addLabels(provenance)
  host.push({
    type: 'effect.done',
    key: job.key,
    path,
    output: plainCopy(output, outputOf(tool)),
    ...(provenance === undefined ? {} : { provenance }),
  })
  await host.flush()
  return output
}

/** Writes that the call failed, and throws it. */
export async function recordError<P, O>({ site, tool, path }: EffectCall<P, O>, error: TuttiError): Promise<never> {
  const { host, job } = site.call
  const provenance = provenanceOfError(tool)
  site.call.addLabels(provenance)
  const labels = provenance === undefined ? {} : { provenance }
  host.push({ type: 'effect.done', key: job.key, path, error: loggedError(error), ...labels })
  await host.flush()
  throw error
}

/** Asks the tool for the state of the call; `unknown` if the tool cannot check it. */
export async function checkEffect<P, O>({ site, tool, input, path }: EffectCall<P, O>): Promise<EffectCheck<O>> {
  const { check } = tool
  if (check === undefined) return { state: 'unknown' }
  try {
    const timeoutError = new TuttiError('Timeout', 'it did not answer.')
    return await withEffectLimit(site.call.host.clock, timeoutError, () => check(input, idempotencyKey(site, path)))
  } catch (thrown) {
    site.call.host.push({
      type: 'note',
      key: site.call.job.key,
      kind: 'ERROR',
      message: `Tool "${tool.name}" could not tell whether its call took place: ${toTuttiError(thrown).message}`,
    })
    return { state: 'unknown' }
  }
}

/** The output of a call, as the log has it. @throws the call's error */
export function effectOutput<O>(site: CallSite, effect: Extract<EffectState, { state: 'done' }>): O {
  site.call.addLabels(effect.provenance)
  if (effect.error !== undefined) throw TuttiError.fromInfo(effect.error)
  return plainCopy(effect.output as O, 'A recorded output')
}

/**
 * Time limit of an irreversible call, in milliseconds. Nothing else ends such a call: no time limit of its agent, no
 * cancellation, no shutdown. Far longer than mail servers or APIs need.
 */
const EFFECT_LIMIT_MS = 10 * 60_000

/** Runs an operation. After the limit, its signal is aborted with `timeoutError`, which is thrown. */
export async function withEffectLimit<T>(
  clock: Clock,
  timeoutError: TuttiError,
  operation: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  let cancel: (() => void) | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    cancel = clock.timer(EFFECT_LIMIT_MS, () => {
      controller.abort(timeoutError)
      reject(timeoutError)
    })
  })
  try {
    return await Promise.race([operation(controller.signal), limit])
  } finally {
    cancel?.()
  }
}

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
function sameElsewhere<P, O>({ site, path }: EffectCall<P, O>): string[] {
  const { host, job } = site.call
  const { effects, sameEffects } = host.state
  const same = sameEffects.get(callWithin(job.key, path)) ?? []
  return same.map((other) => effects.get(other)!.origin.key).filter((key) => key !== job.key)
}

/** Whether there are runs above this one, or below it. */
export function hasRelatedRuns({ call: { host } }: CallSite): boolean {
  return host.state.parent !== undefined || host.state.children.size > 0
}

/** The jobs of the whole family that have set about this very call before; with `isMade`, this one does so now. */
async function claim<P, O>({ site, path }: EffectCall<P, O>, isMade: boolean): Promise<readonly string[]> {
  const { host, job } = site.call
  // Intents of this run are in its log once it is flushed.
  await host.flush()
  return host.children.claim({ call: callWithin(job.key, path), job: job.key }, isMade)
}

/** Whether a job has set about it that is not named as often. Jobs of several runs may have one name. */
export function hasUnlistedJob(jobs: readonly string[], named: readonly string[]): boolean {
  const times = (all: readonly string[], job: string): number => all.filter((one) => one === job).length
  return jobs.some((job) => times(jobs, job) > times(named, job))
}
