import type { ApprovalScope } from './approvals.ts'
import type { ArtifactStore } from './artifacts.ts'
import { type ApprovalDecision, type NewEvent, type RunEvent, type RunId, type Owner, isModelCall } from './events.ts'
import type { Provenance } from './provenance.ts'
import type { StrategyName } from './request.ts'
import type { Usage } from './usage.ts'

/** An actor that started a job in a run, or a model that answered in it. Runs can be searched by them. */
export interface RunPart {
  readonly kind: 'agent' | 'model'
  readonly name: string
}

/** Database keys have a maximum length, but model names do not: longer names are matched by their beginning. */
const MAX_NAME_CHARS = 300

export function partName(name: string): string {
  return name.slice(0, MAX_NAME_CHARS)
}

/**
 * Whether the model never answered a call, for example because the server is down or refuses the key. It then does not
 * count as used.
 */
export function isUnanswered({ by, usage }: { readonly by?: string; readonly usage?: Usage | undefined }): boolean {
  // A call that may have been processed has a usage, which is empty if the provider reports none.
  return by === 'fallback' && usage === undefined
}

/** The model that a call used. */
export function usesModel(event: NewEvent): string | undefined {
  return isModelCall(event) && !isUnanswered(event) ? event.model : undefined
}

/** The part that an event adds to its run. Stores, lists and sums all use this function. */
function partOf(event: NewEvent): RunPart | undefined {
  if (event.type === 'job.started') return { kind: 'agent', name: partName(event.actor) }
  const model = usesModel(event)
  return model === undefined ? undefined : { kind: 'model', name: partName(model) }
}

/** All of them, each once. */
export function runParts(events: readonly NewEvent[]): readonly RunPart[] {
  const parts = events.flatMap((event) => partOf(event) ?? [])
  return [...new Map(parts.map((part) => [`${part.kind} ${part.name}`, part])).values()]
}

/** The first `length` characters of the answer's `part`. */
export interface TextPosition {
  readonly part: number
  readonly length: number
}

/** A piece of the answer from the log. */
export type AnswerPiece = Extract<RunEvent, { type: 'answer.delta' }>

/** Appends to a run, as far as the sender knows them. */
export interface RunNews {
  readonly runId: RunId
  /** The last event of the run's log. */
  readonly seq: number
  /** The appended events, the last one at `seq`, if they were small enough to be sent along. */
  readonly events?: readonly RunEvent[]
}

/** Some of a run's events, in order and without a gap, and how much room they take. */
export interface EventPage {
  readonly events: readonly RunEvent[]
  /** Size as JSON in characters; 0 if the events are in memory anyway. */
  readonly chars: number
}

/**
 * Tells the readers of a process about appends to runs by any process. It has its own connection to the store, so that
 * many readers do not slow down workers.
 */
export interface RunFeed {
  /** At most `limit` events with `seq > afterSeq`. Empty only if there are none. */
  page(runId: RunId, afterSeq: number, limit: number): Promise<EventPage>
  /** The position of the last event in each of these logs, by one query; runs that do not exist are left out. */
  heads(runIds: readonly RunId[]): Promise<ReadonlyMap<RunId, number>>
  /** The latest piece of the answer up to `seq`; undefined when there was none. */
  lastText(runId: RunId, seq: number): Promise<AnswerPiece | undefined>
  /**
   * Calls `onNews` for appends as soon as possible; the returned function stops it. Some notifications may get lost
   * (other processes, broken connections), so readers also poll `mayHaveNews`.
   */
  listen(onNews: (news: RunNews) => void): () => void
  /** Whether it is time to poll for new events. Called several times a second, so it must be cheap. */
  mayHaveNews(now: number): boolean
}

export type RunStatus = 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled'

export function isFinal(status: RunStatus): boolean {
  return status === 'finished' || status === 'failed' || status === 'cancelled'
}

