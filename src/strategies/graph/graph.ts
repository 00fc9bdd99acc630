import { plannedAttempt } from '../../core/attempts.ts'
import type { ErrorInfo } from '../../core/errors.ts'
import type { Job } from '../../core/job.ts'
import type { Task } from '../../core/plan.ts'
import { freeTurns, wasInVain, type JobState, type RunState } from '../../core/state.ts'
import { MANY_JOBS, type Finish, type Strategy } from '../../core/strategy.ts'
import { composeThenFinish, isUsable, plannedJob, planJob, plannerFailure, wantsAnotherPlan } from '../steps.ts'

const PLANNER = 'master-planner'

/**
 * Master planner, then every task the moment its own dependencies have settled, then the composer (SPEC R1, R2). There
 * are no barriers between stages: those are how a plan is shown. A task that depends on others is given their results;
 * it is skipped when there is nothing to use in any of them.
 */
export const graph: Strategy = Object.freeze({
  name: 'graph',
  planner: PLANNER,
  next(state: RunState): readonly Job[] | Finish {
    if (state.plan === undefined) return plannerFailure(state) ?? [planJob(1, PLANNER)]
    const due = dueJobs(state)
    if (due.length > 0) return due
    if (wantsAnotherPlan(state)) return [planJob(state.plan.round + 1, PLANNER)]
    return composeThenFinish(state)
  },
})

/** Tasks in flight, tasks whose dependencies have settled, as far as turns go, and those that are to be skipped. */
export function dueJobs(state: RunState): Job[] {
  const turns = freeTurns(state)
  let begun = 0
  const due: Job[] = []
  for (const task of state.progress!.ready) {
    const known = plannedAttempt(state, task.id)
    const dependencies = task.dependsOn.map((id) => plannedAttempt(state, id))
    const job = plannedJob(state, task, task.dependsOn)
    if (job === undefined) continue
    // Also when it is in the log as started: the process may have died between the two entries of one that is skipped.
    if (dependencies.length > 0 && !dependencies.some(isUsable)) due.push({ ...job, skip: inVain(task, state) })
    else if (known !== undefined) due.push(job)
    else if (begun < turns) {
      due.push(job)
      // A long list that there are no slots for is not gone through each time that a job settles.
      if (++begun === MANY_JOBS) break
    }
  }
  return due
}

function inVain({ id, dependsOn }: Task, state: RunState): ErrorInfo {
  const ends = dependsOn.map((key) => `"${key}" ${endOf(plannedAttempt(state, key))}`)
  const message = `Task "${id}" was not run, since nothing came of what it needs: ${ends.join(', ')}.`
  return { type: 'DependencyFailed', message }
}

function endOf(job: JobState | undefined): string {
  if (job?.status === 'failed') return 'failed'
  return wasInVain(job) ? 'was not run' : 'had nothing to do'
}
