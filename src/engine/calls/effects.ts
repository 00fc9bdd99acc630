import { toTuttiError, TuttiError } from '../../core/errors.ts'
import { given } from '../../core/given.ts'
import type { Provenance } from '../../core/provenance.ts'
import { callWithin, type EffectState } from '../../core/effect-state.ts'
import type { EffectCheck, ReadyTool } from '../../core/tool.ts'
import { isApprovalAsked, requireApproval } from '../approvals/approvals.ts'
import { jobPath, type CallSite } from './call-site.ts'
import type { Earlier } from './earlier-effects.ts'
import { bounded, EFFECT_LIMIT_MS } from './effect-limit.ts'
import { loggedError, plainCopy } from '../log/plain-json.ts'
import { idempotencyKey, ioOf, outputOf, provenanceOf, provenanceOfError, type DeclaredSecrets } from './tool-io.ts'

/** Characters of an earlier call's content in a question about a later one. */
const LONGEST_SHOWN = 2_000

/** An irreversible call on its way. */
interface EffectCall<P, O> {
  readonly site: CallSite
  readonly tool: ReadyTool<P, O>
  readonly input: P
  /** The input as people see it. */
  readonly payload: unknown
  readonly secrets: DeclaredSecrets
  readonly path: string
  /** The path of an interrupted call in whose place it is made. */
  readonly insteadOf?: string
}

/**
 * An irreversible call. Its intent is on disk before it is made; it is made at most once; when a
 * crash leaves open whether it happened, the tool is asked, and where the tool cannot tell, a person.
 */
export async function callIrreversible<P, O>(
  site: CallSite,
  tool: ReadyTool<P, O>,
  input: P,
  shown: Pick<EffectCall<P, O>, 'payload' | 'secrets'>,
): Promise<O> {
  const path = jobPath(site, tool.name, input)
  const effectCall: EffectCall<P, O> = { site, tool, input, ...shown, path }
  // A question about this very call that stands in the log already is the one to go by.
  const isOwn = !site.call.host.state.effects.has(path) && isApprovalAsked(site, { path })
  const earlier = isOwn ? undefined : site.earlier.match(tool.name, path, (before) => isSamePlace(tool, before, input))
  if (earlier?.kind !== 'same') tool.assertPossible?.(input)
  return earlier === undefined ? performNew(effectCall) : goOnFrom(effectCall, earlier)
}

/** Where a tool does not tell its places apart, all its calls go to one. */
function isSamePlace<P, O>({ placeOf }: ReadyTool<P, O>, before: unknown, input: P): boolean {
  return placeOf === undefined || (before !== undefined && placeOf(before as P) === placeOf(input))
}

async function performNew<P, O>(effectCall: EffectCall<P, O>): Promise<O> {
  const { site, tool, input, payload, path } = effectCall
  const { origin, host } = site.call
  const isFree = origin === undefined && host.approvals.allowsWithoutApproval(tool.name, input)
  if (!isApprovalAsked(site, { path })) {
    const others = sameBefore(effectCall, isFree)
    // Nothing may come between this look and the intent, where other runs need not be asked.
    const before = others instanceof Promise ? await others : others
    if (before.length > 0) return performBesidesOthers(effectCall, before, [])
  }
  if (!isFree) {
    const reason = origin === undefined ? 'This call cannot be undone.' : `This call cannot be undone, and ${origin}.`
    await requireApproval(site, { path, tool: tool.name, payload, reason })
  }
  return perform(effectCall)
}

/**
 * The jobs that have made, or may have made, this very call before, in the order in which they did: of the run, or of the
 * whole family where there is one, in which this one sets about it now with `isMade`.
 */
function sameBefore<P, O>(
  effectCall: EffectCall<P, O>,
  isMade: boolean,
): readonly string[] | Promise<readonly string[]> {
  return hasFamily(effectCall.site) ? claim(effectCall, isMade) : sameElsewhere(effectCall)
}

/**
 * The other jobs of the run that have made, or may have made, this very call. They are known by the digest in its path:
 * what the log shows of an input is masked.
 */
function sameElsewhere<P, O>({ site, path, insteadOf }: EffectCall<P, O>): string[] {
  const { host, job } = site.call
  const { effects, sameEffects } = host.state
  const same = (sameEffects.get(callWithin(job.key, path)) ?? []).filter((other) => other !== insteadOf)
  return same.map((other) => effects.get(other)!.origin.key).filter((key) => key !== job.key)
}

/** Whether there are runs above this one, or below it. */
function hasFamily({ call: { host } }: CallSite): boolean {
  return host.state.parent !== undefined || host.state.children.size > 0
}

/** The jobs of the whole family that have set about this very call before; with `isMade`, this one does so now. */
async function claim<P, O>({ site, path, insteadOf }: EffectCall<P, O>, isMade: boolean): Promise<readonly string[]> {
  const { host, job } = site.call
  // What this run intended while it was alone is looked for in its log.
  await host.flush()
  const replaced = insteadOf === undefined ? undefined : host.state.effects.get(insteadOf)!.origin.key
  return host.children.claim(
    { call: callWithin(job.key, path), job: job.key, ...given({ insteadOf: replaced }) },
    isMade,
  )
}

