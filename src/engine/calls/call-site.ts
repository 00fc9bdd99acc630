import { TuttiError } from '../../domain/errors.ts'
import { isPathAt, positionPath } from '../../domain/effects.ts'
import { omitUndefined } from '../../shared/json.ts'
import { originOf, type Provenance } from '../../domain/provenance.ts'
import type { CallRecord, RunState } from '../../domain/state.ts'
import type { CallOutcome, CallPosition } from '../../domain/transcript.ts'
import type { ActorCall } from './actor-call.ts'
import { type Attempt, digest, type CallPaths } from './attempt.ts'
import type { EarlierCall } from '../../domain/tool.ts'

/** Input of the functions behind an actor's context. */
export interface CallSite {
  readonly call: ActorCall
  readonly attempt: Attempt
  readonly paths: CallPaths
  /** Of a call that a turn of the job's transcript requested. */
  readonly position?: CallPosition
  /** Resolves once the irreversible call may be made, after its approval; rejects where an earlier call of the turn failed. */
  readonly turnToRun?: () => Promise<void>
  /** Labels of the call's input: of the turn that requested it, otherwise of all that the job has read. */
  readonly provenance: Provenance
  /** The same for users, as worded by `originOf`. */
  readonly origin: string | undefined
}

/** Of the attempt that is under way. */
export function siteOf(call: ActorCall): CallSite {
  return {
    call,
    attempt: call.attempt!,
    paths: call.paths!,
    get provenance() {
      return call.provenance
    },
    get origin() {
      return originOf(call.provenance)
    },
  }
}

/** Of a call that a turn of the job's transcript requested. */
export function siteAt(call: ActorCall, position: CallPosition, turnToRun?: () => Promise<void>): CallSite {
  const turn = call.host.state.transcripts.get(call.job.key)?.turns[position.turn - 1]
  if (turn === undefined) {
    throw new TuttiError('Internal', `Turn ${position.turn} of "${call.job.key}" is not in its transcript.`)
  }
  const { provenance } = turn
  const parts = { call, attempt: call.attempt!, paths: call.paths! }
  return { ...parts, position, provenance, origin: originOf(provenance), ...omitUndefined({ turnToRun }) }
}

/** A separate path for each attempt: a retried job repeats its calls, unless its transcript identifies them. */
export function attemptPath(site: CallSite, name: string, input: unknown): string {
  const { call, attempt, paths, position } = site
  if (position !== undefined) return jobPath(site, name, input)
  return paths.next(`${call.job.key}@${attempt.number}`, name, input)
}

/** One path for all attempts, for calls that must not be repeated. */
export function jobPath({ call, paths, position }: CallSite, name: string, input: unknown): string {
  if (position !== undefined) return positionPath(call.job.key, `${name}:${digest(input)}`, position)
  return paths.next(call.job.key, name, input)
}

/** The journal's record of a call that succeeded before this process took over the job; a failed call is repeated. */
export function recordedCall({ call }: CallSite, path: string): CallRecord | undefined {
  const record = call.host.state.calls.get(call.job.key)?.get(path)
  return record?.error === undefined ? record : undefined
}

/**
 * The outcome of a transcript's call, looked up by its position only: its tool may have a new schema since, or may have
 * been removed.
 */
export function outcomeAt(
  { approvals, calls, effects, jobs }: RunState,
  key: string,
  position: CallPosition,
): CallOutcome | undefined {
  const isHere = (path: string): boolean => isPathAt(path, position)
  const approval = [...approvals.values()].findLast(
    (one) => one.key === key && isHere(one.path) && one.decision === 'approved' && one.payload !== undefined,
  )
  const edited = approval?.payload
  for (const [path, { output, error, effect }] of calls.get(key) ?? []) {
    if (isHere(path)) return omitUndefined({ output, error, edited, isWrite: effect === 'write' || undefined })
  }
  const path = jobs.get(key)?.effects?.find(isHere)
  const effect = path === undefined ? undefined : effects.get(path)
  if (effect?.state === 'done')
    return omitUndefined({ output: effect.output, error: effect.error, edited, isWrite: true })
  return effect && { isOpen: true }
}

/**
 * Whether a call needs the owner's permissions: agents' calls and calls requested by models do. Other calls of roles
 * belong to the engine.
 */
export function usesRights({ call, position }: CallSite): boolean {
  return !call.actor.isRole || position !== undefined
}

/** The tool calls that the job has finished, in their order; the same after a restart. */
export function earlierCalls({ host, job }: ActorCall): readonly EarlierCall[] {
  const records = [...(host.state.calls.get(job.key)?.values() ?? [])]
  return records.flatMap(({ kind, name, input, output }) =>
    kind === 'tool' ? [{ tool: name, input, ...(output === undefined ? {} : { output }) }] : [],
  )
}
