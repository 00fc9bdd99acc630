import type { Agent } from '../../domain/actor.ts'
import type { ArtifactStore } from '../../domain/artifacts.ts'
import type { Clock } from '../../shared/clock.ts'
import type { EventBody, RunId, Owner } from '../../domain/events.ts'
import type { ModelPort } from '../../domain/model.ts'
import type { Provenance } from '../../domain/provenance.ts'
import type { RunRequest } from '../../domain/request.ts'
import type { RunState } from '../../domain/state.ts'
import type { ApprovalRecord } from '../../domain/store.ts'
import type { SourceIds } from '../calls/source-ids.ts'
import type { BudgetMeter } from './budget.ts'
import type { Claim } from './run-tree.ts'
import type { Slots } from './slots.ts'
import { omitUndefined } from '../../shared/json.ts'
import { declaredBy } from '../../domain/secrets.ts'
import type { LiveHub } from '../readers/live.ts'
import type { LogWriter, RunLog } from '../log/run-log.ts'
import type { StartOptions } from '../options.ts'

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
  readonly assertPermitted: () => Promise<void>
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
    /** See `claimCall`. */
    claim(claim: Claim, isMade: boolean): Promise<readonly string[]>
  }
}

/** Shared by all drivers of one engine. */
export interface EngineParts {
  readonly clock: Clock
  readonly models: ModelPort
  readonly writer: LogWriter
  readonly live: LiveHub
  readonly approvals: ApprovalPolicy
  readonly artifacts: ArtifactStore
  readonly random: () => number
  /** Maximum number of concurrent jobs per run; waiting jobs do not count. */
  readonly maxParallel: number
  /** Whether runs that wait are woken through a queue. */
  readonly queued: boolean
  readonly children: Children
  /** @throws TuttiError `RunLost` when another worker has the run by now */
  readonly assertHeld: (log: RunLog) => Promise<void>
  readonly standingApprovals: (owner: Owner, tool: string, destination: string) => Promise<readonly ApprovalRecord[]>
  /** Records that an approval timed out, unless it was decided. */
  readonly expire: (runId: RunId, approvalId: string) => Promise<void>
}

/** Nested runs, as the engine offers them to their parents. */
export interface Children {
  start(childId: RunId, request: RunRequest, inherited: Inherited): Promise<boolean>
  outcome(childId: RunId, signal: AbortSignal): Promise<RunState>
  /** Has no effect on a run that is over or does not exist. */
  cancel(childId: RunId, by: string): Promise<void>
  /** See `claimCall`. */
  claim(runId: RunId, claim: Claim, isMade: boolean): Promise<readonly string[]>
}

/** Inherited by a nested run from its parent; `provenance` are the labels of its request. */
type Inherited = Required<Pick<StartOptions, 'parent' | 'owner' | 'provenance'>> &
  Pick<StartOptions, 'recollection' | 'secrets'>

/** Data that a run passes to a nested run; `provenance` are the labels of the job. */
function inheritedFrom(state: RunState, key: string, provenance: Provenance): Inherited {
  const { runId, owner, recollection, request } = state
  const secrets = declaredBy({ request, secrets: state.secrets })
  const depth = state.parent === undefined ? undefined : (state.parent.depth ?? 1) + 1
  return {
    parent: { runId, key, ...omitUndefined({ depth }) },
    owner,
    provenance,
    ...(secrets.length === 0 ? {} : { secrets }),
    ...omitUndefined({ recollection }),
  }
}

/** The nested runs of one run; `onWait` is called when a job begins to wait for one. */
export function childrenOf(state: RunState, children: Children, onWait: () => void): LiveRun['children'] {
  return {
    start: (childId, key, request, provenance) =>
      children.start(childId, request, inheritedFrom(state, key, provenance)),
    outcome: (childId, signal) => {
      onWait()
      return children.outcome(childId, signal)
    },
    claim: (claim, isMade) => children.claim(state.runId, claim, isMade),
  }
}

/** Why a driver released its run: it is over, it waits for a user or a child, or another worker has it. */
export type DriverEnd = 'over' | 'waiting' | 'lost'

/** A live run's position in the log, to detect appends by other processes. */
export interface LogPosition {
  readonly epoch: number
  readonly seq: number
}