/** A sentence for questions that are asked for another reason. */
function warningOf({ origin }: CallSite['call']): string {
  return origin === undefined ? '' : ` Mind that ${origin}.`
}

/** A call of a job that has made, or may have made, calls of this tool before: the same again is never made unasked. */
async function goOnFrom<P, O>(effectCall: EffectCall<P, O>, earlier: Earlier): Promise<O> {
  const { site, tool } = effectCall
  const besides = (paths: readonly string[]): Promise<O> => {
    const made = paths.map((one) => payloadOf(site, one)).join('; ')
    const jobs = paths.map((one) => site.call.host.state.effects.get(one)!.origin.key)
    return performBesides(effectCall, `This job has called "${tool.name}" before, with ${made}.`, jobs)
  }
  if (earlier.kind === 'besides') return besides(earlier.paths)
  const { path } = earlier
  const effect = site.call.host.state.effects.get(path)!
  if (earlier.kind === 'same') {
    return effect.state === 'done' ? outcomeOf<O>(site, effect) : resume(effectCall, effect.times)
  }
  if (effect.state === 'intended') {
    const instead = { ...effectCall, insteadOf: path }
    const known = await settleOpen(effectCall, path, effect)
    if (known === 'not-done') return performNew(instead)
    if (known === 'unknown') return performInDoubt(instead, path, effect)
  }
  return earlier.isRetry ? outcomeInstead(effectCall, path) : besides([path])
}

/** What became of another call that was cut off; when it was made, its outcome is in the log now. */
async function settleOpen<P, O>(
  { site, tool }: EffectCall<P, O>,
  path: string,
  { origin: { payload } }: EffectState,
): Promise<EffectCheck<O>['state']> {
  // What was masked cannot be asked about.
  if (payload === undefined || (tool.secretFields ?? []).length > 0) return 'unknown'
  const cutOff: EffectCall<P, O> = { site, tool, input: payload as P, payload, secrets: {}, path }
  const known = await askTool(cutOff)
  site.attempt.assertAlive()
  if (known.state === 'done') await keepOutput(cutOff, known.output)
  return known.state
}

/** The outcome of the call that an earlier attempt made is that of this one, whatever its words. */
function outcomeInstead<P, O>({ site, tool, payload }: EffectCall<P, O>, path: string): O {
  const { host, job } = site.call
  const made = host.state.effects.get(path) as Extract<EffectState, { state: 'done' }>
  host.push({
    type: 'note',
    key: job.key,
    kind: 'DECISION',
    message: `"${tool.name}" was not called again: an earlier attempt made the call, and its outcome is used`,
    data: { wanted: payload, made: made.origin.payload },
  })
  return outcomeOf<O>(site, made)
}

/** One call more than those that were made, by the jobs that are `named`: a person decides, whatever the settings say. */
async function performBesides<P, O>(
  effectCall: EffectCall<P, O>,
  made: string,
  named: readonly string[],
  purpose = 'besides',
): Promise<O> {
  const { site, tool, payload, path } = effectCall
  const reason = `${made} Approve to make this call as well, deny to leave it.${warningOf(site.call)}`
  await requireApproval(site, { path, tool: tool.name, payload, reason, purpose })
  return perform(effectCall, named)
}

/**
 * A call that other jobs have made as well: a person decides who knows of each of them.
 * @param named those that a question about this call has named, which was approved
 */
function performBesidesOthers<P, O>(
  effectCall: EffectCall<P, O>,
  others: readonly string[],
  named: readonly string[],
): Promise<O> {
  const { site, tool, path } = effectCall
  const purposeOf = (count: number): string => `besides ${count} others`
  // More may have made it since a question was put: that one is decided first, and does not speak for them.
  const counts = others.map((_other, n) => n + 1).slice(named.length)
  const count = counts.findLast((n) => isApprovalAsked(site, { path, purpose: purposeOf(n) })) ?? others.length
  const told = others.slice(0, count)
  const steps = [...new Set(told)].map((key) => `"${key}"`).join(', ')
  const who = hasFamily(site) ? 'This run, or another one of the same question,' : 'This run'
  const made = `${who} has called "${tool.name}" with the very same before, in ${steps}.`
  return performBesides(effectCall, made, told, purposeOf(count))
}

/** A call in the place of another one that may have been made. */
async function performInDoubt<P, O>(
  effectCall: EffectCall<P, O>,
  before: string,
  { times }: Extract<EffectState, { state: 'intended' }>,
): Promise<O> {
  const { site, tool } = effectCall
  const reason =
    `A call of "${tool.name}" was interrupted half-way and may already have happened, with ${payloadOf(site, before)}. ` +
    `Approve to make this call all the same, deny to leave it.${warningOf(site.call)}`
  return performUnknown(effectCall, before, reason, `instead of ${before} ${times}`)
}

