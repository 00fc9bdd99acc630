import { plannedAttempt, type Job, isFruitless } from '../../domain/job.ts'
import type { ErrorInfo } from '../../domain/errors.ts'
import type { Task } from '../../domain/plan.ts'
import { freeTurns, isSettled, type JobState, type RunState } from '../../domain/state.ts'
import { MAX_JOBS, type Finish, type Strategy } from '../../domain/strategy.ts'
import { composeThenFinish, isUsable, plannedJob, planJob, plannerFailure, shouldReplan } from '../steps.ts'

const PLANNER = 'master-planner'

/**
 * Master planner, then every task as soon as its own dependencies have settled, then the composer. There are no
 * barriers between stages, which only serve to show a plan. A task receives the results of its dependencies; it is
 * skipped if none of them is usable.
 */
export const graph: Strategy = Object.freeze({
  name: 'graph',
  planner: PLANNER,
  next(state: RunState): readonly Job[] | Finish {
    if (state.plan === undefined) return plannerFailure(state) ?? [planJob(1, PLANNER)]
    const due = dueJobs(state)
    if (due.length > 0) return due
    if (shouldReplan(state)) return [planJob(state.plan.round + 1, PLANNER)]
    return composeThenFinish(state)
  },
})

/**
 * Jobs to run now: tasks in progress, tasks whose dependencies have settled (within the turn limit), and tasks to skip.
 */
export function dueJobs(state: RunState): Job[] {
  const turns = freeTurns(state)
  let begun = 0
  const due: Job[] = []
  for (const task of readyTasks(state)) {
    const known = plannedAttempt(state, task.id)
    const dependencies = task.dependsOn.map((id) => plannedAttempt(state, id))
    const job = plannedJob(state, task, task.dependsOn)
    if (job === undefined) continue
    // Also if the log has it as started: the process may have died between the two events of a skipped job.
    if (dependencies.length > 0 && !dependencies.some(isUsable))
      due.push({ ...job, skip: dependencyError(task, state) })
    else if (known !== undefined) due.push(job)
    else if (begun < turns) {
      due.push(job)
      if (++begun === MAX_JOBS) break
    }
  }
  return due
}

/** Unsettled tasks without open dependencies, in plan order; includes tasks in progress. */
function readyTasks(state: RunState): readonly Task[] {
  const isDone = (id: string): boolean => isSettled(plannedAttempt(state, id))
  return state.plan!.plan.tasks.filter(({ id, dependsOn }) => !isDone(id) && dependsOn.every(isDone))
}

function dependencyError({ id, dependsOn }: Task, state: RunState): ErrorInfo {
  const ends = dependsOn.map((key) => `"${key}" ${endOf(plannedAttempt(state, key))}`)
  const message = `Task "${id}" was not run, since nothing came of what it needs: ${ends.join(', ')}.`
  return { type: 'DependencyFailed', message }
}

function endOf(job: JobState | undefined): string {
  if (job?.status === 'failed') return 'failed'
  return isFruitless(job) ? 'was not run' : 'had nothing to do'
}
