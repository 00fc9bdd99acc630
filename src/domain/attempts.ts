import type { Job } from './job.ts'
import type { Task } from './plan.ts'
import type { JobState, RunState } from './state.ts'
import { transcriptKeys } from './transcript.ts'

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
export function plannedTask({ plan, progress }: Pick<RunState, 'plan' | 'progress'>, input: unknown): Task | undefined {
  if (typeof input !== 'object' || input === null || !('agent' in input)) return undefined
  const task = plan?.plan.tasks[progress?.places.get((input as Task).id) ?? -1]
  return task === input || JSON.stringify(task) === JSON.stringify(input) ? task : undefined
}
