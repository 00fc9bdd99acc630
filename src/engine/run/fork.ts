import { isDeepStrictEqual } from 'node:util'
import { TuttiError } from '../../domain/errors.ts'
import { isModelCall, type EventBody, type RunEvent } from '../../domain/events.ts'
import { omitUndefined } from '../../shared/json.ts'
import { validatePlan, type Plan } from '../../domain/plan.ts'
import { requestSchema, type RunRequest } from '../../domain/request.ts'
import { declaredBy } from '../../domain/secrets.ts'
import { fold } from '../../domain/state.ts'
import { NO_USAGE } from '../../domain/usage.ts'

export interface ForkChanges {
  readonly question?: string
  readonly systemPrompt?: string
  readonly models?: Readonly<Record<string, string>>
  readonly context?: Readonly<Record<string, unknown>>
  readonly plan?: Plan
  /**
   * The turn of the job's transcript that is repeated, from 1; the turns before it are kept. With another question,
   * system prompt, context or task the transcript starts from scratch.
   */
  readonly turn?: number
}

export interface ForkOptions {
  /** The fork repeats the request for its conversation, if the earlier run belonged to one: it becomes a turn. */
  readonly isRetry?: boolean
}

/**
 * The first events of a fork: the log of the earlier run without the job that it is forked from, without tasks that a
 * new plan changes or leaves out, and without everything that could have read their results, which is all that started
 * after one of them settled. With another question the log is empty and the fork plans for itself, since earlier plans
 * and findings belong to the previous question.
 * @throws TuttiError `InvalidRequest` for a job or turn that the run does not have or an invalid change; `InvalidPlan`,
 * `UnknownAgent`
 */
export function forkLog(
  events: readonly RunEvent[],
  fromKey: string,
  changes: ForkChanges,
  knownAgents: ReadonlySet<string>,
  { isRetry = false }: ForkOptions = {},
): EventBody[] {
  const start = events[0]
  if (start?.type !== 'run.started') throw new TuttiError('StorageError', 'The log does not begin with a start.')
  const plan = changes.plan === undefined ? undefined : validatePlan(changes.plan, knownAgents)
  assertHasJob(events, fromKey)
  const changedJobs = changedTasks(events, plan)
  const dropped = droppedJobs(events, new Set([...changedJobs, fromKey]))
  const request = changedRequest(start.request, changes)
  const shared = request.question === start.request.question ? events.slice(1) : []
  const isSameHead =
    request.systemPrompt === start.request.systemPrompt && isDeepStrictEqual(request.context, start.request.context)
  const lastKept = isRetry ? seqOfFailure(events, fromKey) : 0
  const turnSeq = changes.turn === undefined ? lastKept : seqOfTurn(events, fromKey, changes.turn)
  const isOutdated = changedJobs.size > 0 && droppedJobs(events, changedJobs).has(fromKey)
  const keptBefore = isSameHead && !isOutdated ? turnSeq : 0
  const isTurn = (event: RunEvent): boolean => 'key' in event && event.key === fromKey && event.seq < keptBefore
  const sharedEvents = shared.flatMap((event) =>
    keepsEvent(event, isTurn(event) ? NO_JOBS : dropped) ? [bodyOf(event)] : [],
  )
  const forkOf = { runId: start.runId, key: fromKey }
  const secrets = declaredBy(start)
  // Place, time and parent are not the fork's; owner, memory and trust are.
  const { runId: _runId, seq: _seq, v: _v, at: _at, parent, isRetry: wasRetry, ...begun } = start
  const isOfConversation = parent === undefined && (start.forkOf === undefined || wasRetry === true)
  const retry = isRetry && isOfConversation ? { isRetry } : {}
  return [
    // Secrets stay secret, even with another context.
    { ...begun, request, forkOf, ...retry, ...(secrets.length === 0 ? {} : { secrets }) },
    ...sharedEvents,
    ...(plan === undefined ? [] : [changedPlan(plan, events)]),
  ]
}

/** A user who changes a plan has not checked each of its words, so its labels stay. */
function changedPlan(plan: Plan, events: readonly RunEvent[]): EventBody {
  const provenance = fold(events).plan?.provenance
  return { type: 'plan.set', plan, by: 'user', rationale: 'Changed by hand.', ...omitUndefined({ provenance }) }
}

const NO_JOBS: ReadonlySet<string> = new Set()

