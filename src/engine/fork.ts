import { TuttiError } from '../core/errors.ts'
import type { EventBody, RunEvent } from '../core/events.ts'
import { validatePlan, type Plan } from '../core/plan.ts'
import type { RunRequest } from '../core/request.ts'

export interface ForkChanges {
  readonly question?: string
  readonly systemPrompt?: string
  readonly models?: Readonly<Record<string, string>>
  readonly context?: Readonly<Record<string, unknown>>
  readonly plan?: Plan
}

/**
 * The first events of a fork: the log of the earlier run without the job it is forked from and without everything that
 * could have seen that job's result, which is whatever started after it settled.
 */
export function forkLog(events: readonly RunEvent[], fromKey: string, changes: ForkChanges): EventBody[] {
  const start = events[0]
  if (start?.type !== 'run.started') throw new TuttiError('StorageError', 'The log does not begin with a start.')
  const dropped = droppedJobs(events, fromKey)
  const kept = events.slice(1).flatMap((event) => (isKept(event, dropped) ? [bodyOf(event)] : []))
  const request = changedRequest(start.request, changes)
  const forkOf = { runId: start.runId, key: fromKey }
  return [{ type: 'run.started', request, forkOf }, ...kept, ...planChange(events, changes)]
}

function droppedJobs(events: readonly RunEvent[], fromKey: string): ReadonlySet<string> {
  const started = new Map<string, number>()
  const settled = new Map<string, number>()
  for (const event of events) {
    if (event.type === 'job.started' && !started.has(event.key)) started.set(event.key, event.seq)
    if (event.type === 'job.settled') settled.set(event.key, event.seq)
  }
  if (!started.has(fromKey)) {
    const jobs = [...started.keys()].join(', ')
    throw new TuttiError('InvalidRequest', `The run has no job "${fromKey}". It has: ${jobs || 'none yet'}.`)
  }
  const seen = settled.get(fromKey) ?? Infinity
  const later = [...started].filter(([key, seq]) => seq > seen || !settled.has(key)).map(([key]) => key)
  return new Set([fromKey, ...later])
}

const NEVER_KEPT: ReadonlySet<RunEvent['type']> = new Set([
  // Approvals belong to the run they were asked in; the jobs that asked are settled.
  'approval.requested',
  'approval.decided',
  'answer.delta',
  'answer.composed',
  'budget.exhausted',
  'run.resumed',
  'run.cancelling',
  'run.finished',
  'run.failed',
  'run.cancelled',
] as const)

function isKept(event: RunEvent, dropped: ReadonlySet<string>): boolean {
  if (NEVER_KEPT.has(event.type)) return false
  return !('key' in event && event.key !== undefined && dropped.has(event.key))
}

/** Without its place in the other log; a call that was paid for there costs nothing here. */
function bodyOf(event: RunEvent): EventBody {
  const { runId: _runId, seq: _seq, v: _v, ...body } = event
  if (body.type !== 'call.finished' || body.kind !== 'model') return body
  const { usage: _usage, ...unpaid } = body
  return { ...unpaid, requests: 0 }
}

function changedRequest(request: RunRequest, changes: ForkChanges): RunRequest {
  const { question, systemPrompt, models, context } = changes
  return {
    ...request,
    ...(question === undefined ? {} : { question }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    models: { ...request.models, ...models },
    context: { ...request.context, ...context },
  }
}

function planChange(events: readonly RunEvent[], { plan }: ForkChanges): EventBody[] {
  if (plan === undefined) return []
  const agents = new Set(events.flatMap((event) => (event.type === 'job.started' ? [event.actor] : [])))
  for (const task of plan.tasks) agents.add(task.agent)
  return [{ type: 'plan.set', plan: validatePlan(plan, agents), by: 'user', rationale: 'Changed by hand.' }]
}
