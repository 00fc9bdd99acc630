import type { Citation } from './citation.ts'
import type { Recollection } from './conversation.ts'
import { doneEffect, intendedEffect, type EffectState } from './effect-state.ts'
import { TuttiError, type ErrorInfo } from './errors.ts'
import {
  type ApprovalDecision,
  type BudgetLimit,
  type EventBody,
  type NewEvent,
  type ParentRef,
  type RunEvent,
  type RunId,
} from './events.ts'
import type { ActorName } from './job.ts'
import { LOCAL_OWNER, type Owner } from './owner.ts'
import type { Plan, Task } from './plan.ts'
import type { Provenance } from './provenance.ts'
import type { RunRequest } from './request.ts'
import type { Result } from './result.ts'
import type { RunStatus } from './store.ts'
import type { Table } from './table.ts'
import { addUsage, NO_USAGE, type UsageTotals } from './usage.ts'

export interface PlanState {
  readonly plan: Plan
  readonly by: 'planner' | 'supervisor' | 'user'
  readonly rationale: string
  readonly confidence?: number
  readonly guardrails?: Readonly<Record<string, unknown>>
  readonly provenance?: Provenance
  /** 1 for the first plan, 2 after it was made anew, and so on. */
  readonly round: number
}

export interface JobState {
  readonly key: string
  readonly actor: ActorName
  readonly status: 'running' | Result['status']
  readonly attempt: number
  readonly startedAt: string
  readonly dependsOn?: readonly string[]
  readonly task?: Task
  readonly result?: Result
  /** How often it was done anew because a person gave instructions. */
  readonly redos?: number
  /** Approvals whose instructions are part of its task by now, in their order. */
  readonly instructed?: readonly string[]
}

export interface ApprovalState {
  readonly approvalId: string
  readonly key: string
  readonly path: string
  readonly tool: string
  readonly expiresAt: number
  readonly decision?: ApprovalDecision
  readonly by?: string
  readonly instructions?: string
}

/** A finished call, kept while its job is unsettled so that a repeated attempt gets the recorded answer. */
export type CallRecord = Extract<EventBody, { type: 'call.finished' }>

export interface AnswerState {
  readonly text: string
  readonly data?: Table
  readonly citations?: readonly Citation[]
  readonly confidence?: number
  readonly by: 'model' | 'fallback'
  readonly reason?: string
}

/** A run as its log tells it. Whoever receives it must not change it; `fold` and `applyEvent` alone write. */
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
  readonly startedAt: string
  readonly endedAt?: string
  readonly plan?: PlanState
  /** In the order they were first started. */
  readonly jobs: ReadonlyMap<string, JobState>
  /** Finished calls of unsettled jobs: by job key, then by call path. */
  readonly calls: ReadonlyMap<string, ReadonlyMap<string, CallRecord>>
  readonly approvals: ReadonlyMap<string, ApprovalState>
  /** By call path; never forgotten. */
  readonly effects: ReadonlyMap<string, EffectState>
  /** Child runs by call path. */
  readonly children: ReadonlyMap<string, RunId>
  /** Text of the answer's current part, streamed so far. */
  readonly answerText: string
  readonly answerPart: number
  /** Time the run was in a worker's hands, up to its latest return there; what is still to be added is `sessionStart` to now. */
  readonly activeMs: number
  readonly sessionStart: string
  /** When the run was last worked on, as far as its log tells. */
  readonly lastAt: string
  readonly answer?: AnswerState
  readonly usage: UsageTotals
  readonly exhausted?: { readonly limit: BudgetLimit; readonly message: string }
  readonly cancelling?: { readonly by: string }
  readonly error?: ErrorInfo
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

type Draft = {
  -readonly [K in keyof RunState]: RunState[K] extends ReadonlyMap<infer A, infer B> ? Map<A, B> : RunState[K]
}

/**
 * The state after all events. Pure: gives a new state each time.
 * @throws TuttiError `StorageError` when the log does not begin with `run.started` or has a gap
 */
export function fold(events: Iterable<RunEvent>): RunState {
  let state: RunState | undefined
  for (const event of events) state = applyEvent(state, event)
  if (state === undefined) throw new TuttiError('RunNotFound', 'The log of this run is empty.')
  return state
}

/**
 * Applies one event in place and gives the state back; with no state, a new one for `run.started`. For the single owner
 * of a live state (the engine's run driver), which would otherwise copy every map for every event.
 */
export function applyEvent(state: RunState | undefined, event: RunEvent): RunState {
  if (state === undefined) return initialState(event)
  if (event.seq !== state.seq + 1) {
    throw new TuttiError('StorageError', `The log of run ${event.runId} has a gap: ${event.seq} follows ${state.seq}.`)
  }
  advance(state, event)
  return state
}

/** Applies an event in place whose place in the log is the next one, as far as its writer knows. */
export function advance(state: RunState, event: NewEvent): void {
  const draft = state as Draft
  draft.seq++
  reduce(draft, event)
  if (!isFromOutside(event.type)) draft.lastAt = event.at
}

/** Ends a run that is over in another way, when its end was not in the log yet. */
export function endOtherwise(state: RunState, event: Extract<NewEvent, { type: 'run.cancelled' }>): void {
  const draft = state as Draft
  delete draft.error
  reduce(draft, event)
}

/** What people do to a run that waits is no work on it, and must not count as its time. */
function isFromOutside(type: EventBody['type']): boolean {
  return type === 'approval.decided' || type === 'run.cancelling'
}