/** The log position of a turn's first request. @throws TuttiError `InvalidRequest` */
function seqOfTurn(events: readonly RunEvent[], key: string, turn: number): number {
  const turns = events.filter((event) => event.type === 'turn.finished').filter((event) => event.key === key)
  const first = turns.find((event) => event.turn === turn)
  if (first !== undefined) return first.seq
  const last = turns.at(-1)?.turn ?? 0
  throw new TuttiError('InvalidRequest', `The job "${key}" has no turn ${turn}. It has ${last} turns.`)
}

/**
 * The log position up to which a retry keeps the turns of a job that was stopped, or whose model failed; 0 for another
 * failure, which the same turns would lead to again.
 */
function seqOfFailure(events: readonly RunEvent[], key: string): number {
  const turns = events.filter((event) => event.type === 'turn.finished').filter((event) => event.key === key)
  const settled = events.filter((event) => event.type === 'job.settled').findLast((event) => event.key === key)
  const isStopped = settled === undefined || settled.result.error?.type === 'Cancelled'
  const failed = turns.slice(turns.findLastIndex(({ error }) => error === undefined) + 1)[0]
  return failed?.seq ?? (isStopped ? (settled?.seq ?? Infinity) : 0)
}

/** Jobs whose task the new plan changes or leaves out. */
function changedTasks(events: readonly RunEvent[], plan: Plan | undefined): ReadonlySet<string> {
  if (plan === undefined) return NO_JOBS
  return new Set(
    events.flatMap((event) => {
      if (event.type !== 'job.started' || event.task === undefined) return []
      return plan.tasks.some((planned) => isDeepStrictEqual(planned, event.task)) ? [] : [event.key]
    }),
  )
}

function assertHasJob(events: readonly RunEvent[], key: string): void {
  const jobs = new Set(events.flatMap((event) => (event.type === 'job.started' ? [event.key] : [])))
  if (jobs.has(key)) return
  const known = [...jobs].join(', ') || 'none yet'
  throw new TuttiError('InvalidRequest', `The run has no job "${key}". It has: ${known}.`)
}

/** These jobs, all that started after one of them settled, and all that did not settle. */
function droppedJobs(events: readonly RunEvent[], changed: ReadonlySet<string>): ReadonlySet<string> {
  const started = new Map<string, number>()
  const settled = new Map<string, number>()
  for (const event of events) {
    if (event.type === 'job.settled') settled.set(event.key, event.seq)
    if (event.type === 'job.started' && !started.has(event.key)) started.set(event.key, event.seq)
  }
  const firstSettled = Math.min(...Array.from(changed, (key) => settled.get(key) ?? Infinity))
  const later = [...started].filter(([key, seq]) => seq > firstSettled || !settled.has(key)).map(([key]) => key)
  return new Set([...changed, ...later])
}

const DROPPED_EVENTS: ReadonlySet<RunEvent['type']> = new Set([
  // Approvals belong to the run that requested them; the jobs that did are settled.
  'approval.requested',
  'approval.decided',
  'budget.exhausted',
  'run.resumed',
  'run.cancelling',
  'run.finished',
  'run.failed',
  'run.cancelled',
] as const)

function keepsEvent(event: RunEvent, dropped: ReadonlySet<string>): boolean {
  if (DROPPED_EVENTS.has(event.type)) return false
  return !('key' in event && event.key !== undefined && dropped.has(event.key))
}

/** Without its place in the other log; a call that was paid for there costs nothing here. */
function bodyOf(event: RunEvent): EventBody {
  const { runId: _runId, seq: _seq, v: _v, ...body } = event
  if (body.type === 'child.finished') return { ...body, usage: NO_USAGE }
  if (!isModelCall(body)) return body
  const { usage: _usage, ...unpaid } = body
  return { ...unpaid, requests: 0 }
}

const changesSchema = requestSchema.pick({ question: true, systemPrompt: true, models: true, context: true }).partial()

function changedRequest(request: RunRequest, { plan: _plan, turn: _turn, ...changes }: ForkChanges): RunRequest {
  const parsed = changesSchema.safeParse(changes)
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new TuttiError('InvalidRequest', `The fork is not valid: ${issues.join('; ')}.`, { details: { issues } })
  }
  const { question = request.question, systemPrompt, models, context } = parsed.data
  // The reason for the strategy refers to the previous question.
  const { strategyReason, ...rest } = request
  return {
    ...rest,
    question,
    ...(question === request.question ? omitUndefined({ strategyReason }) : {}),
    ...omitUndefined({ systemPrompt }),
    models: { ...request.models, ...models },
    context: { ...request.context, ...context },
  }
}
