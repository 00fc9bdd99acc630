import type { Action, EffectState } from './effects.ts'
import type { ArtifactRef } from './artifacts.ts'
import type { Message, SharedEntry } from './blackboard.ts'
import type { Recollection } from './conversation.ts'
import { TuttiError, type ErrorInfo } from './errors.ts'
import {
  type BudgetLimit,
  type EventBody,
  type NewEvent,
  type ParentRef,
  type RunEvent,
  type RunId,
  type Owner,
  LOCAL_OWNER,
} from './events.ts'
import type { Rejection } from './job.ts'
import type { Task } from './plan.ts'
import { type Provenance, BY_USER } from './provenance.ts'
import { reduce, type StateDraft } from './reduce.ts'
import type { RunLimits, RunRequest } from './request.ts'
import type { Result } from './result.ts'
import type { RunStatus } from './store.ts'
import type { TranscriptState } from './transcript.ts'
import { type UsageTotals, NO_USAGE } from './usage.ts'
import { omitUndefined } from '../shared/json.ts'

type Content<T extends EventBody['type']> = Omit<Extract<EventBody, { type: T }>, 'type' | 'secrets'>

export interface PlanState extends Omit<Content<'plan.set'>, 'key' | 'upon'> {
  /** Tasks of earlier plans that a user or a supervisor changed or removed. */
  readonly retired?: readonly Task[]
  /** For a plan that a supervisor set: the tasks that the planner, or a user, last derived from the question. */
  readonly asked?: readonly Task[]
  /** 1 for the first plan, 2 after the first replanning, and so on. */
  readonly round: number
}

export interface JobState extends Content<'job.started'> {
  readonly status: 'running' | Result['status']
  /** Number of attempts so far, this job included: the round of a step or of a repeated task. */
  readonly round: number
  readonly startedAt: string
  readonly result?: Result
  /** Key of the later attempt that replaced it. */
  readonly supersededBy?: string
  /**
   * A plan change removed its task or a task that it depends on: it is cancelled, and no job gets its result as input.
   */
  readonly isOutdated?: true
  /** Rejections of its attempts, in order. */
  readonly rejections?: readonly Rejection[]
  /** Approvals that its calls requested, in order. */
  readonly approvals?: readonly string[]
  /** Its writes, and changing calls of its nested runs. */
  readonly actions?: readonly Action[]
  /** Paths of its irreversible calls, in their order. */
  readonly effects?: readonly string[]
}

type Asked = Pick<Content<'approval.requested'>, 'key' | 'path' | 'tool' | 'expiresAt' | 'destination'>

export interface ApprovalState extends Asked, Partial<Content<'approval.decided'>> {
  readonly approvalId: string
  /** The text of a question to the user. */
  readonly question?: string
  /** Labels of that question. */
  readonly provenance?: Provenance
}

/** A finished call, kept while its job is unsettled so that a repeated attempt gets the recorded answer. */
export type CallRecord = Extract<EventBody, { type: 'call.finished' }>

export interface AnswerState extends Omit<Content<'answer.composed'>, 'key' | 'answer'> {
  readonly text: string
}

/** A run's state, folded from its log. Read-only: only `fold` and `applyEvent` write. */
export interface RunState {
  readonly runId: RunId
  readonly seq: number
  readonly status: RunStatus
  readonly owner: Owner
  readonly request: RunRequest
  /** Absent: the run has no memory. */
  readonly recollection?: Recollection
  /** Of the request; absent means trusted. */
  readonly provenance?: Provenance
  readonly parent?: ParentRef
  readonly forkOf?: ParentRef
  readonly isRetry?: true
  /** Secrets in addition to those that the request declares; empty for readers. */
  readonly secrets: readonly string[]
  readonly startedAt: string
  readonly endedAt?: string
  readonly plan?: PlanState
  /** In the order they were first started. */
  readonly jobs: ReadonlyMap<string, JobState>
  /** Keys of each step's jobs by its name, in order; the step that started last comes last. */
  readonly steps: ReadonlyMap<string, readonly string[]>
  /** The blackboard, by name. */
  readonly shared: ReadonlyMap<string, SharedEntry>
  /** Messages between actors, in order; those of superseded attempts are included. */
  readonly messages: readonly Message[]
  /** Of everything that jobs have come back with. */
  readonly resultProvenance: Provenance
  /** Number of specialists started; excludes jobs skipped because inputs were missing. */
  readonly turns: number
  /**
   * By job key, then by call path: all finished calls of unsettled jobs; for settled jobs, only the calls that an
   * answer is checked against.
   */
  readonly calls: ReadonlyMap<string, ReadonlyMap<string, CallRecord>>
  /** Files in the outputs of tools, by job key. */
  readonly files: ReadonlyMap<string, readonly ArtifactRef[]>
  /** By job key. */
  readonly transcripts: ReadonlyMap<string, TranscriptState>
  readonly approvals: ReadonlyMap<string, ApprovalState>
  /** The user's additions while the run was working, in order. */
  readonly said: readonly string[]
  /** Bits that calls sent to a destination through the choice of the user's words, by path of the call; of all jobs. */
  readonly egressBits: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Approved for all calls of a tool to a destination in this run. */
  readonly runApprovals: readonly ApprovalState[]
  /** Approvals without a decision. */
  readonly openApprovals: ReadonlyMap<string, ApprovalState>
  /** By call path; never forgotten. */
  readonly effects: ReadonlyMap<string, EffectState>
  /** Paths of identical calls, by the result of `callWithin`. */
  readonly sameEffects: ReadonlyMap<string, readonly string[]>
  /** Child runs by call path. */
  readonly children: ReadonlyMap<string, RunId>
  /** Budgets reserved for child runs that have not finished. */
  readonly childBudgets: ReadonlyMap<RunId, RunLimits>
  /** Children whose usage is part of `usage`. */
  readonly finishedChildren: ReadonlySet<RunId>
  /** Text of the answer's current part, streamed so far. */
  readonly answerText: string
  readonly answerPart: number
  /** Time in a worker's hands up to the latest release; the time since `sessionStart` is not included. */
  readonly activeMs: number
  readonly sessionStart: string
  /** Time between the sessions, except for times in which a nested run's work was counted. */
  readonly awayMs: number
  /** How often the run was taken over from a worker that stopped, since the last finished job or call. */
  readonly takeovers: number
  /** When the run was last worked on, according to its log. */
  readonly lastAt: string
  readonly answer?: AnswerState
  readonly usage: UsageTotals
  readonly exhausted?: { readonly limit: BudgetLimit; readonly message: string }
  readonly cancelling?: { readonly by: string }
  readonly error?: ErrorInfo
}

