/**
 * Steps that the strategies have in common: plan, work on a task, compose, finish; and steps that come again.
 */
import type { RoleType } from '../domain/actor.ts'
import {
  lastStarted,
  latestAttempt,
  stepKey,
  type ActorName,
  type Feedback,
  type Job,
  isFruitless,
} from '../domain/job.ts'
import type { ErrorCode } from '../domain/errors.ts'
import type { Task } from '../domain/plan.ts'
import type { Result } from '../domain/result.ts'
import { freeTurns, isSettled, type JobState, type RunState } from '../domain/state.ts'
import type { Finish } from '../domain/strategy.ts'
import { unansweredIn, type Unanswered } from '../domain/answer-status.ts'

/** All rounds of a step so far, in their order. */
export function roundsOf({ jobs, steps }: RunState, name: string): readonly JobState[] {
  return (steps.get(name) ?? []).flatMap((key) => jobs.get(key) ?? [])
}

/** The latest round of a step; undefined before the first. */
export function latestRound({ jobs, steps }: RunState, name: string): JobState | undefined {
  const key = steps.get(name)?.at(-1)
  return key === undefined ? undefined : jobs.get(key)
}

/** The latest round of the step that started last among these steps. */
export function lastStep(state: RunState, names: readonly string[]): JobState | undefined {
  const last = [...state.steps.keys()].findLast((name) => names.includes(name))
  return last === undefined ? undefined : latestRound(state, last)
}

/** A role, or its type: a step is named after it. */
type StepType<I> = Pick<RoleType<I, unknown>, 'name'> & Partial<Pick<RoleType<I, unknown>, 'input'>>

/** The job of a role's step: the round that is under way, or else the next one. Its input has the type that the role declares. */
export function stepJob<I>(
  state: RunState,
  { name }: StepType<I>,
  input: I,
  about: Pick<Job, 'dependsOn' | 'feedback' | 'skip'> = {},
): Job<I> {
  const latest = latestRound(state, name)
  const round = latest === undefined ? 1 : isSettled(latest) ? latest.round + 1 : latest.round
  return { key: stepKey(name, round), actor: name, input, ...about }
}

/**
 * Repeats a step with feedback on its latest round. The new round replaces that one, which stays in the trace but is no
 * job's input.
 */
export function stepAgain<I>(
  state: RunState,
  type: StepType<I>,
  input: I,
  feedback: Feedback,
  about: Pick<Job, 'dependsOn'> = {},
): Job<I> {
  return replaceRound(state, type.name, stepJob(state, type, input, { ...about, feedback }))
}

/** The job of a step's round, in place of the round before it. */
function replaceRound<I>(state: RunState, name: string, job: Job<I>): Job<I> {
  const latest = latestRound(state, name)
  const replaces = latest?.key === job.key ? latest.replaces : latest?.key
  return replaces === undefined ? job : { ...job, replaces }
}

const PLAN = 'plan'
const COMPOSE = 'compose'

/** A plan or a result less sure than this is followed by another plan, once, when parts are unanswered. */
const REPLAN_BELOW = 0.5
const MAX_ROUNDS = 2

/** The job of a planner; `round` is 1, or more when it plans again. */
export function planJob(round: number, planner: ActorName = 'planner'): Job {
  return { key: stepKey(PLAN, round), actor: planner, input: { round } }
}

/**
 * Whether to plan again, once: for parts that an agent declined as not its own, or if parts are unanswered and the
 * confidence of the plan or a result is low. Turns must remain. Not if a user refused a call or a source did not work:
 * that is an answer, and other agents' guesses must not replace it. Nor if an irreversible call was made, which another
 * plan might repeat.
 */
export function shouldReplan(state: RunState): boolean {
  const { plan, round, confidence } = state.plan!
  if (round >= MAX_ROUNDS || state.effects.size > 0 || !turnsLeft(state)) return false
  if (isSettled(state.jobs.get(stepKey(PLAN, round + 1)))) return false
  const jobs = plan.tasks.map((task) => latestAttempt(state, task.id))
  const isUnsure = [confidence, ...jobs.map((job) => job?.result?.confidence)].some(
    (sure) => sure !== undefined && sure < REPLAN_BELOW,
  )
  const isFinal = jobs.some((job) => FINAL.has(job?.result?.error?.type ?? ''))
  if (jobs.some((job) => job?.status === 'succeeded')) {
    const hasGaps = unansweredIn(state).length > 0 || jobs.some((job) => (job?.result?.unanswered ?? []).length > 0)
    // Without a model the same words make the same plan.
    const isByModel = state.usage.calls > 0
    return hasDeclinedPart(state) || (isByModel && isUnsure && !isFinal && hasGaps)
  }
  if (isFinal) return false
  const isInVain = jobs.every((job) => job?.status === 'failed' || isFruitless(job))
  if (!isInVain || !jobs.some((job) => job?.status === 'failed')) return false
  return isUnsure || jobs.every((job) => wasDeclined(job) || isFruitless(job))
}

