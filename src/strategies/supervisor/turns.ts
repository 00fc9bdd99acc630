import { dataOf } from '../../core/actor.ts'
import type { SharedEntry } from '../../core/board.ts'
import type { ErrorCode } from '../../core/errors.ts'
import type { Table } from '../../core/table.ts'
import type { Task } from '../../core/plan.ts'
import type { JobState, RunState } from '../../core/state.ts'
import { isUsable } from '../steps.ts'
import { clarifierType, supervisorType, type Choice } from './types.ts'

/** A decision of the supervisor, and what was done upon it. */
export interface Turn {
  readonly supervisor: JobState
  /** Undefined: it failed. */
  readonly choice: Choice | undefined
  /** Attempts at tasks, also such as do not stand any more. */
  readonly work: readonly JobState[]
  readonly clarifier?: JobState
}

/** What the run has been so far: the supervisor's settled decisions, without those that were made anew. */
export function turnsIn(state: RunState): readonly Turn[] {
  const turns: (Turn & { work: JobState[]; clarifier?: JobState })[] = []
  for (const job of state.jobs.values()) {
    const last = turns.at(-1)
    if (job.actor === supervisorType.name) {
      const stands = job.result !== undefined && job.supersededBy === undefined
      if (stands) turns.push({ supervisor: job, choice: dataOf(supervisorType, job), work: [] })
    } else if (job.task !== undefined) last?.work.push(job)
    else if (last !== undefined && job.actor === clarifierType.name) last.clarifier = job
  }
  return turns
}

/** The content of a usable result, by which it is known again; undefined where there is none. */
function contentOf(job: JobState): string | undefined {
  if (!isUsable(job) || job.supersededBy !== undefined || job.isOutdated === true) return undefined
  const { answer = '', tabular, data, partial, sources = [] } = job.result!
  if (tabular !== undefined && tabular.rows.length > 0) return textOf(tabular)
  const passages = sources.flatMap(({ excerpt }) => excerpt ?? [])
  if (passages.length > 0) return JSON.stringify(passages)
  if (answer.trim() !== '') return answer
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
 * Whether each turn brought something: a result with content that was not there, a name on the blackboard, or what the user said.
 */
function findsOf(state: RunState, turns: readonly Turn[]): readonly boolean[] {
  const known = new Set<string>()
  const named = new Set([...state.shared.values()].map((entry) => firstOf(entry).key))
  return turns.map(({ work, clarifier }) => {
    const found = work.flatMap((job) => contentOf(job) ?? []).filter((content) => !known.has(content))
    for (const content of found) known.add(content)
    return found.length > 0 || clarifier?.status === 'succeeded' || work.some(({ key }) => named.has(key))
  })
}

function firstOf(entry: SharedEntry): SharedEntry {
  return entry.before === undefined ? entry : firstOf(entry.before)
}

/** How a run gets on, counted over its turns. */
export interface Course {
  /** How often an agent was routed to again without progress: neither anything found nor a changed plan (SPEC W4). */
  readonly retries: number
  /** Turns in a row that found nothing, whatever became of the plan. */
  readonly barren: number
}

/** @param turns all of them, the last of which may not have been worked on yet */
export function courseOf(state: RunState, turns: readonly Turn[]): Course {
  const finds = findsOf(state, turns)
  const asked = new Set<string>()
  let [retries, barren] = [0, 0]
  for (const [place, { choice }] of turns.entries()) {
    const before = turns[place - 1]
    const isFruitful = finds[place - 1] === true
    barren = isFruitful || before === undefined ? 0 : barren + 1
    if (isFruitful || (choice?.planRound ?? 0) > (before?.choice?.planRound ?? 0)) {
      retries = 0
      asked.clear()
    }
    const agents = new Set(choice?.route.map(({ agent }) => agent))
    if ([...agents].some((agent) => asked.has(agent))) retries++
    for (const agent of agents) asked.add(agent)
  }
  return { retries, barren }
}

/** Attempts after which the same agent is not asked the same again. */
const MOST_ATTEMPTS = 2

/** How a task ends whose call a person did not allow, or may have been made: asked for again, it would be put to them again. */
const FINAL: ReadonlySet<ErrorCode | undefined> = new Set([
  'ApprovalDenied',
  'ApprovalTimedOut',
  'ApprovalExpired',
  'EffectUnknown',
])

/** Whether an agent has done the very same with the same results already, or has failed at it often enough, or once for good. */
export function isRepeated(state: RunState, task: Task): boolean {
  const said = wordsOf(state, task)
  const same = [...state.jobs.values()].filter(
    (job) => job.task?.agent === task.agent && job.isOutdated !== true && wordsOf(state, job.task) === said,
  )
  const ended = same.filter(({ result }) => result !== undefined)
  const waits = [...task.dependsOn].sort().join()
  const isOver = (job: JobState): boolean =>
    (job.status === 'succeeded' && !job.supersededBy && [...job.task!.dependsOn].sort().join() === waits) ||
    FINAL.has(job.result?.error?.type)
  return ended.length >= MOST_ATTEMPTS || ended.some(isOver)
}

function wordsOf({ request }: RunState, { text }: Task): string {
  return (text ?? request.question).trim().replace(/\s+/g, ' ').toLowerCase()
}