/**
 * The state after all events. Pure: returns a new state each time.
 * @throws TuttiError `StorageError` when the log does not begin with `run.started` or has a gap
 */
export function fold(events: Iterable<RunEvent>): RunState {
  let state: RunState | undefined
  for (const event of events) state = applyEvent(state, event)
  if (state === undefined) throw new TuttiError('RunNotFound', 'The log of this run is empty.')
  return state
}

/**
 * Applies one event in place and returns the state; without a state, a new one for `run.started`. Only for the owner of
 * a live state (the engine's run driver), which would otherwise copy every map for every event.
 */
export function applyEvent(state: RunState | undefined, event: RunEvent): RunState {
  if (state === undefined) return initialState(event)
  if (event.seq !== state.seq + 1) {
    throw new TuttiError('StorageError', `The log of run ${event.runId} has a gap: ${event.seq} follows ${state.seq}.`)
  }
  advance(state, event)
  return state
}

/** Applies, in place, the event that its writer expects to be next in the log. */
export function advance(state: RunState, event: NewEvent): void {
  const draft = state as StateDraft
  draft.seq++
  if (event.secrets !== undefined) draft.secrets = [...new Set([...draft.secrets, ...event.secrets])]
  reduce(draft, event)
  if (!isFromOutside(event)) draft.lastAt = event.at
}

/** Ends a run that is over in another way, when its end was not in the log yet. */
export function endUnfinished(state: RunState, event: Extract<NewEvent, { type: 'run.cancelled' }>): void {
  const draft = state as StateDraft
  delete draft.error
  reduce(draft, event)
}

/** Events that users cause while a run waits. They are no work on the run and do not count as its time. */
function isFromOutside(event: EventBody): boolean {
  if (event.type === 'plan.set') return event.key === undefined
  return ['approval.decided', 'run.cancelling', 'user.said'].includes(event.type)
}

/** Time that a run was in memory, in milliseconds: a run that only waits leaves memory. */
export function workMs({ activeMs, lastAt, sessionStart }: RunState): number {
  return activeMs + Math.max(0, Date.parse(lastAt) - Date.parse(sessionStart))
}

/** Takes back the end of a run, which was not in the log yet. */
export function reopen(state: RunState): void {
  const draft = state as StateDraft
  draft.seq--
  draft.status = 'running'
  delete draft.endedAt
}

/** Whether a run has ended, so that its state no longer changes. */
export function isOver(state: RunState): boolean {
  return state.status === 'finished' || state.status === 'failed' || state.status === 'cancelled'
}

/** Whether a job is over, however it ended. */
export function isSettled(job: JobState | undefined): boolean {
  return job?.result !== undefined
}

/** How many more specialists may start, not counting turns reserved for nested runs; `Infinity` without a limit. */
export function freeTurns({ exhausted, request, turns, childBudgets }: RunState): number {
  if (exhausted !== undefined) return 0
  if (request.maxTurns === undefined) return Infinity
  const reservedTurns = [...childBudgets.values()].reduce((sum, { maxTurns = 0 }) => sum + maxTurns, 0)
  return Math.max(0, request.maxTurns - turns - reservedTurns)
}

/** @throws TuttiError `StorageError` for anything but the start of a run */
function initialState(event: RunEvent): RunState {
  if (event.type !== 'run.started' || event.seq !== 1) {
    throw new TuttiError('StorageError', `The log of run ${event.runId} does not begin with its start.`)
  }
  const { recollection, provenance, parent, forkOf, isRetry } = event
  return {
    runId: event.runId,
    seq: 1,
    status: 'running',
    owner: event.owner ?? LOCAL_OWNER,
    request: event.request,
    ...omitUndefined({ recollection, provenance, parent, forkOf, isRetry }),
    secrets: event.secrets ?? [],
    startedAt: event.at,
    jobs: new Map(),
    steps: new Map(),
    shared: new Map(),
    messages: [],
    resultProvenance: BY_USER,
    turns: 0,
    calls: new Map(),
    files: new Map(),
    transcripts: new Map(),
    approvals: new Map(),
    said: [],
    egressBits: new Map(),
    runApprovals: [],
    openApprovals: new Map(),
    effects: new Map(),
    sameEffects: new Map(),
    children: new Map(),
    childBudgets: new Map(),
    finishedChildren: new Set(),
    answerText: '',
    answerPart: 0,
    activeMs: 0,
    awayMs: 0,
    takeovers: 0,
    sessionStart: event.at,
    lastAt: event.at,
    usage: NO_USAGE,
  }
}
