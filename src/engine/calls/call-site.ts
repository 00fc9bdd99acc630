import { originOf, type Provenance } from '../../core/provenance.ts'
import type { CallRecord } from '../../core/state.ts'
import type { ActorCall } from './actor-call.ts'
import type { Attempt } from './attempt.ts'
import type { CallPaths } from './call-paths.ts'
import type { EarlierEffects } from './earlier-effects.ts'

/** What the functions behind an actor's context work with. */
export interface CallSite {
  readonly call: ActorCall
  readonly attempt: Attempt
  readonly paths: CallPaths
  readonly earlier: EarlierEffects
  /** The labels of the call's input. */
  readonly provenance: Provenance
  /** Where the input comes from, for people: a clause that follows "and"; undefined for the user's words. */
  readonly origin: string | undefined
}

/** Of the attempt that is under way. */
export function siteOf(call: ActorCall): CallSite {
  return {
    call,
    attempt: call.attempt!,
    paths: call.paths!,
    earlier: call.earlier!,
    get provenance() {
      return call.provenance
    },
    get origin() {
      return originOf(call.provenance)
    },
  }
}

/** A path of its own for each attempt: a retried job makes its calls anew. */
export function attemptPath({ call, attempt, paths }: CallSite, name: string, input: unknown): string {
  return paths.next(`${call.job.key}@${attempt.number}`, name, input)
}

/** One path for all attempts, for what must not happen twice. */
export function jobPath({ call, paths }: CallSite, name: string, input: unknown): string {
  return paths.next(call.job.key, name, input)
}

/** The journal's record of a call that succeeded before this process took the job up. */
export function recorded({ call }: CallSite, path: string): CallRecord | undefined {
  const record = call.host.state.calls.get(call.job.key)?.get(path)
  return record?.error === undefined ? record : undefined
}
