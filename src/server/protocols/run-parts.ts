import type { Citation } from '../../domain/citation.ts'
import { isModelCall, type ApprovalDecision, type RunEvent } from '../../domain/events.ts'
import type { ErrorInfo } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/omit-undefined.ts'
import type { Task } from '../../domain/plan.ts'
import { isQuestion } from '../../domain/question.ts'
import { checksWithin, NO_CHECKS } from '../../domain/check.ts'
import { answerVerdict, type RunResponse } from '../../domain/response.ts'
import { type JobState, type RunState } from '../../domain/state.ts'
import type { Table } from '../../domain/table.ts'

/** What of a run is shown beside the text of its answer, by the name of the kind. */
export type RunData = {
  plan: { readonly tasks: readonly Task[]; readonly rationale: string }
  /** What an agent does or has done; the id is that of its job. */
  task: {
    readonly agent: string
    readonly text?: string
    readonly status: JobState['status']
    readonly answer?: string
    readonly error?: ErrorInfo
  }
  /** Waits for a person, or has waited. Answered at `POST /hitl/respond` by its id. */
  approval: {
    readonly kind: 'approval' | 'question'
    readonly agent: string
    readonly tool: string
    /** The exact input of the call, secrets masked. */
    readonly payload: unknown
    readonly reason: string
    readonly expiresAt: string
    readonly status: 'pending' | ApprovalDecision
  }
  citation: Citation
  table: Table
  /** Once the run is over. */
  outcome: Pick<RunResponse, 'status' | 'basis' | 'notices' | 'checks'>
}

/** One piece of it; a later one of the same kind and id takes its place. */
export type RunPart = {
  [K in keyof RunData]: { readonly kind: K; readonly id: string; readonly data: RunData[K] }
}[keyof RunData]

/** Tells what each event of a run changes in what is shown of it. */
export class RunParts {
  private readonly approvals = new Map<string, RunData['approval']>()
  /** Calls of models, which tell what went without one. */
  private readonly calls: RunEvent[] = []

  /** @param state with the event in it */
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

/** The work of planners and composers is no task. */
function taskPart(job: JobState | undefined): RunPart[] {
  if (job?.task === undefined) return []
  const { key, actor: agent, task, status, result } = job
  const { answer, error } = result ?? {}
  return [{ kind: 'task', id: key, data: { agent, status, ...omitUndefined({ text: task.text, answer, error }) } }]
}
