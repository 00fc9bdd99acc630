import { checksWithin, NO_CHECKS, type Citation } from '../../domain/answer.ts'
import { isModelCall, type ApprovalDecision, type RunEvent } from '../../domain/events.ts'
import type { ErrorInfo } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Task } from '../../domain/plan.ts'
import { isQuestion } from '../../domain/approvals.ts'
import { answerVerdict, type RunResponse } from '../../domain/response.ts'
import { advance, applyEvent, isOver, type JobState, type RunState } from '../../domain/state.ts'
import type { Table } from '../../domain/table.ts'
import type { LiveItem } from '../../engine/readers/live.ts'

/** Data of a run that is shown besides the text of its answer, by kind. */
export type RunData = {
  plan: { readonly tasks: readonly Task[]; readonly rationale: string }
  /** Work of an agent. The ID is that of its job. */
  task: {
    readonly agent: string
    readonly text?: string
    readonly status: JobState['status']
    readonly answer?: string
    readonly error?: ErrorInfo
  }
  /** A pending or decided approval. Decide it with `POST /hitl/respond` and its ID. */
  approval: {
    readonly kind: 'approval' | 'question'
    readonly agent: string
    readonly tool: string
    /** Exact input of the call, with secrets masked. */
    readonly payload: unknown
    readonly reason: string
    readonly expiresAt: string
    readonly status: 'pending' | ApprovalDecision
  }
  citation: Citation
  table: Table
  /** Present when the run has ended. */
  outcome: Pick<RunResponse, 'status' | 'basis' | 'notices' | 'checks'>
}

/** A part; replaces an earlier part of the same kind and ID. */
export type RunPart = {
  [K in keyof RunData]: { readonly kind: K; readonly id: string; readonly data: RunData[K] }
}[keyof RunData]

/** Computes the parts that each event of a run changes. */
export class RunParts {
  private readonly approvals = new Map<string, RunData['approval']>()
  /** Model calls, which determine the parts that were done without a model. */
  private readonly calls: RunEvent[] = []

  /** @param state state of the run after the event */
  of(event: RunEvent, state: RunState): readonly RunPart[] {
    if (isModelCall(event)) this.calls.push(event)
    switch (event.type) {
      case 'plan.set': {
        const { plan, rationale } = event
        return [{ kind: 'plan', id: 'plan', data: { tasks: plan.tasks, rationale } }]
      }
      case 'job.started':
      case 'job.settled':
        return taskPart(state.jobs.get(event.key))
      case 'approval.requested': {
        const { approvalId: id, key, tool, payload, reason, expiresAt } = event
        const agent = state.jobs.get(key)?.actor ?? key
        const kind = isQuestion(event) ? 'question' : 'approval'
        const until = new Date(expiresAt).toISOString()
        return [this.approval(id, { kind, agent, tool, payload, reason, expiresAt: until, status: 'pending' })]
      }
      case 'approval.decided': {
        const { approvalId: id, decision: status } = event
        const asked = this.approvals.get(id)
        return asked === undefined ? [] : [this.approval(id, { ...asked, status })]
      }
      case 'answer.composed': {
        const { citations = [], data } = event
        const cited = citations.map((citation): RunPart => ({ kind: 'citation', id: `${citation.n}`, data: citation }))
        const hasTable = state.request.includeData && data !== undefined
        return hasTable ? [...cited, { kind: 'table', id: 'table', data }] : cited
      }
      case 'run.finished':
      case 'run.failed':
      case 'run.cancelled': {
        const { text = '', checks = NO_CHECKS } = state.answer ?? {}
        const data = { ...answerVerdict(state, this.calls), checks: checksWithin(text, checks) }
        return [{ kind: 'outcome', id: 'outcome', data }]
      }
      default:
        return []
    }
  }

  private approval(id: string, data: RunData['approval']): RunPart {
    this.approvals.set(id, data)
    return { kind: 'approval', id, data }
  }
}

/** Planners and composers are not shown as tasks. */
function taskPart(job: JobState | undefined): RunPart[] {
  if (job?.task === undefined) return []
  const { key, actor: agent, task, status, result } = job
  const { answer, error } = result ?? {}
  return [{ kind: 'task', id: key, data: { agent, status, ...omitUndefined({ text: task.text, answer, error }) } }]
}

/** A change of the text that the client has: an addition or a replacement. */
export interface TextChange {
  readonly isReplaced: boolean
  readonly text: string
}

/** The state of a run as one client has read it, and the text of the answer sent so far. */
export class RunReader {
  private folded: RunState | undefined
  private shown = ''
  private part = 0
  private coming = ''

  /** @throws TypeError before the first item */
  get state(): RunState {
    if (this.folded === undefined) throw new TypeError('Nothing has been read yet.')
    return this.folded
  }

  /**
   * Applies the next item and returns its change of the text. Trailing whitespace is held back until more text follows.
   */
  take(item: LiveItem): TextChange | undefined {
    if (item.type !== 'live.text') {
      // Live text is not repeated as log events, so the events read here may have gaps.
      if (this.folded === undefined) this.folded = applyEvent(undefined, item)
      else advance(this.folded, item)
    }
    if (item.type === 'answer.composed') return this.change(item.answer, true)
    // Text of an attempt that did not finish is not part of the answer.
    if (this.folded !== undefined && isOver(this.folded) && this.folded.answer !== undefined) {
      return this.change(this.folded.answer.text, true)
    }
    if (item.type !== 'live.text' && item.type !== 'answer.delta') return undefined
    if (item.part !== this.part) {
      this.part = item.part
      this.coming = ''
    }
    this.coming += item.text
    return this.change(this.coming, false)
  }

  /** If an answer starts over with the same text, nothing changes for the client. */
  private change(answer: string, isWhole: boolean): TextChange | undefined {
    const text = answer.trimEnd()
    if (text === this.shown || (!isWhole && this.shown.startsWith(text))) return undefined
    const isReplaced = !text.startsWith(this.shown)
    const change = { isReplaced, text: isReplaced ? text : text.slice(this.shown.length) }
    this.shown = text
    return change
  }
}
