import type { NoteKind } from './actor.ts'
import { isQuestion } from './approvals.ts'
import type { RunEvent } from './events.ts'
import type { Result } from './result.ts'
import { textOfMessage, toolCallsOf } from './turn.ts'

/** One line of the trace. `timestamp` is ISO 8601 in UTC. */
export interface TraceEvent {
  readonly eventType: NoteKind
  readonly agent?: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
  readonly timestamp: string
}

/**
 * The trace as a reading of the log, in its order. Pieces of streamed text are left out.
 * @param all events of the run, for the places of steps in the plan
 */
export function traceOf(events: readonly RunEvent[], all = events): TraceEvent[] {
  const actors = new Map<string, string>()
  const trace: TraceEvent[] = []
  const places = placesIn(all)
  for (const event of events) {
    if (event.type === 'job.started') actors.set(event.key, event.actor)
    const line = lineOf(event, places)
    if (line === undefined) continue
    const agent = line.agent ?? ('key' in event && event.key !== undefined ? actors.get(event.key) : undefined)
    trace.push({ ...line, data: line.data ?? {}, timestamp: event.at, ...(agent === undefined ? {} : { agent }) })
  }
  return trace
}

/** The trace of one task, in all of its attempts. */
export function traceOfTask(events: readonly RunEvent[], task: string): TraceEvent[] {
  const isOfTask = (key: string): boolean => taskOf(key) === task
  return traceOf(
    events.filter((event) => 'key' in event && event.key !== undefined && isOfTask(event.key)),
    events,
  )
}

/** The task of an attempt, as `nextAttempt` in src/strategies/steps.ts names it. */
function taskOf(key: string): string {
  return key.split('~', 1)[0]!
}

type Places = ReadonlyMap<string, number>

/** The place of each task in the latest plan that has it, from 0. */
function placesIn(events: readonly RunEvent[]): Places {
  const plans = events.flatMap((event) => (event.type === 'plan.set' ? [event.plan] : []))
  return new Map(plans.flatMap(({ tasks }) => tasks.map(({ id }, place) => [id, place] as const)))
}

function startedLine(event: Extract<RunEvent, { type: 'job.started' }>, places: Places): Line {
  const { key, attempt, replaces, feedback, actor, task } = event
  // An agent's task is shown like a message between actors; for repeated attempts, the feedback.
  const message = {
    sender: 'orchestrator',
    receiver: actor,
    type: 'instruction',
    content: feedback?.text ?? task?.text,
    step_id: places.get(taskOf(key)) ?? null,
  }
  const details = { key, attempt, ...(task?.text === undefined ? {} : message) }
  if (replaces === undefined) return line('MESSAGE', 'Started', details)
  const reason = feedback === undefined ? {} : { feedback: feedback.text, by: feedback.by }
  return line('MESSAGE', 'Started again', { ...details, replaces, ...reason })
}

interface Line {
  readonly eventType: NoteKind
  readonly message: string
  readonly agent?: string
  readonly data?: Readonly<Record<string, unknown>>
}

function line(eventType: NoteKind, message: string, data?: Readonly<Record<string, unknown>>, agent?: string): Line {
  return { eventType, message, ...(data === undefined ? {} : { data }), ...(agent === undefined ? {} : { agent }) }
}

