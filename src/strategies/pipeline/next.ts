import { plannedAttempt, type Job } from '../../domain/job.ts'
import { isSettled, type RunState } from '../../domain/state.ts'
import type { Finish, Strategy } from '../../domain/strategy.ts'
import { composeThenFinish, plannedJob, planJob, plannerFailure, turnsLeft, shouldReplan } from '../steps.ts'

const PLANNER = 'planner'

/**
 * Planner, then the chosen agents one by one in planned order, then the composer. A failing agent does not stop the
 * next one; each agent receives the results of the previous ones.
 */
export const pipeline: Strategy = Object.freeze({
  name: 'pipeline',
  planner: PLANNER,
  isInOrder: true,
  next(state: RunState): readonly Job[] | Finish {
    if (state.plan === undefined) return plannerFailure(state) ?? [planJob(1, PLANNER)]
    const next = nextTask(state)
    if (next !== undefined) return next
    if (shouldReplan(state)) return [planJob(state.plan.round + 1, PLANNER)]
    return composeThenFinish(state)
  },
})

/** Undefined when there is none; no job while an attempt at it is being cancelled. */
function nextTask(state: RunState): readonly Job[] | undefined {
  const { tasks } = state.plan!.plan
  const next = tasks.findIndex(({ id }) => !isSettled(plannedAttempt(state, id)))
  const task = tasks[next]
  if (task === undefined || (plannedAttempt(state, task.id) === undefined && !turnsLeft(state))) return undefined
  const previous = tasks[next - 1]
  const job = plannedJob(state, task, previous === undefined ? [] : [previous.id])
  return job === undefined ? [] : [{ ...job, sees: 'all' }]
}
