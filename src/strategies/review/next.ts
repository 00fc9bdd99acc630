import { dataOf } from '../../domain/actor.ts'
import { latestAttempt, type Feedback, type Job } from '../../domain/job.ts'
import type { Task } from '../../domain/plan.ts'
import { isSettled, type JobState, type RunState } from '../../domain/state.ts'
import type { Finish, Strategy } from '../../domain/strategy.ts'
import { latestRound, plannedJob, roundsOf, stepAgain, stepJob, taskAgain, turnsLeft, wasDeclined } from '../steps.ts'
import { errorKind } from './errors.ts'
import { instructionFor } from './instructions.ts'
import { rowFor, STEPS, type StepOutcome, type Row, type Step } from './table.ts'
import { ACTORS, criticTypes, expertType, finalizerType, plannerType, type CriticStep, type Ending } from './types.ts'

const DEFAULT_RETRY_LIMIT = 5

/**
 * Planner, research one step at a time, expert, finalizer, each followed by a critic. Rejected work is repeated with
 * the feedback, until the question has used up its retries. The research steps are the tasks of the plan, done by its
 * agents. The table alone decides the next step.
 */
export const review: Strategy = Object.freeze({
  name: 'review',
  planner: plannerType.name,
  isInOrder: true,
  next(state: RunState): readonly Job[] | Finish {
    const last = lastSettled(state)
    if (last !== undefined && stepOf(last) === 'finalizer') return finishOf(state, last)
    const { step, outcome } = currentPlace(state, last)
    const row = rowFor(step, outcome, researchLeft(state) !== undefined)!
    const ending = endingOf(state, row, outcome)
    if (ending !== undefined) return [finalJob(state, ending)]
    return jobsFor(state, row, last)
  },
})

/** Steps run one after the other: the next one follows from the last one that has ended. */
function lastSettled({ jobs }: RunState): JobState | undefined {
  return [...jobs.values()].findLast((job) => isSettled(job) && isReviewJob(job))
}

function isReviewJob({ actor, task }: JobState): boolean {
  return task !== undefined || Object.values(ACTORS).includes(actor)
}

function stepOf({ actor, task }: JobState): Step {
  return task === undefined ? STEPS.find((step) => step !== 'researcher' && ACTORS[step] === actor)! : 'researcher'
}

interface Place {
  readonly step: Row['after']
  readonly outcome: StepOutcome
}

/**
 * If the plan was changed during a step, the research continues with the remaining tasks, as after an approval. Critics do
 * not judge a user's plan.
 */
function currentPlace(state: RunState, last: JobState | undefined): Place {
  if (last === undefined) return { step: 'input', outcome: 'done' }
  const step = stepOf(last)
  const isOutdated = [last, subjectOf(state, last)].some((job) => job?.isOutdated === true)
  const isBehind = (step === 'expert' || step === 'critic_expert') && !hasSeenAll(state)
  const isOverruled = (step === 'planner' || step === 'critic_planner') && state.plan?.by === 'user'
  if (isOutdated || isBehind || isOverruled) return { step: 'critic_researcher', outcome: 'approve' }
  return { step, outcome: stepOutcome(step, last) }
}

/** Whether the expert received exactly the research of the current plan. */
function hasSeenAll(state: RunState): boolean {
  const { dependsOn = [] } = latestRound(state, expertType.name)!
  const approved = approvedResearch(state).map(({ key }) => key)
  return researchLeft(state) === undefined && dependsOn.join() === approved.join()
}

/** The job that a critic judges; undefined for other actors. */
function subjectOf({ jobs }: RunState, critic: JobState): JobState | undefined {
  const [key] = critic.dependsOn ?? []
  return key === undefined || !(stepOf(critic) in criticTypes) ? undefined : jobs.get(key)
}

function stepOutcome(step: Step, job: JobState): StepOutcome {
  if (step === 'researcher' && wasDeclined(job)) return 'declined'
  if (job.status === 'failed') return errorKind(job.result!.error!).isRecoverable ? 'recoverable' : 'critical'
  return step in criticTypes ? dataOf(criticTypes[step as CriticStep], job)!.decision : 'done'
}

/** How often something of this question was sent back, or failed in a way that another attempt may mend. */
function retriesIn({ jobs }: RunState): number {
  return [...jobs.values()].filter((job) => {
    if (!isSettled(job) || !isReviewJob(job)) return false
    const outcome = stepOutcome(stepOf(job), job)
    return outcome === 'reject' || outcome === 'recoverable'
  }).length
}

/** With how many rejections and failures a question is given up. */
export function retryLimit({ request }: RunState): number {
  return request.maxRetries ?? DEFAULT_RETRY_LIMIT
}

export function isLimitReached(state: RunState): boolean {
  return retriesIn(state) >= retryLimit(state)
}

