import { isQuestion } from '../../domain/approvals.ts'
import type { ModelCallEvent, RunEvent } from '../../domain/events.ts'
import { toolCallsOf } from '../../domain/turn.ts'
import { addUsage, NO_USAGE } from '../../domain/usage.ts'
import { supervisorType } from '../../strategies/supervisor/types.ts'
import { safeLine } from './text.ts'
import { duration, shortId, usageText } from './units.ts'

/** Turns the events of one run into progress lines. */
export class ProgressLines {
  private readonly actors = new Map<string, string>()
  private readonly questions = new Set<string>()
  private isContinued = false

  /** Records an event and returns its line, if it has one. Repeated `run.resumed` events print one line. */
  take(event: RunEvent): string | undefined {
    const worth = this.worthOf(event)
    if (worth === undefined || (this.isContinued && event.type === 'run.resumed')) return undefined
    this.isContinued = event.type === 'run.resumed'
    return safeLine(worth)
  }

  private worthOf(event: RunEvent): string | undefined {
    switch (event.type) {
      case 'run.started':
        return `Run ${shortId(event.runId)} started`
      case 'run.resumed':
        // A run that only waited for a decision or a nested run was not interrupted.
        if (event.after === 'wait') return undefined
        return `Run ${shortId(event.runId)} continues`
      case 'plan.set': {
        const agents = event.plan.tasks.map((task) => task.agent)
        // The chosen agents are reported once they are set.
        if (event.by === 'supervisor') return `supervisor changed the plan: ${agents.join(', ') || 'nobody'}`
        // An empty plan without a reason is where a supervisor begins; nothing was decided yet.
        if (agents.length === 0 && event.rationale === '') return undefined
        return withReason(`${event.by} chose ${agents.join(', ') || 'no agent'}`, event.rationale)
      }
      case 'job.started':
        return this.started(event)
      case 'job.retrying':
        return `${this.actor(event.key)} failed, trying again: ${event.error.message}`
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
        return decidedText(event, this.questions.has(event.approvalId))
      case 'budget.exhausted':
        return event.message
      default:
        return undefined
    }
  }

  private actor(key: string): string {
    return this.actors.get(key) ?? key
  }

  private started({ key, actor, attempt }: Extract<RunEvent, { type: 'job.started' }>): string | undefined {
    this.actors.set(key, actor)
    if (BACKGROUND_ACTORS.has(actor)) return undefined
    return `${actor} started${attempt > 1 ? ` (attempt ${attempt})` : ''}`
  }

  private settled({ key, result }: Extract<RunEvent, { type: 'job.settled' }>): string | undefined {
    const actor = this.actor(key)
    if (result.status === 'skipped') return `${actor} was skipped`
    if (result.error?.type === 'Cancelled') return `${actor} was stopped`
    if (result.status === 'failed') {
      return `${actor} failed after ${duration(result.latencyMs)}: ${result.error?.message ?? ''}`
    }
    if (BACKGROUND_ACTORS.has(actor)) return undefined
    if (actor === 'planner' || actor === 'master-planner') return undefined // its plan is shown
    if (actor === supervisorType.name) {
      const route = supervisorType.data?.safeParse(result.data).data?.route ?? []
      const agents = route.map(({ agent }) => agent)
      return withReason(`supervisor chose ${agents.join(', ') || 'nobody'}`, result.answer)
    }
    const used = result.usage === undefined ? '' : usageText(result.usage)
    return `${actor} done in ${duration(result.latencyMs)}${used === '' ? '' : ` (${used})`}`
  }

  private asked(call: ModelCallEvent, what: string): string {
    const model = call.model ?? 'the model'
    const used = usageText(addUsage(NO_USAGE, call.usage, call.requests ?? 1))
    return `${this.actor(call.key)} asked ${model}: ${what}, ${duration(call.latencyMs)}, ${used}`
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
