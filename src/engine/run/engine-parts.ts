import type { ArtifactStore } from '../../domain/artifacts.ts'
import type { Clock } from '../../shared/clock.ts'
import type { RunEvent, RunId, Owner } from '../../domain/events.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { HttpTools } from '../../domain/tool.ts'
import type { ModelPort } from '../../domain/model.ts'
import type { Provenance } from '../../domain/provenance.ts'
import type { RunRequest } from '../../domain/request.ts'
import { declaredBy } from '../../domain/secrets.ts'
import type { RunState } from '../../domain/state.ts'
import type { ApprovalRecord } from '../../domain/store.ts'
import { humanWaits } from '../../domain/human-wait-time.ts'
import type { Claim } from './run-tree.ts'
import type { LiveHub } from '../readers/live.ts'
import type { ApprovalPolicy, LiveRun } from './live-run.ts'
import type { LogWriter, RunLog } from '../log/run-log.ts'
import type { StartOptions } from '../options.ts'

/** Shared by all drivers of one engine. */
export interface EngineParts {
  readonly clock: Clock
  readonly models: ModelPort
  readonly writer: LogWriter
  readonly live: LiveHub
  readonly approvals: ApprovalPolicy
  readonly artifacts: ArtifactStore
  readonly http: HttpTools | undefined
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
  events(childId: RunId): Promise<readonly RunEvent[]>
  /** Has no effect on a run that is over or does not exist. */
  cancel(childId: RunId, by: string): Promise<void>
  /** See `claimCall`. */
  claim(runId: RunId, claim: Claim, isMade: boolean): Promise<readonly string[]>
}

/** Inherited by a nested run from its parent; `provenance` are the labels of its request. */
export type Inherited = Required<Pick<StartOptions, 'parent' | 'owner' | 'provenance'>> &
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
    waits: async (childId) => humanWaits(await children.events(childId)),
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
