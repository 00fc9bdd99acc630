import { isWordedByModel } from '../../core/answer-format.ts'
import type { ActorContext, Agent, AgentTask } from '../../core/actor.ts'
import { problemsIn } from '../../core/schema-problems.ts'
import type { AgentResult } from '../../core/response.ts'
import type { Outcome } from '../../core/result.ts'
import type { Table } from '../../core/table.ts'
import { exact } from '../../language/figures/printed.ts'
import { AnswerCheck, unfoundedIn } from '../answers/answer-check.ts'
import { numberSources } from '../answers/citing.ts'
import { commonEvidence, groundsIn, type AnswerGrounds } from '../answers/grounds.ts'
import type { Watched } from './watch.ts'

/** What a program finds wrong with a result. */
export interface Faults {
  /** In sentences that say what to do. */
  readonly all: readonly string[]
  /** The answer without the sentences whose figures stand nowhere, where that is all that is wrong. */
  readonly repaired?: string
}

export const EMPTY = 'There is no result: no answer, no table, no data. Do the task, or say why it cannot be done.'

/**
 * Whether there is a result, whether it fits its schema, whether its table is one, and whether its figures were found.
 * @param before of a repair, what was repaired: a model worded the repair, whoever made that
 */
export function faultsOf(
  agent: Agent,
  task: AgentTask,
  ctx: ActorContext,
  work: Watched,
  outcome: Outcome,
  before?: Outcome,
): Faults {
  const { answer = '', tabular, data } = outcome
  if (answer.trim() === '' && tabular === undefined && data === undefined) return { all: [EMPTY] }
  const form = [...schemaFaults(agent, data), ...(tabular === undefined ? [] : tableFaults(tabular))]
  const grounds = groundsFor(task, ctx, work, before ?? outcome, before !== undefined)
  if (grounds === undefined) return { all: form }
  const check = new AnswerCheck(grounds)
  if (before !== undefined) form.push(...changed(before.data, data).flatMap((leaf) => dataFaults(leaf, check, grounds)))
  const figures = unfoundedIn(check, answer)
  if (figures === undefined) return { all: form }
  const repaired = check.whole(answer).text
  return { all: [...form, figures], ...(form.length > 0 || repaired === '' ? {} : { repaired }) }
}

function schemaFaults({ output }: Agent, data: unknown): string[] {
  const read = output?.safeParse(data)
  if (read === undefined || read.success) return []
  return problemsIn(read.error, output!).map(({ path, message }) => `data.${path.join('.')}: ${message}.`)
}

/** Whether each row has the columns of the table and no others. */
function tableFaults({ columns, rows, rowCount }: Table): string[] {
  const known = new Set(columns)
  const isRow = (row: object): boolean => Object.keys(row).every((name) => known.has(name))
  const isWhole = known.size === columns.length && columns.length > 0 && rows.every(isRow) && rowCount >= rows.length
  return isWhole ? [] : ['The table is none: its rows do not fit its columns. Give each row a value for each column.']
}

/** The keys, texts and numbers of data that were not there before. */
function changed(before: unknown, after: unknown): (string | number)[] {
  if (typeof after === 'string' || typeof after === 'number') return after === before ? [] : [after]
  if (typeof after !== 'object' || after === null) return []
  const known = new Map(typeof before === 'object' && before !== null ? Object.entries(before) : [])
  return Object.entries(after).flatMap(([key, value]) => [
    ...(known.has(key) || Array.isArray(after) ? [] : [key]),
    ...changed(known.get(key), value),
  ])
}

/** Words are held against the grounds as those of an answer; a number must have been found as it is, and not rounded. */
function dataFaults(leaf: string | number, check: AnswerCheck, { found }: AnswerGrounds): string[] {
  if (typeof leaf === 'string') {
    const fault = unfoundedIn(check, leaf)
    return fault === undefined ? [] : [fault]
  }
  const text = String(leaf)
  const figure = { kind: 'number', text, readings: [exact(leaf)], isPercent: false, isOrdinal: false, at: 0 } as const
  if (found.some((one) => one.find(figure, '') !== undefined)) return []
  return [`The data say ${text}, which stands in nothing that was found.`]
}

/** What the agent was given and what its tools gave back; undefined where no model worded what came of it. */
function groundsFor(
  task: AgentTask,
  ctx: ActorContext,
  work: Watched,
  outcome: Outcome,
  isRepaired: boolean,
): AnswerGrounds | undefined {
  const own: AgentResult = {
    task: task.id,
    agent: ctx.job.actor,
    status: 'succeeded',
    models: work.isWorded ? [''] : [],
    answer: outcome.answer ?? '',
    data: outcome.data,
    sources: outcome.sources ?? [],
    ...(outcome.tabular === undefined ? {} : { tabular: outcome.tabular }),
  }
  if (!isRepaired && !isWordedByModel(own)) return undefined
  const inputs = task.inputs().map(({ key, actor, result }): AgentResult => ({
    ...result,
    task: key,
    agent: actor,
    sources: result.sources ?? [],
  }))
  const given = inputs.map(({ answer, data }) => ({ value: { answer, data } }))
  const outputs = new Map(inputs.map(({ task: key }) => [key, [] as readonly { value: unknown }[]]))
  outputs.set(task.id, [...work.outputs, ...given])
  const common = commonEvidence(ctx, [task.text, ...(task.instructions ?? [])])
  const { citations } = numberSources([own])
  return groundsIn(common, outputs, [...inputs, own], citations, ctx.request.locale)
}
