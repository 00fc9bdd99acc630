import type { Agent, LeadAgent, Role } from '../domain/actor.ts'
import type { ArtifactStore } from '../domain/artifacts.ts'
import type { Clock } from '../shared/clock.ts'
import type { Recollection } from '../domain/conversation.ts'
import type { ParentRef, RunId, Owner } from '../domain/events.ts'
import type { ModelPort } from '../domain/model.ts'
import type { Provenance } from '../domain/provenance.ts'
import type { Budget } from '../domain/request.ts'
import type { RunState } from '../domain/state.ts'
import type { LeaseKeeper, RunStore, Wakeups } from '../domain/store.ts'
import type { Strategy } from '../domain/strategy.ts'
import type { ApprovalPolicy } from './run/live-run.ts'

/** Users' overall limits, in addition to the budget of each run. */
export interface RunLimits {
  /**
   * Reserves a run's budget before it starts; a run that starts twice gets the same reservation.
   * @returns its budget, reduced to the remaining quota
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
   * The agents that may work on a run, looked up whenever a worker takes the run. Agents that are not returned do not
   * exist for the run. All agents when absent.
   */
  readonly agentsOf?: (run: Pick<RunState, 'owner' | 'request'>) => Promise<readonly Agent[]>
  /**
   * The owner's permissions, looked up before `agentsOf`. The returned function is called before each tool call of an
   * agent, and throws once a permission was revoked.
   */
  readonly rightsOf?: (owner: Owner) => Promise<() => Promise<void>>
  readonly limits?: RunLimits
  readonly clock?: Clock
  readonly random?: () => number
  readonly approvals?: Partial<ApprovalPolicy>
  /** Where agents keep large files; by default those of `store`. */
  readonly artifacts?: ArtifactStore
  /** Maximum number of concurrent jobs per run; waiting jobs do not count. 8 by default. */
  readonly maxParallel?: number
  /** Maximum number of concurrent runs in this process; runs waiting for a user do not count. 50 by default. */
  readonly maxRuns?: number
  /** How long a silent worker keeps its runs, in milliseconds; 9 s by default. */
  readonly leaseMs?: number
  /** Renews leases while the event loop is blocked; absent, only the event loop renews them. */
  readonly leaseKeeper?: LeaseKeeper
  /** Secrets of this process, which no reader of a run may see. */
  readonly secrets?: readonly string[]
  /** Called once for each run that ended here, after its end is on disk. */
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
  /** The owner of the run; `local` when absent. */
  readonly owner?: Owner
  /** Memory from earlier runs; absent: the run has no memory. */
  readonly recollection?: Recollection
  /** Labels of the request; absent: the user's own words. */
  readonly provenance?: Provenance
  /** Secrets in addition to those that the request declares. */
  readonly secrets?: readonly string[]
  /** Identifies repetitions of the request. */
  readonly fingerprint?: string
}