function initialState(event: RunEvent): RunState {
  if (event.type !== 'run.started' || event.seq !== 1) {
    throw new TuttiError('StorageError', `The log of run ${event.runId} does not begin with its start.`)
  }
  return {
    runId: event.runId,
    seq: 1,
    status: 'running',
    owner: event.owner ?? LOCAL_OWNER,
    request: event.request,
    ...(event.recollection === undefined ? {} : { recollection: event.recollection }),
    ...(event.provenance === undefined ? {} : { provenance: event.provenance }),
    ...(event.parent === undefined ? {} : { parent: event.parent }),
    ...(event.forkOf === undefined ? {} : { forkOf: event.forkOf }),
    startedAt: event.at,
    jobs: new Map(),
    calls: new Map(),
    approvals: new Map(),
    effects: new Map(),
    children: new Map(),
    answerText: '',
    answerPart: 0,
    activeMs: 0,
    sessionStart: event.at,
    lastAt: event.at,
    usage: NO_USAGE,
  }
}

function reduce(draft: Draft, event: NewEvent): void {
  switch (event.type) {
    case 'run.started':
      throw new TuttiError('StorageError', `Run ${draft.runId} starts twice in its log.`)
    case 'plan.set': {
      const { plan, by, rationale, confidence, guardrails, provenance } = event
      draft.plan = {
        plan,
        by,
        rationale,
        ...(confidence === undefined ? {} : { confidence }),
        ...(guardrails === undefined ? {} : { guardrails }),
        ...(provenance === undefined ? {} : { provenance }),
        round: (draft.plan?.round ?? 0) + 1,
      }
      return
    }
    case 'job.started': {
      const { key, actor, attempt, dependsOn, task } = event
      const startedAt = draft.jobs.get(key)?.startedAt ?? event.at
      const job: Writable<JobState> = { key, actor, status: 'running', attempt, startedAt }
      if (dependsOn !== undefined) job.dependsOn = dependsOn
      if (task !== undefined) job.task = task
      draft.jobs.set(key, job)
      return
    }
    case 'job.retrying': {
      const job = jobOf(draft, event.key)
      job.attempt = event.attempt
      if (event.instructed === undefined) return
      job.redos = (job.redos ?? 0) + 1
      job.instructed = [...(job.instructed ?? []), ...event.instructed]
      return
    }
    case 'job.settled': {
      const job = jobOf(draft, event.key)
      job.status = event.result.status
      job.result = event.result
      // Never looked up again; a long run would carry them all in memory.
      draft.calls.delete(event.key)
      return
    }
    case 'call.finished':
      rememberCall(draft, event)
      if (event.kind === 'model') draft.usage = addUsage(draft.usage, event.usage, event.requests ?? 0)
      return
    case 'approval.requested': {
      const { approvalId, key, path, tool, expiresAt } = event
      draft.approvals.set(approvalId, { approvalId, key, path, tool, expiresAt })
      return
    }
    case 'approval.decided': {
      const approval = draft.approvals.get(event.approvalId)
      if (approval === undefined || approval.decision !== undefined) return
      const { decision, by, instructions } = event
      draft.approvals.set(event.approvalId, {
        ...approval,
        decision,
        by,
        ...(instructions === undefined ? {} : { instructions }),
      })
      return
    }
    case 'effect.intended': {
      const { effects } = draft
      effects.set(event.path, intendedEffect(effects.get(event.path), draft.jobs.get(event.key), event))
      return
    }
    case 'effect.done':
      draft.effects.set(event.path, doneEffect(draft.effects.get(event.path), event))
      return
    case 'child.started':
      draft.children.set(event.path, event.childId)
      return
    case 'run.resumed':
      // In a fork the shared events are older than its start.
      draft.activeMs += Math.max(0, Date.parse(draft.lastAt) - Date.parse(draft.sessionStart))
      draft.sessionStart = event.at
      return
    case 'answer.delta':
      if (event.part > draft.answerPart) {
        draft.answerPart = event.part
        draft.answerText = ''
      }
      draft.answerText = draft.answerText.slice(0, event.offset) + event.text
      return
    case 'answer.composed': {
      const { answer, data, citations, confidence, by, reason } = event
      draft.answer = {
        text: answer,
        by,
        ...(data === undefined ? {} : { data }),
        ...(citations === undefined ? {} : { citations }),
        ...(confidence === undefined ? {} : { confidence }),
        ...(reason === undefined ? {} : { reason }),
      }
      return
    }
    case 'budget.exhausted':
      draft.exhausted ??= { limit: event.limit, message: event.message }
      return
    case 'run.cancelling':
      draft.cancelling ??= { by: event.by }
      return
    case 'run.finished':
    case 'run.failed':
    case 'run.cancelled':
      draft.status = event.type === 'run.finished' ? 'finished' : event.type === 'run.failed' ? 'failed' : 'cancelled'
      draft.endedAt = event.at
      if (event.type === 'run.failed') draft.error = event.error
      return
    case 'note':
    case 'effect.unknown':
      return
    default:
      // Written by a newer version; what is not understood is kept in the log and passed over here.
      event satisfies never
  }
}

function jobOf(draft: Draft, key: string): Writable<JobState> {
  const job = draft.jobs.get(key) as Writable<JobState> | undefined
  if (job === undefined) throw new TuttiError('StorageError', `Job "${key}" is in the log before its start.`)
  return job
}

function rememberCall(draft: Draft, call: CallRecord): void {
  // The end of a call that its job did not wait for: it counts in the usage and is of no other use.
  if (isSettled(draft.jobs.get(call.key))) return
  const calls = draft.calls.get(call.key) as Map<string, CallRecord> | undefined
  if (calls === undefined) draft.calls.set(call.key, new Map([[call.path, call]]))
  else calls.set(call.path, call)
}

export function isOver(state: RunState): boolean {
  return state.status === 'finished' || state.status === 'failed' || state.status === 'cancelled'
}

export function isSettled(job: JobState | undefined): boolean {
  return job?.result !== undefined
}