/**
 * Whether an agent declined an independent part. A decline of the whole question does not count: others answered it.
 */
function hasDeclinedPart(state: RunState): boolean {
  const isPart = ({ task, error }: Unanswered): boolean =>
    task.text !== undefined && task.dependsOn.length === 0 && error?.type === 'PlanningDeclined'
  return unansweredIn(state).some(isPart)
}

/** Whether its agent declined it. */
export function wasDeclined(job: JobState | undefined): boolean {
  return job?.result?.error?.type === 'PlanningDeclined'
}

/** Ends after which no other way is looked for. */
const FINAL: ReadonlySet<string> = new Set<ErrorCode>([
  'InvalidRequest',
  'ApprovalDenied',
  'ApprovalInstructed',
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

/**
 * The job of a task in the current plan; a replacement if a plan change made its attempt outdated. Undefined while that
 * attempt is being cancelled.
 */
export function plannedJob(state: RunState, task: Task, dependsOn: readonly string[]): Job | undefined {
  const last = lastStarted(state, task.id)
  if (last?.isOutdated !== true) return underWay(last, taskJob(task, dependsOn))
  return isSettled(last) ? nextAttempt(last, taskJob(task, dependsOn)) : undefined
}

/** The job of a planned task. @param dependsOn tasks whose results it receives */
export function taskJob(task: Task, dependsOn: readonly string[]): Job {
  return { key: task.id, actor: task.agent, input: task, dependsOn }
}

/**
 * Repeats a task with feedback on its latest attempt and replaces that attempt: the one in progress, otherwise the
 * next.
 */
export function taskAgain(state: RunState, task: Task, dependsOn: readonly string[], feedback: Feedback): Job {
  const last = lastStarted(state, task.id)
  const job = { ...taskJob(task, dependsOn), feedback }
  const isUnderWay = last?.replaces !== undefined && !isSettled(last)
  return last === undefined || isUnderWay ? underWay(last, job) : nextAttempt(last, job)
}

function underWay(attempt: JobState | undefined, job: Job): Job {
  return attempt?.replaces === undefined ? job : { ...job, key: attempt.key, replaces: attempt.replaces }
}

/** No id of a task and no key of a step has a tilde. */
function nextAttempt({ key, round }: JobState, job: Job): Job {
  return { ...job, key: `${job.key}~${round + 1}`, replaces: key }
}

/** The run cannot continue without a plan: the planner's error is the run's. */
export function plannerFailure(state: RunState): Finish | undefined {
  const result = state.jobs.get(stepKey(PLAN, 1))?.result
  if (result === undefined) return undefined
  return failure(result, 'The planner ended without a plan.')
}

/** Whether one more specialist may start: the request's `maxTurns` and the budget allow it. */
export function turnsLeft(state: RunState): boolean {
  return freeTurns(state) > 0
}

/**
 * Whether a later task can use the result: a success, or a failure with a partial result or a table. Of a refused call
 * that is its reason, which later tasks are told.
 */
export function isUsable(job: JobState | undefined): boolean {
  const { status, partial, tabular } = job?.result ?? {}
  return status === 'succeeded' || tabular !== undefined || (partial !== undefined && partial !== null)
}

/** The strategy's input for the composer. */
export interface Composing {
  /** Why the work was stopped early, as a sentence of the answer. */
  readonly stopped?: string
  /** The latest thought on the plan, if it is newer than the plan. */
  readonly rationale?: string
}

/** The last step: the composer answers, and the run ends. If a plan change added tasks meanwhile, it answers again. */
export function composeThenFinish(state: RunState, composing: Composing | null = null): readonly Job[] | Finish {
  const { key, result } = latestRound(state, COMPOSE) ?? {}
  if (result === undefined || !isLast(state, key!)) {
    return [{ ...replaceRound(state, COMPOSE, stepJob(state, { name: COMPOSE }, composing)), actor: 'composer' }]
  }
  if (state.answer !== undefined) return { finish: 'answered' }
  return failure(result, 'The composer ended without an answer.')
}

/** Whether no specialist was begun after this job. */
function isLast({ jobs }: RunState, key: string): boolean {
  const begun = [...jobs.values()]
  return begun.findLastIndex(({ task }) => task !== undefined) < begun.findIndex((job) => job.key === key)
}

function failure({ error }: Result, message: string): Finish {
  return { finish: 'failed', error: error ?? { type: 'Internal', message } }
}
