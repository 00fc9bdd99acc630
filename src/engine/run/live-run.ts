import type { Agent } from '../../domain/actor.ts'
import type { ArtifactStore } from '../../domain/artifacts.ts'
import type { Clock } from '../../shared/clock.ts'
import type { EventBody, RunId } from '../../domain/events.ts'
import type { HttpTools } from '../../domain/tool.ts'
import type { ModelPort } from '../../domain/model.ts'
import type { Provenance } from '../../domain/provenance.ts'
import type { RunRequest } from '../../domain/request.ts'
import type { RunState } from '../../domain/state.ts'
import type { ApprovalRecord } from '../../domain/store.ts'
import type { Wait } from '../../domain/human-wait-time.ts'
import type { SourceIds } from '../calls/source-ids.ts'
import type { BudgetMeter } from './budget.ts'
import type { Claim } from './run-tree.ts'
import type { Slots } from './slots.ts'

export interface ApprovalPolicy {
  /** Time for a user's decision, in milliseconds. */
  readonly timeoutMs: number
  /**
   * Whether this irreversible call needs no approval. Only called if the user wrote all that the turn has read;
   * otherwise a user must approve, whatever the settings are.
   */
  readonly allowsWithoutApproval: (tool: string, input: unknown) => boolean
  /** Whether the operator lets reads carry anything to this destination. */
  readonly allowsDestination: (destination: string) => boolean
}

/** The interface of a run's driver for its parts. */
export interface LiveRun {
  readonly state: RunState
  readonly clock: Clock
  readonly models: ModelPort
  readonly budget: BudgetMeter
  /** Remaining time of the run's time limit, in milliseconds; undefined without one. */
  timeLeft(): number | undefined
  readonly approvals: ApprovalPolicy
  /** Approvals of the owner that cover later calls of this tool to this destination. */
  standingApprovals(tool: string, destination: string): Promise<readonly ApprovalRecord[]>
  readonly artifacts: ArtifactStore
  readonly http: HttpTools | undefined
  readonly sourceIds: SourceIds
  readonly random: () => number
  /** All specialists that the owner has. */
  readonly agents: readonly Agent[]
  /** Names of actors that may have tasks: specialists, and agents that lead a strategy. */
  readonly taskActors: ReadonlySet<string>
  /** Applies an event to the state and queues it for the log. */
  push(event: EventBody): void
  /** Resolves once everything pushed so far is on disk. */
  flush(): Promise<void>
  /** How often a worker has claimed the run, this time included. */
  readonly epoch: number
  /** @throws TuttiError `RunLost` when another worker has the run by now */
  assertHeld(): Promise<void>
  /** @throws TuttiError `NotAllowed` once a permission that the owner's agents use was revoked */
  readonly assertGiven: () => Promise<void>
  /** Shows text of the answer at once and keeps it, gathered into larger pieces, in the log. */
  streamAnswer(key: string, text: string, offset: number, release?: (soFar: string) => string): void
  /** The text so far is whole. */
  pauseAnswer(): void
  /** The slots of the run's jobs. */
  readonly slots: Slots
  /** A job has come to a point at which all it does is wait. */
  onIdle(): void
  /** Resolves when `isDone` holds for the state; checked after each external event. */
  until(isDone: (state: RunState) => boolean): Promise<void>
  readonly children: {
    /** Starts a child run of a job unless it exists; true when it is over already. */
    start(childId: RunId, key: string, request: RunRequest, provenance: Provenance): Promise<boolean>
    /** The state of a child run once it is over; sooner when the signal is aborted. */
    outcome(childId: RunId, signal: AbortSignal): Promise<RunState>
    /** Times in which all of it waited for users. */
    waits(childId: RunId): Promise<readonly Wait[]>
    /** See `claimCall`. */
    claim(claim: Claim, isMade: boolean): Promise<readonly string[]>
  }
}