function lineOf(event: RunEvent, places: Places): Line | undefined {
  switch (event.type) {
    case 'run.started':
      return line('MESSAGE', 'Run started', { question: event.request.question, strategy: event.request.strategy })
    case 'plan.set': {
      const { plan, by, rationale, confidence, guardrails } = event
      const agents = plan.tasks.map((task) => task.agent)
      const message = 'Planner produced execution order'
      return line('DECISION', message, { agents, by, rationale, confidence, guardrails }, event.key ? undefined : by)
    }
    case 'job.started':
      return startedLine(event, places)
    case 'job.retrying':
      if (event.rejected !== undefined) {
        const { by, text: feedback } = event.rejected
        return line('DECISION', `Sent back by ${by}: ${feedback}`, { attempt: event.attempt, by, feedback })
      }
      return line('ERROR', `Failed, trying again: ${event.error.message}`, { ...event, at: undefined })
    case 'job.settled':
      return settledLine(event.key, event.result)
    case 'note':
      return line(event.kind, event.message, event.data, event.actor)
    case 'message': {
      const { from, to, kind, content, key, provenance } = event
      const step_id = places.get(taskOf(key)) ?? null
      const message = { sender: from, receiver: to, type: kind, content, step_id, provenance }
      return line('MESSAGE', `To ${to}: ${kind}`, message, from)
    }
    case 'shared.set':
      return line('DECISION', `Wrote "${event.name}" to the blackboard`, {
        value: event.value,
        provenance: event.provenance,
      })
    case 'call.finished':
      return callLine(event)
    case 'turn.finished':
      return turnLine(event)
    case 'call.answered': {
      const { name, turn, index, text, error, sources } = event
      const message =
        error === undefined ? `Result of "${name}" for the model` : `"${name}" has no result: ${error.message}`
      return line('TOOL', message, { turn, index, text, error, sources })
    }
    case 'transcript.compacted':
      return line('DECISION', 'Shortened the transcript', { clearedUpTo: event.clearedUpTo, summary: event.summary })
    case 'approval.requested': {
      const { approvalId, tool, payload, reason } = event
      if (isQuestion(event))
        return line('DECISION', 'Waits for an answer of the person', { approvalId, payload, reason })
      return line('DECISION', `Waits for approval of "${tool}"`, { approvalId, payload, reason })
    }
    case 'approval.decided': {
      const { approvalId, decision, by, instructions } = event
      return line('DECISION', `Approval ${decision.replace('_', ' ')}`, { approvalId, by, instructions })
    }
    case 'effect.intended':
      return line('TOOL', `About to call "${event.tool}", which may change something`, { key: event.idempotencyKey })
    case 'effect.done':
      return event.error === undefined
        ? line('TOOL', 'The call has been made', { output: event.output })
        : line('ERROR', event.error.message, { error: event.error })
    case 'effect.unknown':
      return line('ERROR', event.reason, { tool: event.tool })
    case 'child.started':
      return line('MESSAGE', 'Started a run of its own', { runId: event.childId })
    case 'answer.composed':
      return line('RESULT', 'Answer composed', { by: event.by, reason: event.reason })
    case 'answer.delta':
    case 'effect.claimed':
    case 'egress.counted':
    case 'transcript.started':
      return undefined
    case 'budget.exhausted':
      return line('DECISION', event.message, { limit: event.limit })
    case 'run.resumed':
      return line('MESSAGE', 'Run resumed')
    case 'user.said':
      return line('MESSAGE', 'The user added to the request', { text: event.text, by: event.by })
    case 'run.cancelling':
      return line('DECISION', 'Run is being cancelled', { by: event.by })
    case 'run.finished':
      return line('RESULT', 'Run finished')
    case 'run.failed':
      return line('ERROR', event.error.message, { error: event.error })
    case 'run.cancelled':
      return line('RESULT', 'Run cancelled')
  }
}

function settledLine(key: string, result: Result): Line {
  const { status, error, latencyMs, usage, models, provenance, reflection, skills } = result
  const data = { key, status, latencyMs, usage, models, provenance, error, reflection, skills }
  return error === undefined
    ? line('RESULT', `Finished: ${status}${reflection === undefined ? '' : `, ${reflection} by reflection`}`, data)
    : line('ERROR', `Finished: ${status}. ${error.message}`, data)
}

function callLine(event: Extract<RunEvent, { type: 'call.finished' }>): Line {
  const { kind, name, input, output, error, latencyMs, provenance } = event
  if (error !== undefined) return line('ERROR', `"${name}" failed: ${error.message}`, { kind, input, error, latencyMs })
  if (kind === 'tool') return line('TOOL', `Called "${name}"`, { input, output, latencyMs, provenance })
  const { by, reason, model, usage, requests } = event
  const message = by === 'model' ? `Model answered "${name}"` : `Answered "${name}" without a model: ${reason}`
  return line('MESSAGE', message, { by, reason, model, usage, requests, latencyMs, output })
}

function turnLine(event: Extract<RunEvent, { type: 'turn.finished' }>): Line {
  const { turn, reply, error, finishReason, purpose, model, usage, requests, latencyMs } = event
  if (reply === undefined) {
    const details = { turn, error, usage, requests, latencyMs }
    return line('ERROR', `Turn ${turn} failed: ${error?.message ?? 'no reply'}`, details)
  }
  const calls = toolCallsOf(reply).map(({ name, input }) => ({ name, input }))
  const details = { turn, purpose, model, finishReason, usage, requests, latencyMs, text: textOfMessage(reply), calls }
  return line('MESSAGE', `Model replied in turn ${turn}`, details)
}
