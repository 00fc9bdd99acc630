import { isQuestion } from '../../domain/approvals.ts'
import type { ModelCallEvent, RunEvent } from '../../domain/events.ts'
import { toolCallsOf } from '../../domain/turn.ts'
import { addUsage, NO_USAGE, type UsageTotals } from '../../domain/usage.ts'
import { supervisorType } from '../../strategies/supervisor/types.ts'
import { safeLine } from './text.ts'
import { duration, shortId, usageText } from './units.ts'

export interface ProgressLine {
  /** `step`: something started or was counted; shown if progress lines cannot be redrawn. */
  readonly kind: 'step' | 'done' | 'failed' | 'note'
  readonly text: string
}

interface ActiveJob {
  readonly actor: string
  readonly startedAt: number
  usage: UsageTotals
}

/** Turns the events of one run into progress lines, and tracks the current activity. */
export class ProgressLines {
  private readonly actors = new Map<string, string>()
  private readonly questions = new Set<string>()
  private readonly active = new Map<string, ActiveJob>()
  private isContinued = false

  /** Records an event and returns its line, if it has one. Repeated `run.resumed` events print one line. */
  take(event: RunEvent): ProgressLine | undefined {
    const worth = this.worthOf(event)
    if (worth === undefined || (this.isContinued && event.type === 'run.resumed')) return undefined
    this.isContinued = event.type === 'run.resumed'
    return worth
  }

  private worthOf(event: RunEvent): ProgressLine | undefined {
    switch (event.type) {
      case 'run.started':
        return line('step', `Run ${shortId(event.runId)} started`)
      case 'run.resumed':
        // A run that only waited for a decision or a nested run was not interrupted.
        if (event.after === 'wait') return undefined
        return line('note', `Run ${shortId(event.runId)} continues`)
      case 'plan.set': {
        const agents = event.plan.tasks.map((task) => task.agent)
        // The chosen agents are reported once they are set.
        if (event.by === 'supervisor')
          return line('done', `supervisor changed the plan: ${agents.join(', ') || 'nobody'}`)
        // An empty plan without a reason is where a supervisor begins; nothing was decided yet.
        if (agents.length === 0 && event.rationale === '') return undefined
        return line('done', withReason(`${event.by} chose ${agents.join(', ') || 'no agent'}`, event.rationale))
      }
      case 'job.started':
        return this.started(event)
      case 'job.retrying':
        if (event.instructed !== undefined) return line('note', event.error.message)
        return line('failed', `${this.actor(event.key)} failed, trying again: ${event.error.message}`)
      case 'job.settled':
        return this.settled(event)
      case 'call.finished':
        if (event.kind !== 'model' || event.by !== 'model') return undefined
        return this.asked(event, event.name)
      case 'turn.finished': {
        if (event.reply === undefined) return undefined
        const names = toolCallsOf(event.reply).map(({ name }) => name)
        return this.asked(event, `turn ${event.turn}${names.length === 0 ? '' : `, calls ${names.join(', ')}`}`)
      }
      case 'approval.requested':
        if (isQuestion(event)) this.questions.add(event.approvalId)
        return undefined
      case 'approval.decided':
        return line('note', decidedText(event, this.questions.has(event.approvalId)))
      case 'budget.exhausted':
        return line('note', event.message)
      default:
        return undefined
    }
  }

  /** The current activity in one line; empty between jobs. */
  activity(now: number): string {
    return [...this.active.values()]
      .map(({ actor, startedAt, usage }) => {
        const used = usageText(usage)
        return `${actor} ${duration(now - startedAt)}${used === '' ? '' : ` (${used})`}`
      })
      .join(' · ')
  }

  private actor(key: string): string {
    return this.actors.get(key) ?? key
  }

  private started({ key, actor, attempt, at }: Extract<RunEvent, { type: 'job.started' }>): ProgressLine | undefined {
    this.actors.set(key, actor)
    if (BACKGROUND_ACTORS.has(actor)) return undefined
    this.active.set(key, { actor, startedAt: Date.parse(at), usage: NO_USAGE })
    return line('step', `${actor} started${attempt > 1 ? ` (attempt ${attempt})` : ''}`)
  }

  private settled({ key, result }: Extract<RunEvent, { type: 'job.settled' }>): ProgressLine | undefined {
    this.active.delete(key)
    const actor = this.actor(key)
    if (result.status === 'skipped') return line('note', `${actor} was skipped`)
    if (result.error?.type === 'Cancelled') return line('note', `${actor} was stopped`)
    if (result.status === 'failed') {
      return line('failed', `${actor} failed after ${duration(result.latencyMs)}: ${result.error?.message ?? ''}`)
    }
    if (BACKGROUND_ACTORS.has(actor)) return undefined
    if (actor === 'planner' || actor === 'master-planner') return undefined // its plan has told
    if (actor === supervisorType.name) {
      const route = supervisorType.data?.safeParse(result.data).data?.route ?? []
      const agents = route.map(({ agent }) => agent)
      return line('done', withReason(`supervisor chose ${agents.join(', ') || 'nobody'}`, result.answer))
    }
    const used = result.usage === undefined ? '' : usageText(result.usage)
    return line('done', `${actor} done in ${duration(result.latencyMs)}${used === '' ? '' : ` (${used})`}`)
  }

  private asked(call: ModelCallEvent, what: string): ProgressLine {
    const job = this.active.get(call.key)
    const usage = addUsage(NO_USAGE, call.usage, call.requests ?? 1)
    if (job !== undefined) job.usage = addUsage(job.usage, call.usage, call.requests ?? 1)
    const model = call.model ?? 'the model'
    const used = usageText(usage)
    return line('step', `${this.actor(call.key)} asked ${model}: ${what}, ${duration(call.latencyMs)}, ${used}`)
  }
}

function withReason(text: string, reason = ''): string {
  return reason === '' ? text : `${text}: ${reason}`
}

function decidedText({ decision, by }: Extract<RunEvent, { type: 'approval.decided' }>, ofQuestion: boolean): string {
  const what = ofQuestion ? 'question' : 'call'
  switch (decision) {
    case 'approved':
      return `The ${what} was ${ofQuestion ? 'answered' : 'approved'} by ${by}`
    case 'denied':
      return `The ${what} was ${ofQuestion ? 'left unanswered' : 'denied'} by ${by}`
    case 'timed_out':
      return `Nobody ${ofQuestion ? 'answered' : 'decided on'} the ${what} in time`
    case 'expired':
      return `The ${what} is no longer open`
  }
}

/** Memory roles. They do not affect the answer; a notice tells what is remembered. */
const BACKGROUND_ACTORS: ReadonlySet<string> = new Set(['memory-extractor', 'summarizer', 'recorder'])

function line(kind: ProgressLine['kind'], text: string): ProgressLine {
  return { kind, text: safeLine(text) }
}
