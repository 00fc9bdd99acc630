import type { Action } from './effects.ts'
import type { NoteKind } from './actor.ts'
import type { ApprovalScope } from './approvals.ts'
import type { Message, SharedEntry } from './blackboard.ts'
import type { AnswerChecks, Citation, Notice } from './answer.ts'
import type { Recollection } from './conversation.ts'
import type { ErrorInfo } from './errors.ts'
import type { ActorName, Feedback, Rejection } from './job.ts'
import type { NotPossible, Plan, Task, Understood } from './plan.ts'
import type { Provenance } from './provenance.ts'
import type { RunLimits, RunRequest } from './request.ts'
import type { Result, EffectiveTask } from './result.ts'
import type { Table } from './table.ts'
import type { CallAnswer, CallPosition, Compaction, TurnPurpose } from './transcript.ts'
import type { AssistantMessage, FinishReason, TranscriptHead, UserMessage } from './turn.ts'
import type { Usage, UsageTotals } from './usage.ts'

/** The id of the user who owns runs, approvals, conversations and memory. */
export type Owner = string

/** The local user of a machine without accounts. */
export const LOCAL_OWNER: Owner = 'local'

export type RunId = string

export interface ParentRef {
  readonly runId: RunId
  readonly key: string
  /** Of a nested run: how many runs are above it; 1 when absent. */
  readonly depth?: number
}

export type ApprovalDecision = 'approved' | 'denied' | 'timed_out' | 'expired'

export type BudgetLimit = 'cost' | 'tokens' | 'calls' | 'time'

interface JobEvent {
  readonly key: string
}

/** Everything that can happen in a run. `key` is a job, `path` a call inside a job's attempt. */
export type EventBody = Happening & {
  /** Texts that are secret from here on, such as the values of a tool's secret fields. No reader of the run sees them. */
  readonly secrets?: readonly string[]
}

