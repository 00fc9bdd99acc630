/**
 * Steps that the strategies have in common: plan, work on a task, compose, finish. The key of a task's job is the task's
 * id; keys of roles have a colon, which no task id may have.
 */
import { latestAttempt } from '../core/attempts.ts'
import type { ActorName, Feedback, Job } from '../core/job.ts'
import type { Task } from '../core/plan.ts'
import type { Result } from '../core/result.ts'
import { isSettled, wasInVain, type JobState, type RunState } from '../core/state.ts'
import type { Finish } from '../core/strategy.ts'

export const COMPOSE_KEY = 'compose:1'

export function planKey(round: number): string {
  return `plan:${round}`
}

/** A plan less sure than this is made anew, once, when nothing came of it (SPEC P13). */
export const REPLAN_BELOW = 0.5
const MAX_ROUNDS = 2

/** The job of a planner; `round` is 1, or more when it plans anew. */
export function planJob(round: number, planner: ActorName = 'planner'): Job {
  return { key: planKey(round), actor: planner, input: { round } }
}

/**
 * Whether the plan is to be made anew: it was not sure, each of its tasks failed or was skipped for want of input, and
 * there are turns left for another one. Not when a person refused a call: that is an answer, and no other way is looked for.
 * Nor when something was done that cannot be undone, which another plan might do once more.
 */
export function wantsAnotherPlan(state: RunState): boolean {
  const { plan, round, confidence } = state.plan!
  if (round >= MAX_ROUNDS || confidence === undefined || confidence >= REPLAN_BELOW) return false
  if (state.effects.size > 0 || !turnsLeft(state) || isSettled(state.jobs.get(planKey(round + 1)))) return false
  const jobs = plan.tasks.map((task) => latestAttempt(state, task.id))
  if (jobs.some(wasRefused)) return false
  return jobs.some((job) => job?.status === 'failed') && jobs.every((job) => job?.status === 'failed' || wasInVain(job))
}

function wasRefused(job: JobState | undefined): boolean {
  return /^Approval(?:Denied|TimedOut|Expired)$/.test(job?.result?.error?.type ?? '')
}

/** The job of a planned task. @param dependsOn tasks whose results it is given */
export function taskJob(task: Task, dependsOn: readonly string[]): Job {
  return { key: task.id, actor: task.agent, input: task, dependsOn }
}

/**
 * The same task once more, for the time given by `round`, from 2: with what was said of the attempt before, which it takes
 * the place of.
 */
export function taskAgain(task: Task, dependsOn: readonly string[], round: number, feedback: Feedback): Job {
  return { ...taskJob(task, dependsOn), key: attemptKey(task, round), replaces: attemptKey(task, round - 1), feedback }
}

/** A task's own id for the first attempt; no id of a task and no key of a role has a tilde. */
export function attemptKey({ id }: Task, round: number): string {
  return round === 1 ? id : `${id}~${round}`
}

/** The run cannot go on without a plan: the planner's error is the run's. */
export function plannerFailure(state: RunState): Finish | undefined {
  const result = state.jobs.get(planKey(1))?.result
  if (result === undefined) return undefined
  return failure(result, 'The planner ended without a plan.')
}

/** Whether one more specialist may start: the request's `maxTurns` and the budget allow it. */
export function turnsLeft(state: RunState): boolean {
  return freeTurns(state) > 0
}

/** How many more specialists may start; `Infinity` without a limit. */
export function freeTurns(state: RunState): number {
  if (state.exhausted !== undefined) return 0
  const { maxTurns } = state.request
  return maxTurns === undefined ? Infinity : Math.max(0, maxTurns - state.turns)
}

/** The last step: the composer answers, and the run is over. */
export function composeThenFinish(state: RunState): readonly Job[] | Finish {
  const result = state.jobs.get(COMPOSE_KEY)?.result
  if (result === undefined) return [{ key: COMPOSE_KEY, actor: 'composer', input: null }]
  if (state.answer !== undefined) return { finish: 'answered' }
  return failure(result, 'The composer ended without an answer.')
}

function failure({ error }: Result, message: string): Finish {
  return { finish: 'failed', error: error ?? { type: 'Internal', message } }
}
