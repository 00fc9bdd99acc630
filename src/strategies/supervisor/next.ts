import { lastStarted, latestAttempt, plannedAttempt, type Job } from '../../domain/job.ts'
import type { Task } from '../../domain/plan.ts'
import { freeTurns, isSettled, type RunState } from '../../domain/state.ts'
import type { Finish, Strategy } from '../../domain/strategy.ts'
import { omitUndefined } from '../../shared/json.ts'
import { unansweredIn } from '../../domain/answer-status.ts'
import {
  composeThenFinish,
  latestRound,
  plannedJob,
  planJob,
  plannerFailure,
  roundsOf,
  stepAgain,
  stepJob,
  taskAgain,
  turnsLeft,
} from '../steps.ts'
import { decisionText, STUCK, TABLE, type Situation } from './table.ts'
import { isFinding, supervisorProgress, isRepeated, refusedSteps, turnsIn, type Turn } from './turns.ts'
import { clarifierType, supervisorType } from './types.ts'

const PREPROCESS = 'preprocess'
/** Circuit breaker: maximum number of repeated routings to agents without progress; then the run goes to QA. */
const MAX_RETRIES = 2
/** Consecutive turns without findings, regardless of plan changes, after which the circuit breaker ends the run. */
const MAX_FRUITLESS_TURNS = 4
/** Decisions of the supervisor in one run. */
const MAX_DECISIONS = 30
/** Maximum number of questions to the user per run. */
const MAX_QUESTIONS = 2

/**
 * Preprocess, then the supervisor, the agents that it chose side by side, the supervisor again … and QA at the end. The supervisor may change the plan each time; whether it is done is seen from the plan.
 */
export const supervisor: Strategy = Object.freeze({
  name: 'supervisor',
  planner: PREPROCESS,
  next(state: RunState): readonly Job[] | Finish {
    if (state.plan === undefined) return plannerFailure(state) ?? [planJob(1, PREPROCESS)]
    const deciding = latestRound(state, supervisorType.name)
    if (deciding !== undefined && !isSettled(deciding)) return [decision(state, deciding.replaces !== undefined)]
    const turns = turnsIn(state)
    const turn = turns.at(-1)
    if (turn === undefined) return turnsLeft(state) ? [decision(state)] : composeThenFinish(state)
    const work = dueWork(state, turn)
    if (turn.work.length > 0 && work.length > 0) return work
    const situation = situationOf(state, turns, work)
    switch (TABLE[situation].to) {
      case 'agents':
        return work
      case 'clarifier':
        return [question(state, turns)]
      case 'supervisor':
        return [decision(state, situation === 'early')]
      default: {
        const stopped = decisionText(situation)
        return composeThenFinish(state, omitUndefined({ stopped, rationale: turn.supervisor.result?.answer }))
      }
    }
  },
})

/** The current row of the table; a model's statements about itself do not matter. */
function situationOf(state: RunState, turns: readonly Turn[], work: readonly Job[]): Situation {
  const turn = turns.at(-1)!
  const { choice, supervisor: decided, clarifier } = turn
  if (clarifier !== undefined && !isSettled(clarifier)) return 'unclear'
  if (!turnsLeft(state)) return 'limit'
  if (choice === undefined) return 'broken'
  if (clarifier !== undefined) return clarifier.status === 'succeeded' ? 'answered' : 'unanswered'
  if (turn.work.length > 0) return isComplete(state, turn) ? 'finished' : 'settled'
  if (choice.question !== undefined && canAskUser(state)) return 'asks'
  if (state.plan!.round > choice.planRound && !isDerailed(state)) return 'replanned'
  const { retries, fruitless } = supervisorProgress(state, turns)
  if (choice.route.length > 0 && (retries >= MAX_RETRIES || isDerailed(state, fruitless))) {
    if (work.length === 0 && unansweredIn(state).length === 0) return 'done'
    if (canAskUser(state)) return 'unclear'
    return retries >= MAX_RETRIES ? 'breaker' : 'derailed'
  }
  if (work.length > 0) return 'chosen'
  if (openTasks(state).length > 0) return decided.replaces === undefined ? 'early' : 'earlyAgain'
  if (refusedSteps(state).length > 0) return 'repeated'
  return unansweredIn(state).length === 0 ? 'done' : 'stuck'
}

