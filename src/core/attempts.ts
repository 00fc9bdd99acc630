import type { Job } from './job.ts'
import type { Task } from './plan.ts'
import type { JobState, RunState } from './state.ts'

/** The latest attempt at what a job is to do: the job itself unless another one replaced it. */
export function latestAttempt({ jobs }: Pick<RunState, 'jobs'>, key: string): JobState | undefined {
  let job = jobs.get(key)
  while (job?.supersededBy !== undefined) job = jobs.get(job.supersededBy)
  return job
}

/** The jobs whose results a job is given, each in its latest attempt: steps of roles only where it depends on them. */
export function inputJobs({ sees, dependsOn = [] }: Job, state: Pick<RunState, 'jobs'>): readonly JobState[] {
  if (sees === 'all') {
    return [...state.jobs.values()].filter(({ task, supersededBy }) => task !== undefined && supersededBy === undefined)
  }
  return [...new Set(dependsOn.flatMap((key) => latestAttempt(state, key) ?? []))]
}

/** The task of the plan that a job is given as it stands there; undefined for what a strategy made up itself. */
export function plannedTask({ plan, progress }: Pick<RunState, 'plan' | 'progress'>, input: unknown): Task | undefined {
  if (typeof input !== 'object' || input === null || !('agent' in input)) return undefined
  const task = plan?.plan.tasks[progress?.places.get((input as Task).id) ?? -1]
  return task === input || JSON.stringify(task) === JSON.stringify(input) ? task : undefined
}
