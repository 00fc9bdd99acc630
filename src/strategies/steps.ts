/**
 * Steps that the strategies have in common: plan, work on a task, compose, finish. The key of a task's job is the task's
 * id; keys of roles have a colon, which no task id may have.
 */
import { latestAttempt } from '../core/attempts.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { ActorName, Feedback, Job } from '../core/job.ts'
import type { Task } from '../core/plan.ts'
import type { Result } from '../core/result.ts'
import { isSettled, wasInVain, type JobState, type RunState } from '../core/state.ts'
import type { Finish } from '../core/strategy.ts'
import { unansweredIn, type Unanswered } from '../core/unanswered.ts'

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
 * Whether there is to be another plan, once: for parts that an agent declined as not its own, or when each task failed or
 * was skipped for want of input and the plan was not sure. There must be turns left for it. Not when a person refused a
 * call or a source did not work: that is an answer, and nobody else's guess takes its place. Nor when something was done
 * that cannot be undone, which another plan might do once more.
 */
export function wantsAnotherPlan(state: RunState): boolean {
  const { plan, round, confidence } = state.plan!
  if (round >= MAX_ROUNDS || state.effects.size > 0 || !turnsLeft(state)) return false
  if (isSettled(state.jobs.get(planKey(round + 1)))) return false
  const jobs = plan.tasks.map((task) => latestAttempt(state, task.id))
  if (jobs.some((job) => job?.status === 'succeeded')) return hasDeclinedPart(state)
  if (jobs.some((job) => FINAL.has(job?.result?.error?.type ?? ''))) return false
  const isInVain = jobs.every((job) => job?.status === 'failed' || wasInVain(job))
  if (!isInVain || !jobs.some((job) => job?.status === 'failed')) return false
  const isUnsure = confidence !== undefined && confidence < REPLAN_BELOW
  return isUnsure || jobs.every((job) => wasDeclined(job) || wasInVain(job))
}

/** A part of its own: what is said of the whole question, others have answered. */
function hasDeclinedPart(state: RunState): boolean {
  const isPart = ({ task, error }: Unanswered): boolean =>
    task.text !== undefined && task.dependsOn.length === 0 && error?.type === 'PlanningDeclined'
  return unansweredIn(state).some(isPart)
}

function wasDeclined(job: JobState | undefined): boolean {
  return job?.result?.error?.type === 'PlanningDeclined'
}

/** Ends after which no other way is looked for. */
const FINAL: ReadonlySet<string> = new Set<ErrorCode>([
  'ApprovalDenied',
  'ApprovalTimedOut',
  'ApprovalExpired',
  'ConfigurationError',
  'SourceNotFound',
  'QueryError',
  'QueryBlocked',
  'HttpError',
  'HttpRequestError',
  'MailError',
])

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
