import { parseStepKey, type ErrorInfo, type JobState, type Task } from '../../client/run.ts'
import type { RunView } from './run-log.ts'

export type StepState = 'todo' | 'running' | 'waiting' | 'done' | 'failed' | 'declined' | 'skipped' | 'stopped'

/** One step of a run: a job, or a task of the plan that nobody has begun. */
export interface Step {
  /** The key of the job; of a task without one, its id. */
  readonly id: string
  readonly actor: string
  /** What is asked of it, where it is not the whole question. */
  readonly text?: string
  readonly state: StepState
  /** Milliseconds since the epoch. */
  readonly startedAt?: number
  readonly endedAt?: number
  readonly attempt: number
  readonly round: number
  /** Another attempt is in its place. */
  readonly isReplaced: boolean
  readonly after: readonly string[]
  /** Why it failed, was skipped or is tried again. */
  readonly trouble?: ErrorInfo
  readonly job?: JobState
}

/** Asks whether the plan is to be done. */
const CONFIRMER = 'plan-confirmer'

/** What continues beside the work on the question is not shown as a part of it. */
const BESIDE = new Set(['memory-extractor', 'summarizer', 'recorder', CONFIRMER])

/** Whether what an actor does is shown as a part of the work on the question. */
export function isShownStep({ actor }: { readonly actor: string }): boolean {
  return !BESIDE.has(actor)
}

/** The approval that starts the plan; undefined where nobody is asked for it. */
export function confirmationIn({ state }: RunView): string | undefined {
  return [...state.openApprovals.values()].find(({ key }) => state.jobs.get(key)?.actor === CONFIRMER)?.approvalId
}

/** Whether an approval is the person's word on a whole plan. */
export function asksForPlan({ key }: { readonly key: string }): boolean {
  return parseStepKey(key)?.name === CONFIRMER
}

/** A plan that a person works on, as steps: each as its task is in the run. */
export function stepsOfPlan(tasks: readonly Task[], { state }: RunView): Step[] {
  const jobs = [...state.jobs.values()].filter(({ isOutdated }) => isOutdated !== true)
  return tasks.map((task) => {
    const job = jobs.findLast((one) => one.task?.id === task.id)
    const begun = job === undefined ? 'todo' : stateOf(job)
    return { ...stepOfTask(task, new Map(), undefined, false), state: begun }
  })
}

/** A task, as far as a plan is drawn of it. */
type PlannedTask = Pick<Task, 'id' | 'agent' | 'text'> & { readonly dependsOn: readonly string[] }

/** A plan of which nobody has done anything yet. */
export function stepsOfTasks(tasks: readonly PlannedTask[]): Step[] {
  return tasks.map((task) => stepOfTask(task, new Map(), undefined, false))
}

/** The steps of a run, those that were begun first, then what is planned. */
export function runSteps(view: RunView): Step[] {
  const { state } = view
  const jobs = [...state.jobs.values()].filter((job) => isShownStep(job) && job.isOutdated !== true)
  const begun = new Map<string, string>()
  for (const job of jobs) if (job.task !== undefined) begun.set(job.task.id, job.key)
  const steps = jobs.map((job) => stepOfJob(job, view))
  const open = state.plan?.plan.tasks.filter(({ id }) => !begun.has(id)) ?? []
  const planners = plannersOf(view)
  return [...linked(steps, planners), ...open.map((task) => stepOfTask(task, begun, planners.last, view.isOver))]
}

function stepOfJob(job: JobState, { state, ended, events, isOver }: RunView): Step {
  // Nobody works on it any more once the run is over.
  const isStopped = isOver && job.status === 'running'
  const endedAt =
    ended.get(job.key) ?? (isStopped && state.endedAt !== undefined ? Date.parse(state.endedAt) : undefined)
  const text = job.task?.text
  const isWaiting = (job.approvals ?? []).some((id) => state.openApprovals.has(id))
  const error = job.result?.error ?? (job.status === 'running' ? retryOf(job, events) : undefined)
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
    ...(error === undefined ? {} : { trouble: error }),
  }
}

/** Whoever has no answer has not failed. */
function stateOf({ status, result }: JobState): StepState {
  if (status === 'running') return 'running'
  return status === 'failed' && result?.error?.type === 'PlanningDeclined' ? 'declined' : STATES[status]
}

/** What became of a job that is over, for people. */
export const STATES = { succeeded: 'done', failed: 'failed', skipped: 'skipped' } as const

function retryOf({ key, attempt }: JobState, events: RunView['events']): ErrorInfo | undefined {
  if (attempt === 1) return undefined
  const last = events.findLast((event) => event.type === 'job.retrying' && event.key === key)
  return last?.type === 'job.retrying' ? last.error : undefined
}

function stepOfTask(
  task: PlannedTask,
  begun: ReadonlyMap<string, string>,
  planner: string | undefined,
  isOver: boolean,
): Step {
  const after = task.dependsOn.map((id) => begun.get(id) ?? id)
  return {
    id: task.id,
    actor: task.agent,
    // What a run that is over did not come to will not be done.
    state: isOver ? 'skipped' : 'todo',
    attempt: 0,
    round: 1,
    isReplaced: false,
    after: after.length > 0 || planner === undefined ? after : [planner],
    ...(task.text === undefined ? {} : { text: task.text }),
  }
}

interface Planners {
  /** By job, who had made the plan when it began. */
  readonly of: ReadonlyMap<string, string>
  /** Who made the plan as it stands. */
  readonly last: string | undefined
}

function plannersOf({ events }: RunView): Planners {
  const of = new Map<string, string>()
  let last: string | undefined
  for (const event of events) {
    if (event.type === 'plan.set' && event.key !== undefined) last = event.key
    if (event.type === 'job.started' && last !== undefined && !of.has(event.key)) of.set(event.key, last)
  }
  return { of, last }
}

/**
 * Says of steps that name nothing that they rest on what they come after: tasks, whoever planned them; roles, what nobody goes
 * on from when they begin.
 */
function linked(steps: readonly Step[], planners: Planners): Step[] {
  const leaves = new Set<string>()
  return steps.map((step) => {
    const planner = planners.of.get(step.id)
    const first = step.job?.task === undefined ? [...leaves] : planner === undefined ? [] : [planner]
    const after = step.after.length > 0 ? step.after : first
    for (const id of after) leaves.delete(id)
    leaves.add(step.id)
    return { ...step, after }
  })
}