/** Whether the user may be asked another question. */
export function canAskUser(state: RunState): boolean {
  return state.request.interactive !== false && roundsOf(state, clarifierType.name).length < MAX_QUESTIONS
}

/** Whether the steps that the supervisor called the last ones have all succeeded, and none of them reported a gap. */
function isComplete(state: RunState, turn: Turn): boolean {
  if (turn.choice?.isLast !== true || openTasks(state).length > 0) return false
  const ends = tasksOf(state, turn).map(({ id }) => latestAttempt(state, id)?.result)
  return ends.every((end) => end?.status === 'succeeded' && (end.unanswered ?? []).length === 0)
}

function isDerailed(state: RunState, fruitless = 0): boolean {
  if (fruitless >= MAX_FRUITLESS_TURNS) return true
  return roundsOf(state, supervisorType.name).length >= MAX_DECISIONS
}

/** Tasks that have not started and have no open dependencies. */
export function openTasks(state: RunState): Task[] {
  return state.plan!.plan.tasks.filter(
    (task) => plannedAttempt(state, task.id) === undefined && isReady(state, task) && !isRepeated(state, task),
  )
}

/** Whether all dependencies of a task have settled, and at least one has a usable result. */
function isReady(state: RunState, { dependsOn }: Task): boolean {
  const needed = dependsOn.map((id) => latestAttempt(state, id))
  return needed.every(isSettled) && (needed.length === 0 || needed.some(isFinding))
}

/** The chosen tasks that are still in the plan; a user may have removed some. */
function tasksOf({ plan }: RunState, { choice }: Turn): Task[] {
  const chosen = new Set(choice?.route.map(({ task }) => task))
  return plan!.plan.tasks.filter(({ id }) => chosen.has(id))
}

/** Jobs of a decision that are running or not started yet. */
function dueWork(state: RunState, turn: Turn): Job[] {
  let free = freeTurns(state)
  return tasksOf(state, turn).flatMap((task): Job[] => {
    const begun = turn.work.findLast((job) => job.task?.id === task.id && job.isOutdated !== true)
    if (begun === undefined) {
      if (isRepeated(state, task) || !isReady(state, task) || free <= 0) return []
      free--
    } else if (isSettled(begun)) return []
    const job = attemptAt(state, task)
    return job === undefined ? [] : [job]
  })
}

/** The first attempt at a task, or a new one in place of a fruitless one. */
function attemptAt(state: RunState, task: Task): Job | undefined {
  const last = lastStarted(state, task.id)
  const before = isSettled(last) ? last : state.jobs.get(last?.replaces ?? '')
  if (before === undefined || before.isOutdated === true) return plannedJob(state, task, task.dependsOn)
  const text = before.result?.error?.message ?? 'The attempt gave no usable result.'
  return taskAgain(state, task, task.dependsOn, { by: supervisorType.name, text })
}

/** The supervisor's next decision; in place of the last one when that left parts open without a word. */
function decision(state: RunState, isRetry = false): Job {
  const refused = refusedSteps(state).map(({ id }) => `"${id}"`)
  if (!isRetry && refused.length > 0) {
    const text = `These steps are not done again: ${refused.join(', ')}. Go by their results.`
    return stepJob(state, supervisorType, null, { feedback: { by: 'check', text } })
  }
  if (!isRetry) return stepJob(state, supervisorType, null)
  const open = openTasks(state).map(({ id }) => `"${id}"`)
  const text = `Parts of the plan are open, and nobody was chosen for them: ${open.join(', ')}.`
  return stepAgain(state, supervisorType, null, { by: 'check', text })
}

function question(state: RunState, turns: readonly Turn[]): Job {
  const question = turns.at(-1)?.choice?.question
  if (question !== undefined) return stepJob(state, clarifierType, { question })
  const reason = supervisorProgress(state, turns).retries >= MAX_RETRIES ? STUCK.breaker : STUCK.derailed
  return stepJob(state, clarifierType, { why: `${reason}.` })
}