/** Attempts at the plan's tasks that a critic approved and that still stand, in the order of the plan. */
export function approvedResearch(state: RunState): readonly JobState[] {
  const type = criticTypes.critic_researcher
  const approved = new Set(
    roundsOf(state, type.name).flatMap((critic) =>
      dataOf(type, critic)?.decision === 'approve' ? (critic.dependsOn ?? []) : [],
    ),
  )
  const attempts = (state.plan?.plan.tasks ?? []).map(({ id }) => latestAttempt(state, id))
  return attempts.filter((job): job is JobState => job !== undefined && approved.has(job.key))
}

/** The next research step: the first that is neither approved nor declined, and whose dependencies are. */
function researchLeft(state: RunState): Task | undefined {
  const approved = new Set(approvedResearch(state).map(({ task }) => task!.id))
  const isOver = (id: string): boolean => approved.has(id) || wasDeclined(latestAttempt(state, id))
  return state.plan?.plan.tasks.find(
    ({ id, dependsOn }) =>
      !isOver(id) &&
      dependsOn.every(isOver) &&
      (dependsOn.length === 0 || dependsOn.some((other) => approved.has(other))),
  )
}

/** Why the finalizer is due, if it is. */
function endingOf(state: RunState, { next, isRetry }: Row, outcome: StepOutcome): Ending | undefined {
  if (next === 'finalizer') return outcome === 'approve' ? 'approved' : 'error'
  const isInVain = (state.plan?.plan.tasks.length ?? 0) > 0 && approvedResearch(state).length === 0
  if (next === 'expert' && isInVain) return 'error'
  if (isRetry === true && isLimitReached(state)) return 'unanswered'
  const isUnderWay = [...state.jobs.values()].some((job) => job.task !== undefined && !isSettled(job))
  if (next === 'researcher' && !turnsLeft(state) && !isUnderWay) return isRetry === true ? 'unanswered' : 'cut'
  return undefined
}

function finalJob(state: RunState, ending: Ending): Job {
  const research = ending === 'unanswered' ? [] : approvedResearch(state)
  const expert = ending === 'approved' ? latestRound(state, expertType.name)! : undefined
  const dependsOn = [...research, ...(expert === undefined ? [] : [expert])].map(({ key }) => key)
  return stepJob(state, finalizerType, { ...instructionFor(state, 'finalizer'), ending }, { dependsOn })
}

function finishOf(state: RunState, { result }: JobState): Finish {
  if (state.answer !== undefined) return { finish: 'answered' }
  const error = { type: 'Internal', message: 'The finalizer ended without an answer.' } as const
  return { finish: 'failed', error: result?.error ?? error }
}

/** The job of a step; when it is a retry, in place of the attempt that was sent back or failed. */
function jobsFor(state: RunState, { next, isRetry }: Row, last: JobState | undefined): readonly Job[] {
  const feedback = isRetry === true ? feedbackFrom(last!) : undefined
  switch (next) {
    case 'researcher':
      return feedback === undefined ? research(state) : [researchAgain(state, last!, feedback)]
    case 'planner':
      return [step(state, plannerType, next, feedback)]
    case 'expert': {
      const dependsOn = approvedResearch(state).map(({ key }) => key)
      return [step(state, expertType, next, feedback, dependsOn)]
    }
    case 'critic_planner':
    case 'critic_researcher':
    case 'critic_expert':
      // A critic that failed judges the same attempt again.
      return [step(state, criticTypes[next], next, feedback, feedback === undefined ? [last!.key] : last!.dependsOn)]
    case 'finalizer':
      return [finalJob(state, 'approved')]
  }
}

function step(
  state: RunState,
  type: typeof plannerType | typeof expertType | (typeof criticTypes)[CriticStep],
  name: Exclude<Step, 'researcher'>,
  feedback: Feedback | undefined,
  dependsOn: readonly string[] = [],
): Job {
  const researched = name === 'critic_researcher' ? state.jobs.get(dependsOn[0]!)?.task?.id : undefined
  const place = researched === undefined ? undefined : taskPosition(state, researched)
  const input = instructionFor(state, name, place)
  if (feedback === undefined) return stepJob(state, type, input, { dependsOn })
  return stepAgain(state, type, input, feedback, { dependsOn })
}

function taskPosition({ plan }: RunState, id: string): number {
  return plan!.plan.tasks.findIndex((task) => task.id === id)
}

function research(state: RunState): readonly Job[] {
  const task = researchLeft(state)!
  const job = plannedJob(state, task, task.dependsOn)
  return job === undefined ? [] : [job]
}

/** Of the task that was sent back, or failed: another plan may have put others before it. */
function researchAgain(state: RunState, last: JobState, feedback: Feedback): Job {
  const task = last.task ?? subjectOf(state, last)!.task!
  return taskAgain(state, task, task.dependsOn, feedback)
}

/** The author of feedback that comes from an error rather than a critic. */
const CHECK = 'check'

function feedbackFrom({ key, actor, result }: JobState): Feedback {
  if (result?.status === 'failed') return { by: CHECK, text: result.error!.message, from: key }
  const { feedback } = result!.data as { readonly feedback: string }
  return { by: actor, text: feedback, from: key }
}
