import { plannedAttempt } from './attempts.ts'
import { withdraw } from './board.ts'
import type { Plan, Task } from './plan.ts'
import type { StateDraft } from './reduce.ts'
import type { JobState } from './state.ts'

/** What of the plans so far is not in the new one as it was. */
export function retiredBy({ plan: before }: StateDraft, { tasks }: Plan): readonly Task[] {
  const kept = new Set(tasks.map((task) => JSON.stringify(task)))
  const earlier = [...(before?.retired ?? []), ...(before?.plan.tasks ?? [])]
  return earlier.filter((task) => !kept.has(JSON.stringify(task)))
}

/** Jobs of retired tasks, and those that were given what came of such, in the order in which they were begun. */
export function outdate(
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

/** Whether a task, or another job, is done with. */
export function isDone(draft: StateDraft, id: string): boolean {
  return plannedAttempt(draft, id)?.result !== undefined
}