type Happening = Readonly<
  | {
      type: 'run.started'
      request: RunRequest
      /** The local user of the machine when absent. */
      owner?: Owner
      /** Memory from earlier runs. Absent: the run has no memory, and nothing of it is remembered. */
      recollection?: Recollection
      /** Labels of the request, if another run made it. Absent means trusted: the user's own words. */
      provenance?: Provenance
      parent?: ParentRef
      /** Identifies repetitions of a request that was sent with an idempotency key. */
      fingerprint?: string
      /** The run and job this one was forked from. */
      forkOf?: ParentRef
      /** The fork repeats the request for its conversation, which records it as a turn. */
      isRetry?: true
    }
  | {
      type: 'plan.set'
      /** The job that set it; absent when a user did. */
      key?: string
      plan: Plan
      by: 'planner' | 'supervisor' | 'user'
      rationale: string
      /** 0 to 1. */
      confidence?: number
      guardrails?: Readonly<Record<string, unknown>>
      understood?: Understood
      /** Parts of the question that are in no task, since no agent can do them. */
      notPossible?: readonly NotPossible[]
      provenance?: Provenance
      /** The round of the plan at the job's start, 0 for none. A user's later plan change wins over the job's plan. */
      upon?: number
    }
  | (JobEvent & {
      type: 'job.started'
      actor: ActorName
      attempt: number
      dependsOn?: readonly string[]
      task?: Task
      /** The earlier attempt that it replaces, and the feedback on that attempt. */
      replaces?: string
      feedback?: Feedback
    })
  | (JobEvent & {
      type: 'job.retrying'
      attempt: number
      error: ErrorInfo
      delayMs: number
      /** The rejection of the previous attempt; such an attempt does not count as one of the agent's retries. */
      rejected?: Rejection
    })
  | (JobEvent & { type: 'job.settled'; result: Result })
  /** A message between actors; logged together with the result of its job. */
  | ({ type: 'message' } & Message)
  /** Written to the blackboard; in the log together with the result of the job that wrote it. */
  | ({ type: 'shared.set' } & Omit<SharedEntry, 'before'>)
  | {
      type: 'note'
      key?: string
      actor?: ActorName
      kind: NoteKind
      message: string
      data?: Readonly<Record<string, unknown>>
    }
  | (JobEvent & {
      type: 'call.finished'
      path: string
      kind: 'model' | 'tool'
      name: string
      output?: unknown
      error?: ErrorInfo
      provenance?: Provenance
      latencyMs: number
      input?: unknown
      /** Of a tool; irreversible calls have events of their own. */
      effect?: 'read' | 'write'
      by?: 'model' | 'fallback'
      reason?: string
      /** As `Answered.refused`. */
      refused?: unknown
      model?: string
      usage?: Usage
      requests?: number
    })
  /**
   * Recorded before a call sends user words to an external destination: the information in the choice of words, in
   * bits. `to` names tool and destination; `path` is the call, or the nested run that made it.
   */
  | (JobEvent & { type: 'egress.counted'; path: string; to: string; bits: number })
  /** The job starts a transcript, or continues that of an earlier job and keeps its head. */
  | (JobEvent & {
      type: 'transcript.started'
      head?: TranscriptHead
      continues?: string
      /** Results for the calls that the continued transcript left open, by index of the call. */
      answers?: readonly (readonly [index: number, answer: CallAnswer])[]
      /** Labels of the head's content, apart from the operator's own words. */
      provenance?: Provenance
    })
  /** One turn of the job's transcript: the new part of the request, and the model's reply or the error. */
  | (JobEvent & {
      type: 'turn.finished'
      /** From 1. */
      turn: number
      sent?: readonly UserMessage[]
      reply?: AssistantMessage
      error?: ErrorInfo
      finishReason?: FinishReason
      purpose?: TurnPurpose
      model?: string
      usage?: Usage
      requests: number
      latencyMs: number
      /** Labels of all that the model had seen; the calls of the turn have the same. */
      provenance: Provenance
    })
  /** The result of a call as the model reads it. The call itself has its own event. */
  | (JobEvent & { type: 'call.answered'; name: string } & CallPosition & CallAnswer)
  | (JobEvent & { type: 'transcript.compacted' } & Compaction)
  | (JobEvent & {
      type: 'approval.requested'
      approvalId: string
      path: string
      tool: string
      /** The exact input of the call, secrets masked. */
      payload: unknown
      reason: string
      provenance: Provenance
      /** Milliseconds since the epoch. */
      expiresAt: number
      /** The task with the user's instructions from an earlier approval; absent: as planned. */
      effectiveTask?: EffectiveTask
      /** The destination of the call; absent if only this call can be approved. */
      destination?: string
      /** The scopes that can be approved, the default first; only `once` when absent. */
      scopes?: readonly ApprovalScope[]
      /** Of the run's request. */
      conversationId?: string
    })
  | {
      type: 'approval.decided'
      approvalId: string
      decision: ApprovalDecision
      by: string
      instructions?: string
      /** `once` when absent. */
      scope?: ApprovalScope
      /** The input as the user edited it. */
      payload?: unknown
    }
  | (JobEvent & {
      type: 'effect.intended'
      path: string
      tool: string
      idempotencyKey: string
      /** The exact input of the call, secrets masked. */
      payload?: unknown
    })
  | (JobEvent & { type: 'effect.done'; path: string; output?: unknown; error?: ErrorInfo; provenance?: Provenance })
  | (JobEvent & { type: 'effect.unknown'; path: string; tool: string; reason: string })
  /** In the log of the outermost run: which irreversible call this job of this run of its family sets about. */
  | { type: 'effect.claimed'; by: RunId; job: string; call: string }
  /** `budget` is the child's share of this run's budget; it is reserved until the child has finished. */
  | (JobEvent & { type: 'child.started'; path: string; childId: RunId; budget?: RunLimits })
  /** The child's usage counts as its parent's: `turns` specialist jobs, `activeMs` of work. */
  | (JobEvent & {
      type: 'child.finished'
      childId: RunId
      usage: UsageTotals
      /** Its calls that changed something. */
      actions?: readonly Action[]
      turns?: number
      activeMs?: number
    })
  | (JobEvent & {
      type: 'answer.delta'
      /** Grows each time the answer starts over, after a retry or a restart. */
      part: number
      /** Characters of this part before `text`. */
      offset: number
      text: string
    })
  | {
      type: 'answer.composed'
      key?: string
      answer: string
      data?: Table
      /** The sources of the marks [n] of the answer. */
      citations?: readonly Citation[]
      confidence?: number
      by: 'model' | 'fallback'
      reason?: string
      /** `false` if the answer only lists attempts and their errors. */
      isAnswered?: boolean
      /**
       * Parts of the question that it leaves open, in the words of the question. If given, it replaces what agents left
       * open, which the author of the answer knew. The plan's `notPossible` still counts.
       */
      unanswered?: readonly string[]
      /** `unanswered` is complete: the author of the answer knew which tasks failed. */
      isWhole?: true
      /** Notes for the reader, in addition to the text; full sentences. */
      notes?: readonly string[]
      /** How a review reached its answer. */
      reasoningTrace?: string
      /** Notices with codes, in addition to those derived from the log. */
      notices?: readonly Notice[]
      /** Set by the engine. */
      checks?: AnswerChecks
    }
  | { type: 'budget.exhausted'; limit: BudgetLimit; message: string }
  /** A worker resumed the run after a stop, a crash or a wait. After a wait it is the worker that had unloaded the run. */
  | {
      type: 'run.resumed'
      worker: string
      after?: 'wait'
      /** The worker that stopped while it worked on the run. */
      takenFrom?: string
    }
  /** The user adds to the request while the run works on it. */
  | { type: 'user.said'; text: string; by: string }
  | { type: 'run.cancelling'; by: string }
  | { type: 'run.finished' }
  | { type: 'run.failed'; error: ErrorInfo }
  | { type: 'run.cancelled' }
>

type EventType = EventBody['type']

/** One entry of the log. `at` is ISO 8601 in UTC; `v` is the version of the event's shape. */
export type RunEvent = EventBody & { readonly runId: RunId; readonly seq: number; readonly at: string; readonly v: 1 }

/** An event before its place in the log is known. */
export type NewEvent = EventBody & { readonly at: string }

/** One call of a model: a prompt that was asked, or a turn of a transcript. */
export type ModelCallEvent = Extract<EventBody, { type: 'call.finished' | 'turn.finished' }>

export function isModelCall<E extends EventBody>(event: E): event is Extract<E, ModelCallEvent> {
  return event.type === 'turn.finished' || (event.type === 'call.finished' && event.kind === 'model')
}

export function isTerminal(type: EventType): boolean {
  return type === 'run.finished' || type === 'run.failed' || type === 'run.cancelled'
}
