import type { Job } from './job.ts'
import type { JobState, RunState } from './state.ts'

/** The latest attempt at what a job is to do: the job itself unless another one replaced it. */
export function latestAttempt({ jobs }: Pick<RunState, 'jobs'>, key: string): JobState | undefined {
  let job = jobs.get(key)
  while (job?.supersededBy !== undefined) job = jobs.get(job.supersededBy)
  return job
}

/** The jobs whose results a job is given, each in its latest attempt. */
export function inputJobs({ sees, dependsOn = [] }: Job, state: Pick<RunState, 'jobs'>): readonly JobState[] {
  if (sees === 'all') return [...state.jobs.values()].filter(({ supersededBy }) => supersededBy === undefined)
  return dependsOn.flatMap((key) => latestAttempt(state, key) ?? [])
}
