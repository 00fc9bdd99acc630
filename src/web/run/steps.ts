import { isQuestion, PLAN_CONFIRMER, parseStepKey, type ErrorInfo, type JobState, type Task } from '../../client/run.ts'
import type { RunView } from './run-log.ts'

export type StepState =
  | 'todo'
  | 'running'
  | 'waiting'
  | 'done'
  | 'rejected'
  | 'failed'
  | 'declined'
  | 'skipped'
  | 'stopped'

/** A step of a run: a job, or a task of the plan that has not started. */
export interface Step {
  /** The job key; the task ID for a task without a job. */
  readonly id: string
  readonly actor: string
  /** The task text, if it differs from the question. */
  readonly text?: string
  readonly state: StepState
  /** Milliseconds since the epoch. */
  readonly startedAt?: number
  readonly endedAt?: number
  readonly attempt: number
  readonly round: number
  /** Replaced by another attempt. */
  readonly isReplaced: boolean
  readonly after: readonly string[]
  /** Why it failed, was skipped or is retried. */
  readonly error?: ErrorInfo
  /** Why it rejected the work that it judged. */
  readonly rejection?: string
  readonly job?: JobState
}

/** Background jobs, not shown as steps. */
const BACKGROUND_ACTORS = new Set(['memory-extractor', 'summarizer', 'recorder', PLAN_CONFIRMER])

/** Returns whether the jobs of an actor are shown as steps. */
export function isShownStep({ actor }: { readonly actor: string }): boolean {
  return !BACKGROUND_ACTORS.has(actor)
}

/** Returns the approval that starts the plan; undefined if none is pending. */
export function confirmationIn({ state }: RunView): string | undefined {
  return [...state.openApprovals.values()].find(({ key }) => state.jobs.get(key)?.actor === PLAN_CONFIRMER)?.approvalId
}

/** The latest pending question that the user answers in words; not the approval of a plan. */
export function openQuestionIn({ state }: RunView): string | undefined {
  return [...state.openApprovals.values()].findLast((asked) => isQuestion(asked) && !asksForPlan(asked))?.approvalId
}

/** Returns whether an approval is for a whole plan. */
export function asksForPlan({ key }: { readonly key: string }): boolean {
  return parseStepKey(key)?.name === PLAN_CONFIRMER
}

/** The steps of an edited plan, with the state of each task in the run. */
export function stepsOfPlan(tasks: readonly Task[], { state }: RunView): Step[] {
  const jobs = [...state.jobs.values()].filter(({ isOutdated }) => isOutdated !== true)
  return tasks.map((task) => {
    const job = jobs.findLast((one) => one.task?.id === task.id)
    const begun = job === undefined ? 'todo' : stateOf(job)
    return { ...stepOfTask(task, new Map(), undefined, false), state: begun }
  })
}

/** The steps of a run: the started ones, then the planned ones. */
export function runSteps(view: RunView): Step[] {
  const { state } = view
  const jobs = [...state.jobs.values()].filter((job) => isShownStep(job) && job.isOutdated !== true)
  const begun = new Map<string, string>()
  for (const job of jobs) if (job.task !== undefined) begun.set(job.task.id, job.key)
  const steps = jobs.map((job) => stepOfJob(job, view))
  const open = state.plan?.plan.tasks.filter(({ id }) => !begun.has(id)) ?? []
  const planners = plannersOf(view)
  return [...linkSteps(steps, planners), ...open.map((task) => stepOfTask(task, begun, planners.last, view.isOver))]
}

function stepOfJob(job: JobState, { state, ended, events, isOver }: RunView): Step {
  // A job that is still marked as running after the run ended was stopped.
  const isStopped = isOver && job.status === 'running'
  const endedAt =
    ended.get(job.key) ?? (isStopped && state.endedAt !== undefined ? Date.parse(state.endedAt) : undefined)
  const text = job.task?.text
  const isWaiting = (job.approvals ?? []).some((id) => state.openApprovals.has(id))
  const rejection = rejectionOf(job)
  const error = job.result?.error ?? (job.status === 'running' && !isOver ? retryOf(job, events) : undefined)
  return {
    id: job.key,
    actor: job.actor,
    state: isStopped ? 'stopped' : isWaiting && job.status === 'running' ? 'waiting' : stateOf(job),
    startedAt: Date.parse(job.startedAt),
    attempt: job.attempt,
    round: job.round,
    isReplaced: job.supersededBy !== undefined,
    after: job.dependsOn ?? [],
    job,
    ...(text === undefined ? {} : { text }),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(error === undefined ? {} : { error }),
    ...(rejection === undefined ? {} : { rejection }),
  }
}

/** Failures that are shown as other states, by the type of their error. */
const STATES_BY_ERROR: Readonly<Record<string, StepState>> = { PlanningDeclined: 'declined', Cancelled: 'stopped' }

function stateOf(job: JobState): StepState {
  const { status, result } = job
  if (status === 'running') return 'running'
  if (rejectionOf(job) !== undefined) return 'rejected'
  return (status === 'failed' ? STATES_BY_ERROR[result?.error?.type ?? ''] : undefined) ?? STATES[status]
}

/** The feedback of a critic that rejected the work. */
function rejectionOf({ result }: JobState): string | undefined {
  const { decision, feedback } = (result?.data ?? {}) as { readonly decision?: unknown; readonly feedback?: unknown }
  return decision === 'reject' && typeof feedback === 'string' ? feedback : undefined
}

/** Display state of a finished job. */
export const STATES = { succeeded: 'done', failed: 'failed', skipped: 'skipped' } as const

function retryOf({ key, attempt }: JobState, events: RunView['events']): ErrorInfo | undefined {
  if (attempt === 1) return undefined
  const last = events.findLast((event) => event.type === 'job.retrying' && event.key === key)
  return last?.type === 'job.retrying' ? last.error : undefined
}

function stepOfTask(
  task: Task,
  begun: ReadonlyMap<string, string>,
  planner: string | undefined,
  isOver: boolean,
): Step {
  const after = task.dependsOn.map((id) => begun.get(id) ?? id)
  return {
    id: task.id,
    actor: task.agent,
    // Tasks that an ended run did not reach will not run.
    state: isOver ? 'skipped' : 'todo',
    attempt: 0,
    round: 1,
    isReplaced: false,
    after: after.length > 0 || planner === undefined ? after : [planner],
    ...(task.text === undefined ? {} : { text: task.text }),
  }
}

interface Planners {
  /** For each job, the planner whose plan was current when the job started. */
  readonly byJob: ReadonlyMap<string, string>
  /** The planner of the current plan. */
  readonly last: string | undefined
}

function plannersOf({ events }: RunView): Planners {
  const byJob = new Map<string, string>()
  let last: string | undefined
  for (const event of events) {
    if (event.type === 'plan.set' && event.key !== undefined) last = event.key
    if (event.type === 'job.started' && last !== undefined && !byJob.has(event.key)) byJob.set(event.key, last)
  }
  return { byJob, last }
}

/**
 * Derives dependencies for steps that declare none. Tasks depend on their planner. Other jobs depend on all steps that
 * no other step depends on when they start.
 */
function linkSteps(steps: readonly Step[], planners: Planners): Step[] {
  const leaves = new Set<string>()
  return steps.map((step) => {
    const planner = planners.byJob.get(step.id)
    const first = step.job?.task === undefined ? [...leaves] : planner === undefined ? [] : [planner]
    const after = step.after.length > 0 ? step.after : first
    for (const id of after) leaves.delete(id)
    leaves.add(step.id)
    return { ...step, after }
  })
}
