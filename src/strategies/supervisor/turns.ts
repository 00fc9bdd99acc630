import { dataOf } from '../../domain/actor.ts'
import type { SharedEntry } from '../../domain/blackboard.ts'
import { isOfApproval, type ErrorCode } from '../../domain/errors.ts'
import type { Table } from '../../domain/table.ts'
import type { Task } from '../../domain/plan.ts'
import type { JobState, RunState } from '../../domain/state.ts'
import { withoutMarks } from '../../grounding/citations.ts'
import { isUsable } from '../steps.ts'
import { clarifierType, supervisorType, type Choice } from './types.ts'

/** A decision of the supervisor, and the work that followed it. */
export interface Turn {
  readonly supervisor: JobState
  /** Undefined: it failed. */
  readonly choice: Choice | undefined
  /** Attempts at tasks, replaced ones included. */
  readonly work: readonly JobState[]
  readonly clarifier?: JobState
}

/** The supervisor's settled decisions in order, without replaced ones. */
export function turnsIn(state: RunState): readonly Turn[] {
  const turns: (Turn & { work: JobState[]; clarifier?: JobState })[] = []
  for (const job of state.jobs.values()) {
    const last = turns.at(-1)
    if (job.actor === supervisorType.name) {
      const isCurrent = job.result !== undefined && job.supersededBy === undefined
      if (isCurrent) turns.push({ supervisor: job, choice: dataOf(supervisorType, job), work: [] })
    } else if (job.task !== undefined) last?.work.push(job)
    else if (last !== undefined && job.actor === clarifierType.name) last.clarifier = job
  }
  return turns
}

/** The supervisor decides itself what follows a refusal, so its reason is no finding here. */
export function isFinding(job: JobState | undefined): boolean {
  return isUsable(job) && !isOfApproval(job?.result?.error)
}

/** The content of a usable result, for comparison with later ones; undefined if there is none. */
function contentOf(job: JobState): string | undefined {
  if (!isFinding(job) || job.supersededBy !== undefined || job.isOutdated === true) return undefined
  const { answer = '', tabular, data, partial, sources = [], unanswered = [] } = job.result!
  if (tabular !== undefined && tabular.rows.length > 0) return textOf(tabular)
  // An agent words each report of a gap anew, so its words are no find, and neither are passages that it does not cite.
  const isGap = unanswered.length > 0 && withoutMarks(answer) === answer
  const passages = isGap ? [] : sources.flatMap(({ excerpt }) => excerpt ?? [])
  if (passages.length > 0) return JSON.stringify(passages)
  if (answer.trim() !== '') return unanswered.length > 0 ? undefined : answer
  const rest = tabular === undefined ? (partial ?? data) : undefined
  return isEmpty(rest) ? undefined : JSON.stringify(rest)
}

/** The same rows in another order are the same. */
function textOf({ columns, rows, rowCount }: Table): string {
  return JSON.stringify([columns, rows.map((row) => JSON.stringify(row)).sort(), rowCount])
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return typeof value === 'object' && Object.values(value).every(isEmpty)
}

/**
 * Whether each turn brought something new: a result with new content, a name on the blackboard, or words of the user.
 */
function findsOf(state: RunState, turns: readonly Turn[]): readonly boolean[] {
  const known = new Set<string>()
  const keys = new Set([...state.shared.values()].map((entry) => firstOf(entry).key))
  return turns.map(({ work, clarifier }) => {
    const found = work.flatMap((job) => contentOf(job) ?? []).filter((content) => !known.has(content))
    for (const content of found) known.add(content)
    return found.length > 0 || clarifier?.status === 'succeeded' || work.some(({ key }) => keys.has(key))
  })
}

function firstOf(entry: SharedEntry): SharedEntry {
  return entry.before === undefined ? entry : firstOf(entry.before)
}

/** How a run gets on, counted over its turns. */
export interface SupervisorProgress {
  /** How often an agent was routed to again without progress: neither anything found nor a changed plan. */
  readonly retries: number
  /** Turns in a row that found nothing, whatever became of the plan. */
  readonly fruitless: number
}

/** @param turns all turns; the work of the last one may not have started */
export function supervisorProgress(state: RunState, turns: readonly Turn[]): SupervisorProgress {
  const finds = findsOf(state, turns)
  const asked = new Set<string>()
  let [retries, fruitless] = [0, 0]
  for (const [place, { choice }] of turns.entries()) {
    const before = turns[place - 1]
    const isFruitful = finds[place - 1] === true
    fruitless = isFruitful || before === undefined ? 0 : fruitless + 1
    if (isFruitful || (choice?.planRound ?? 0) > (before?.choice?.planRound ?? 0)) {
      retries = 0
      asked.clear()
    }
    const agents = new Set(choice?.route.map(({ agent }) => agent))
    if ([...agents].some((agent) => asked.has(agent))) retries++
    for (const agent of agents) asked.add(agent)
  }
  return { retries, fruitless }
}

/** Maximum number of attempts of the same agent at the same task. */
const MAX_ATTEMPTS = 2

/**
 * Errors after which a task is not repeated: a user refused its call, or the call may have been made. A repetition
 * would request approval again.
 */
const FINAL: ReadonlySet<ErrorCode | undefined> = new Set([
  'ApprovalDenied',
  'ApprovalInstructed',
  'ApprovalTimedOut',
  'ApprovalExpired',
  'EffectUnknown',
])

/** Whether an agent has done the very same with the same results already, or has failed at it often enough, or once for good. */
export function isRepeated(state: RunState, task: Task): boolean {
  const ended = [...state.jobs.values()].filter(
    (job) =>
      job.task !== undefined &&
      job.result !== undefined &&
      job.isOutdated !== true &&
      isSameTask(state, job.task, task),
  )
  const isOver = (job: JobState): boolean =>
    (job.status === 'succeeded' && !job.supersededBy && hasSameInputs(job.task!, task)) ||
    FINAL.has(job.result?.error?.type)
  return ended.length >= MAX_ATTEMPTS || ended.some(isOver)
}

/** Whether two tasks ask the same agent for the same. */
export function isSameTask({ request }: RunState, one: Task, other: Task): boolean {
  const [words, others] = [one, other].map(({ text }) =>
    (text ?? request.question).trim().replace(/\s+/g, ' ').toLowerCase(),
  )
  return one.agent === other.agent && words === others
}

/** Whether both are given the same results. */
export function hasSameInputs(one: Task, other: Task): boolean {
  const [ids, others] = [one, other].map(({ dependsOn }) => [...dependsOn].sort().join())
  return ids === others
}

/** Steps that were chosen last and not begun, since they are not done again. */
export function refusedSteps(state: RunState): readonly Task[] {
  const { choice, work = [] } = turnsIn(state).at(-1) ?? {}
  const chosen = new Set(choice?.route.map(({ task }) => task))
  const begun = new Set(work.map(({ task }) => task?.id))
  return state.plan!.plan.tasks.filter((task) => chosen.has(task.id) && !begun.has(task.id) && isRepeated(state, task))
}
