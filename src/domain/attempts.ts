import type { Job } from './job.ts'
import type { Task } from './plan.ts'
import type { JobState, RunState } from './state.ts'

/**
 * The latest attempt at what a job is to do: the job itself unless another one replaced it. Undefined also where the plan was
 * changed under it, and it has not been begun again.
 */
export function latestAttempt(state: Pick<RunState, 'jobs'>, key: string): JobState | undefined {
  const job = lastBegun(state, key)
  return job?.isOutdated === true ? undefined : job
}

/** The attempt that was begun last, whether it stands or the plan was changed under it. */
export function lastBegun({ jobs }: Pick<RunState, 'jobs'>, key: string): JobState | undefined {
  let job = jobs.get(key)
  while (job?.supersededBy !== undefined) job = jobs.get(job.supersededBy)
  return job
}

/**
 * The attempt by which a task counts as begun and done: its first one. Where the plan was changed under it, the first one
 * since; undefined while there is none.
 */
export function plannedAttempt({ jobs }: Pick<RunState, 'jobs'>, id: string): JobState | undefined {
  let job = jobs.get(id)
  while (job?.isOutdated === true) job = job.supersededBy === undefined ? undefined : jobs.get(job.supersededBy)
  return job
}

/** The jobs whose results a job is given, each in its latest attempt: steps of roles only where it depends on them. */
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

/** The planned task that equals a job's input; undefined for inputs that a strategy created itself. */
export function plannedTask({ plan, progress }: Pick<RunState, 'plan' | 'progress'>, input: unknown): Task | undefined {
  if (typeof input !== 'object' || input === null || !('agent' in input)) return undefined
  const task = plan?.plan.tasks[progress?.places.get((input as Task).id) ?? -1]
  return task === input || JSON.stringify(task) === JSON.stringify(input) ? task : undefined
}
