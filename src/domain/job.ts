import type { ErrorInfo } from './errors.ts'
import type { EventBody } from './events.ts'
import type { Task } from './plan.ts'
import type { JobState, RunState } from './state.ts'
import { transcriptKeys } from './transcript.ts'

/** A role or a specialist agent, by name. */
export type ActorName = string

/** Feedback on an attempt at a task, for the next attempt. */
export interface Feedback {
  /** Its author: a critic's name, `person`, or `check`. */
  readonly by: string
  readonly text: string
  /** Key of the job that wrote it. Absent: it may be derived from any data of the run. */
  readonly from?: string
}

/** Why an attempt was sent back within its job; given to the next attempt. */
export interface Rejection extends Pick<Feedback, 'by' | 'text'> {
  /** The attempt's answer. */
  readonly answer?: string
}

/**
 * One task for one actor. The key is stable across restarts, because the strategy computes it from state alone.
 * `dependsOn` holds the keys of jobs whose results are its input; the engine does not start it before they have
 * settled.
 */
export interface Job<I = unknown> {
  readonly key: string
  readonly actor: ActorName
  readonly input: I
  readonly dependsOn?: readonly string[]
  /** `all`: in addition to its dependencies, it receives the results of all tasks settled before it starts. */
  readonly sees?: 'all'
  /**
   * Key of an earlier, settled attempt at the same task. From the start of this job on, the earlier attempt is only in
   * the trace and no longer an input or a result.
   */
  readonly replaces?: string
  /** Feedback that caused the repetition. */
  readonly feedback?: Feedback
  /** The reason to skip it: it is settled as `skipped` with this error at once, without its actor. */
  readonly skip?: ErrorInfo
}

/** The key of a step that a role does: its name and how often it has come, from 1. */
export function stepKey(name: string, round: number): string {
  return `${name}:${round}`
}

/** The step that a key means; undefined for that of a task, which has no colon. */
export function parseStepKey(key: string): { readonly name: string; readonly round: number } | undefined {
  const [, name, round] = /^(.+):(\d+)$/s.exec(key) ?? []
  return name === undefined ? undefined : { name, round: Number(round) }
}

/** The first entry of a job in the log. */
export function jobStarted({ key, actor, dependsOn = [], input, replaces, feedback }: Job): EventBody {
  const start = { type: 'job.started', key, actor, attempt: 1 } as const
  const withTask = isTask(input) ? { ...start, task: input } : start
  const event = dependsOn.length === 0 ? withTask : { ...withTask, dependsOn }
  if (replaces === undefined && feedback === undefined) return event
  return { ...event, ...(replaces === undefined ? {} : { replaces }), ...(feedback === undefined ? {} : { feedback }) }
}

/** Whether the input of a job makes it a specialist's. */
function isTask(input: unknown): input is Task {
  return typeof input === 'object' && input !== null && 'agent' in input && 'id' in input
}

/**
 * The latest attempt at a job: the job itself or its last replacement. Undefined if a plan change made it outdated and
 * no new attempt has started.
 */
export function latestAttempt(state: Pick<RunState, 'jobs'>, key: string): JobState | undefined {
  const job = lastStarted(state, key)
  return job?.isOutdated === true ? undefined : job
}

/** The attempt that started last, even if a plan change made it outdated. */
export function lastStarted({ jobs }: Pick<RunState, 'jobs'>, key: string): JobState | undefined {
  let job = jobs.get(key)
  while (job?.supersededBy !== undefined) job = jobs.get(job.supersededBy)
  return job
}

/**
 * The attempt that decides whether a task counts as started and done: the first one, or the first one since a plan
 * change made earlier ones outdated. Undefined while there is none.
 */
export function plannedAttempt({ jobs }: Pick<RunState, 'jobs'>, id: string): JobState | undefined {
  let job = jobs.get(id)
  while (job?.isOutdated === true) job = job.supersededBy === undefined ? undefined : jobs.get(job.supersededBy)
  return job
}

/** The jobs whose results a job receives, each in its latest attempt. Role steps are included only as dependencies. */
export function inputJobs(
  { sees, dependsOn = [] }: Pick<Job, 'sees' | 'dependsOn'>,
  state: Pick<RunState, 'jobs'>,
): readonly JobState[] {
  if (sees === 'all') {
    return [...state.jobs.values()].filter(
      ({ task, supersededBy, isOutdated }) => task !== undefined && supersededBy === undefined && isOutdated !== true,
    )
  }
  return [...new Set(dependsOn.flatMap((key) => latestAttempt(state, key) ?? []))]
}

/** Keys of the jobs that were not replaced and are not outdated, and of the jobs whose transcripts they continue. */
export function currentKeys({ jobs, transcripts }: Pick<RunState, 'jobs' | 'transcripts'>): readonly string[] {
  const current = [...jobs.values()].filter(({ supersededBy, isOutdated }) => !supersededBy && isOutdated !== true)
  return [...new Set(current.flatMap(({ key }) => transcriptKeys(key, transcripts)))]
}

/** The planned task that equals a job's input; undefined for inputs that a strategy created itself. */
export function plannedTask({ plan }: Pick<RunState, 'plan'>, input: unknown): Task | undefined {
  if (typeof input !== 'object' || input === null || !('agent' in input)) return undefined
  const task = plan?.plan.tasks.find(({ id }) => id === (input as Task).id)
  return task === input || JSON.stringify(task) === JSON.stringify(input) ? task : undefined
}

/** Whether the strategy skipped it because none of its dependencies had a result; it took no turn. */
export function isFruitless(job: JobState | undefined): boolean {
  return job?.status === 'skipped' && job.result?.error?.type === 'DependencyFailed'
}
