import type { Plan, Task } from './plan.ts'
import { plannedAttempt } from './job.ts'
import { withdraw } from './blackboard.ts'
import type { StateDraft } from './reduce.ts'
import type { JobState, RunState } from './state.ts'

/**
 * The user's plan, if it wins over the plan that a job sets: the job started before the user's change and does not know
 * it. The two may be in the log in either order.
 */
export function currentPlan({ plan: now }: StateDraft, { upon }: { readonly upon?: number }): RunState['plan'] {
  return upon !== undefined && now?.by === 'user' && upon < now.round ? now : undefined
}

/** Tasks of earlier plans, and of the plan just set, that are not part of the current plan unchanged. */
export function retiredTasks({ plan: before }: StateDraft, { tasks }: Plan, set: Plan): readonly Task[] {
  const current = new Set(tasks.map((task) => JSON.stringify(task)))
  const all = [...(before?.retired ?? []), ...(before?.plan.tasks ?? []), ...set.tasks]
  const retired = new Map(all.map((task) => [JSON.stringify(task), task]))
  return [...retired].flatMap(([text, task]) => (current.has(text) ? [] : [task]))
}

/**
 * Marks a job as outdated if its task was retired or if it depends on an outdated job. Called in the order of the jobs'
 * start.
 */
export function markOutdated(
  { jobs, plan, shared }: StateDraft,
  job: { -readonly [K in keyof JobState]: JobState[K] },
): void {
  const { key, task, dependsOn = [] } = job
  if (job.isOutdated === true || task === undefined) return
  const text = JSON.stringify(task)
  const isRetired = plan!.retired!.some((other) => JSON.stringify(other) === text)
  if (!isRetired && !dependsOn.some((id) => jobs.get(id)?.isOutdated === true && !plannedAttempt({ jobs }, id))) return
  job.isOutdated = true
  withdraw(shared, key)
}