/** As a person who approves is shown it. */
function payloadOf({ call }: CallSite, path: string): string {
  const payload = call.host.state.effects.get(path)?.origin.payload
  const text = payload === undefined ? 'content that was not kept' : JSON.stringify(payload)
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}… (${text.length} characters)`
}

/**
 * Writes the intent, makes the call, writes what came of it. Not cut off half-way, whatever happens to the job.
 * @param named jobs that made it before, as whoever approved knew; others may have done so while the question stood
 */
async function perform<P, O>(effectCall: EffectCall<P, O>, named: readonly string[] = []): Promise<O> {
  const { site, tool, input, payload, secrets, path, insteadOf } = effectCall
  const { host, job } = site.call
  const others = sameBefore(effectCall, true)
  // As in `performNew`: nothing comes between.
  const before = others instanceof Promise ? await others : others
  if (isOneMissing(before, named)) return performBesidesOthers(effectCall, before, named)
  const key = idempotencyKey(site, path)
  return site.attempt.uninterrupted(async () => {
    const intent = {
      type: 'effect.intended',
      key: job.key,
      path,
      tool: tool.name,
      idempotencyKey: key,
      payload,
      ...secrets,
    } as const
    host.push(insteadOf === undefined ? intent : { ...intent, insteadOf })
    await host.flush()
    // Writing may have taken long, and the process may have stood still meanwhile.
    await host.assertHeld()
    let output: O
    try {
      const late = () =>
        new TuttiError('EffectUnknown', `"${tool.name}" did not answer; its call may have taken place.`)
      const run = (signal: AbortSignal) => tool.run(input, ioOf(site, path, signal))
      output = await bounded(host.clock, EFFECT_LIMIT_MS, late, run)
    } catch (thrown) {
      const known = await askTool(effectCall)
      if (known.state === 'done') return keepOutput(effectCall, known.output)
      // Not retried by itself, whatever the tool thinks: unless it says "not done", it may have happened.
      const { code, message } = toTuttiError(thrown)
      return keepError(effectCall, new TuttiError(code, message, { cause: thrown }))
    }
    return keepOutput(effectCall, output)
  })
}

/** Jobs of several runs may have one name. */
function isOneMissing(jobs: readonly string[], named: readonly string[]): boolean {
  const times = (all: readonly string[], job: string): number => all.filter((one) => one === job).length
  return jobs.some((job) => times(jobs, job) > times(named, job))
}

async function keepOutput<P, O>(effectCall: EffectCall<P, O>, returned: O): Promise<O> {
  const { site, tool, path } = effectCall
  const { host, job } = site.call
  let output: O
  let provenance: Provenance | undefined
  try {
    output = plainCopy(returned, outputOf(tool), 'ToolError')
    provenance = provenanceOf(tool, output)
  } catch (thrown) {
    return keepError(effectCall, toTuttiError(thrown))
  }
  site.call.hasSeen(provenance)
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

async function keepError<P, O>({ site, tool, path }: EffectCall<P, O>, error: TuttiError): Promise<never> {
  const { host, job } = site.call
  const provenance = provenanceOfError(tool)
  site.call.hasSeen(provenance)
  const seen = provenance === undefined ? {} : { provenance }
  host.push({ type: 'effect.done', key: job.key, path, error: loggedError(error), ...seen })
  await host.flush()
  throw error
}

/** Goes on after a crash between intent and outcome. `times` counts the intents, so that each repetition is asked for. */
async function resume<P, O>(effectCall: EffectCall<P, O>, times: number): Promise<O> {
  const { site, path } = effectCall
  const known = await askTool(effectCall)
  site.attempt.assertAlive()
  if (known.state === 'done') return keepOutput(effectCall, known.output)
  if (known.state === 'not-done') return perform(effectCall)

  const reason = `It was interrupted half-way and may already have happened. Approve to do it (again), deny to leave it.${warningOf(site.call)}`
  return performUnknown(effectCall, path, reason, `repeat ${times}`)
}

/** `inDoubt` is the path of the call that may have been made. */
async function performUnknown<P, O>(
  effectCall: EffectCall<P, O>,
  inDoubt: string,
  reason: string,
  purpose: string,
): Promise<O> {
  const { site, tool, payload, path } = effectCall
  const { host, job } = site.call
  const ask = { path, tool: tool.name, payload, reason, purpose }
  if (!isApprovalAsked(site, ask)) {
    host.push({ type: 'effect.unknown', key: job.key, path: inDoubt, tool: tool.name, reason })
  }
  await requireApproval(site, ask)
  return perform(effectCall)
}

async function askTool<P, O>({ site, tool, input, path }: EffectCall<P, O>): Promise<EffectCheck<O>> {
  const { check } = tool
  if (check === undefined) return { state: 'unknown' }
  try {
    const late = () => new TuttiError('Timeout', 'it did not answer.')
    return await bounded(site.call.host.clock, EFFECT_LIMIT_MS, late, () => check(input, idempotencyKey(site, path)))
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

function outcomeOf<O>(site: CallSite, effect: Extract<EffectState, { state: 'done' }>): O {
  site.call.hasSeen(effect.provenance)
  if (effect.error !== undefined) throw TuttiError.fromInfo(effect.error)
  return plainCopy(effect.output as O, 'A recorded output')
}
