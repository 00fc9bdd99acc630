import { plannedAttempt } from '../../../core/attempts.ts'
import type { Plan, Task } from '../../../core/plan.ts'
import type { RunState } from '../../../core/state.ts'

/** Tasks of the plan so far whose agents have had their turn, whatever came of it. */
export function spentTasks(state: RunState): Task[] {
  return (state.plan?.plan.tasks ?? []).filter(({ id }) => {
    const result = plannedAttempt(state, id)?.result
    return result !== undefined && result.error?.type !== 'DependencyFailed'
  })
}

/**
 * A plan made anew holds the tasks before it, whose results stay part of the run, and the new ones under ids of their
 * own: what is settled under an old id would be taken for theirs.
 */
export function joinPlans(earlier: Plan | undefined, tasks: readonly Task[]): Plan {
  if (earlier === undefined) return { tasks }
  const taken = new Set(earlier.tasks.map(({ id }) => id))
  const ids = tasks.map(({ id }) => {
    let free = id
    for (let n = 2; taken.has(free); n++) free = `${id}-${n}`
    taken.add(free)
    return free
  })
  const renamed = new Map(tasks.map(({ id }, i) => [id, ids[i]!]))
  const added = tasks.map((task, i) => ({
    ...task,
    id: ids[i]!,
    dependsOn: task.dependsOn.map((id) => renamed.get(id) ?? id),
  }))
  return { tasks: [...earlier.tasks, ...added] }
}
