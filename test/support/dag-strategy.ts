import type { Job } from '../../src/domain/job.ts'
import { isSettled, type RunState } from '../../src/domain/state.ts'
import type { Finish, Strategy } from '../../src/domain/strategy.ts'
import { composeThenFinish, planJob, plannerFailure, taskJob, turnsLeft } from '../../src/strategies/steps.ts'

/** Planner, then every task as soon as its dependencies have settled, then the composer. For tests of the engine. */
export const dag: Strategy = {
  name: 'graph',
  next(state: RunState): readonly Job[] | Finish {
    if (state.plan === undefined) return plannerFailure(state) ?? [planJob(1)]
    const mayStart = turnsLeft(state)
    const open = state.plan.plan.tasks.filter(({ id }) => {
      return !isSettled(state.jobs.get(id)) && (mayStart || state.jobs.has(id))
    })
    if (open.length === 0) return composeThenFinish(state)
    return open
      .filter((task) => task.dependsOn.every((id) => isSettled(state.jobs.get(id))))
      .map((task) => taskJob(task, task.dependsOn))
  },
}
