import type { Agent, LeadAgent, Role } from '../domain/actor.ts'
import type { ArtifactStore } from '../domain/artifacts.ts'
import type { Clock } from '../shared/clock.ts'
import type { Recollection } from '../domain/conversation.ts'
import type { ParentRef, RunId } from '../domain/events.ts'
import type { HttpTools } from '../domain/http.ts'
import type { ModelPort } from '../domain/model.ts'
import type { Owner } from '../domain/owner.ts'
import type { Provenance } from '../domain/provenance.ts'
import type { Budget } from '../domain/request.ts'
import type { RunState } from '../domain/state.ts'
import type { LeaseKeeper, RunStore, Wakeups } from '../domain/store.ts'
import type { Strategy } from '../domain/strategy.ts'
import type { ApprovalPolicy } from './run/live-run.ts'

/** What people may use all in all, beside the budget of each run. */
export interface RunLimits {
  /**
   * Sets aside what a run may use, before it begins; one that begins twice is given the same.
   * @returns its budget, made smaller where there is less left
   * @throws TuttiError `LimitReached`
   */
  reserve(runId: RunId, owner: Owner, budget: Budget): Promise<Budget>
  /** For a run that did not begin. */
  release(runId: RunId): Promise<void>
}

export interface EngineOptions {
  readonly store: RunStore
  readonly models: ModelPort
  readonly strategies: readonly Strategy[]
  /** Names that users may request. The caller that starts a run maps them to one of `strategies`. */
  readonly strategyNames?: readonly string[]
  readonly roles: readonly Role[]
  /** Agents that strategies are led by. */
  readonly leads?: readonly LeadAgent[]
  readonly agents: readonly Agent[]
  /**
   * Those who may work on a run, of whom nothing else is known in it: looked up whenever a worker takes the run up. All when
   * absent.
   */
  readonly agentsOf?: (run: Pick<RunState, 'owner' | 'request'>) => Promise<readonly Agent[]>
  /**
   * What an owner may use, looked up before `agentsOf`: what it gives is called before each call of an agent to a tool, and throws once
   * something of it was taken away.
   */
  readonly rightsOf?: (owner: Owner) => Promise<() => Promise<void>>
  readonly limits?: RunLimits
  readonly clock?: Clock
  readonly random?: () => number
  readonly approvals?: Partial<ApprovalPolicy>
  /** Where agents keep large files; in memory when absent. */
  readonly artifacts?: ArtifactStore
  /** The network for `ctx.http`, as `httpTools` makes it; agents have none when absent. */
  readonly http?: HttpTools
  /** Jobs of one run at work at the same time, those that wait not counted; 8 by default. */
  readonly maxParallel?: number
  /** Runs at work in this process at the same time, those that wait for a person not counted; 50 by default. */
  readonly maxRuns?: number
  /** How long a silent worker keeps its runs, in milliseconds; 9 s by default. */
  readonly leaseMs?: number
  /** Renews leases while the event loop is blocked; absent, only the event loop renews them. */
  readonly leaseKeeper?: LeaseKeeper
  /** Secrets of this process, which no reader of a run may see. */
  readonly secrets?: readonly string[]
  /** Told once of each run that came to its end here, when that is on disk. */
  readonly onOver?: (runId: RunId) => void
  /** With a queue, workers that dequeue runs work on them; without, the process that starts or wakes them does. */
  readonly wakeups?: Wakeups
}

export const DEFAULT_APPROVALS: ApprovalPolicy = {
  timeoutMs: 120_000,
  allowsWithoutApproval: () => false,
  allowsDestination: () => false,
}

export interface StartOptions {
  readonly runId?: RunId
  readonly parent?: ParentRef
  /** Whom the run belongs to; `local` when absent. */
  readonly owner?: Owner
  /** What it is given of earlier runs; absent: it has no memory. */
  readonly recollection?: Recollection
  /** Of the request; absent: a person's own words. */
  readonly provenance?: Provenance
  /** What is secret beside what the request declares. */
  readonly secrets?: readonly string[]
  /** By what a repetition of the request is known. */
  readonly fingerprint?: string
}