/** A row of the list of runs; a projection of the log, written in the transaction that appends. */
export interface RunRecord {
  readonly runId: RunId
  readonly owner: Owner
  readonly question: string
  readonly strategy: StrategyName
  readonly status: RunStatus
  readonly parentId?: RunId
  readonly lastSeq: number
  /** Grows with each claim; a worker with an older epoch can no longer append. */
  readonly epoch: number
  readonly worker?: string
  /** Milliseconds since the epoch, as all times here. */
  readonly leaseUntil?: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** Renewed by a worker while it works on a run. */
export type Lease = Pick<RunRecord, 'runId' | 'epoch'>

/** Renews the leases of this process while its event loop is blocked. */
export interface LeaseKeeper {
  /** Replaces the leases to renew. The caller repeats this at every pulse, which shows that its event loop is alive. */
  keep(leases: readonly Lease[]): void
}

/** A run as its new worker gets it. */
export interface ClaimedRun extends RunRecord {
  /** The worker that had the run and did not release it. */
  readonly takenFrom?: string
}

export interface ApprovalRecord {
  readonly approvalId: string
  readonly runId: RunId
  readonly owner: Owner
  readonly key: string
  readonly path: string
  readonly tool: string
  readonly payload: unknown
  readonly reason: string
  /** Labels of the call's input. Absent in older rows. */
  readonly provenance?: Provenance
  readonly status: 'pending' | ApprovalDecision
  readonly requestedAt: number
  readonly expiresAt: number
  readonly decidedBy?: string
  readonly decidedAt?: number
  /** The user's instructions to the agent. */
  readonly instructions?: string
  /** The destination of the call; absent if only this call can be approved. */
  readonly destination?: string
  /** The scopes that can be approved, the default first; only `once` when absent. */
  readonly scopes?: readonly ApprovalScope[]
  readonly conversationId?: string
  /** The approved scope; `once` when absent. */
  readonly scope?: ApprovalScope
  /** The input as the user edited it. */
  readonly editedPayload?: unknown
  /** When and by which user an approval for later calls was revoked. */
  readonly revokedAt?: number
  readonly revokedBy?: string
}

/** A run to be woken, at once or at a time. */
export interface Wake {
  readonly runId: RunId
  readonly at?: number
}

/** Events for one run, to go in right after `afterSeq`. */
export interface Append {
  readonly runId: RunId
  readonly afterSeq: number
  /** The appending worker's epoch. Absent for anyone who is not the run's worker: starter, approver, canceller. */
  readonly epoch?: number
  readonly events: readonly NewEvent[]
  /** The run's status from now on, when it changes. */
  readonly status?: RunStatus
  readonly wakes?: readonly Wake[]
}

/**
 * `appended`: all events are in, the last at `afterSeq + events.length`. `conflict`: someone appended in between; read
 * on and try again. `lost`: another worker has claimed the run, or it does not exist.
 */
export type AppendOutcome = 'appended' | 'conflict' | 'lost'

/** Without an owner, runs of all owners: for workers and recovery. */
export interface RunFilter {
  readonly owner?: Owner
  readonly status?: readonly RunStatus[]
  readonly parentId?: RunId
  readonly parentIds?: readonly RunId[]
  /** Only runs with a worker, dead or alive. */
  readonly isHeld?: true
  /** Only runs that no other run has started. */
  readonly isFirst?: true
  readonly strategy?: StrategyName
  /** Runs in which one of these agents started a job. */
  readonly agents?: readonly string[]
  /** Runs in which this model was called. */
  readonly model?: string
  /** Words that must all occur in the question; case-insensitive (SQLite: for a to z only). */
  readonly words?: readonly string[]
  /** Begun at this moment or later. */
  readonly from?: number
  /** Begun before this moment. */
  readonly until?: number
  /** Only runs after this one in the list (a cursor). */
  readonly after?: Pick<RunRecord, 'createdAt' | 'runId'>
  readonly limit?: number
}

/** Without `owner`, the approvals of all owners. */
export interface ApprovalFilter {
  readonly owner?: Owner
  readonly runId?: RunId
  readonly status?: ApprovalRecord['status']
  readonly approvalId?: string
  readonly tool?: string
  readonly destination?: string
  /** Only approvals that cover later runs and were not revoked. */
  readonly isStanding?: true
}

/** Where runs are kept. One contract, two implementations: SQLite, in a file or in memory, and PostgreSQL. */
export interface RunStore {
  /** For processes that read runs but do not work on them. */
  readonly feed: RunFeed
  /** Files of runs, and of documents. */
  readonly artifacts: ArtifactStore
  /**
   * Appends to any number of runs in one transaction; a conflict of one run does not affect the others. `durable` syncs
   * to disk before it resolves; without it the events survive a crash of the process, but not of the machine.
   */
  append(appends: readonly Append[], options?: { readonly durable?: boolean }): Promise<readonly AppendOutcome[]>
  /** Events with `seq > afterSeq`, in order. */
  read(runId: RunId, afterSeq?: number): Promise<readonly RunEvent[]>
  run(runId: RunId): Promise<RunRecord | undefined>
  /** Newest first. */
  runs(filter?: RunFilter): Promise<readonly RunRecord[]>
  /** Agents and models of the owner's top-level runs, each once, in order of kind and name. */
  parts(owner: Owner): Promise<readonly RunPart[]>
  approvals(filter?: ApprovalFilter): Promise<readonly ApprovalRecord[]>
  /** Ends a standing approval of the owner; false when there is none with this id. */
  revokeApproval(owner: Owner, approvalId: string, by: string, at: number): Promise<boolean>
  /**
   * Claims a run for `worker`: raises its epoch and sets the lease. Undefined if a live worker holds it: its lease has
   * not expired and `isAlive` does not deny it (a dead process on the same machine).
   */
  claim(
    runId: RunId,
    worker: string,
    leaseUntil: number,
    now: number,
    isAlive?: (worker: string) => boolean,
  ): Promise<ClaimedRun | undefined>
  /** Extends the lease; false when the run was lost. */
  renew(runId: RunId, epoch: number, leaseUntil: number): Promise<boolean>
  /** Releases the lease without a change of the log. */
  release(runId: RunId, epoch: number): Promise<void>
  /**
   * Erases a run of the owner with all its data: events, values, approvals, wakes, nested runs. Erases nothing while
   * the run or one of its nested runs is not over.
   * @returns how many runs were erased; 0 if there is no such run or one of them is not over
   */
  remove(owner: Owner, runId: RunId): Promise<number>
  close(): Promise<void>
}

/** Wakes runs up: in this process, or through a queue that several workers share. */
export interface Wakeups {
  /** Starts to hand due runs to `handle`; one call at a time per run. */
  work(handle: (runId: RunId) => Promise<void>): Promise<void>
  /** Stops taking new runs and waits for running ones. */
  stop(): Promise<void>
}
