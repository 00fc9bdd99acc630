import type { Result } from './result.ts'
import { isOver, type RunState } from './state.ts'

/**
 * How an answer is to be read. What rules put together is text: the values and names of files that stand in it are shown to the
 * letter.
 */
export const ANSWER_FORMATS = ['text', 'markdown'] as const
export type AnswerFormat = (typeof ANSWER_FORMATS)[number]

type Worked = Pick<Result, 'models' | 'sources' | 'tabular'>

/** Whether a model had a part in it, if only in how it was looked for. */
export function isOfModel({ models = [] }: Worked): boolean {
  return models.length > 0
}

/** Whether its words are a model's; rows that come from a database are worded by a program, whoever wrote the query. */
export function isWordedByModel(result: Worked): boolean {
  const { sources = [], tabular } = result
  return isOfModel(result) && (tabular === undefined || !sources.every(({ kind }) => kind === 'database'))
}

/** Markdown is what a model has a part in the words of: the answer, or what an agent found for it. */
export function formatOf(state: RunState): AnswerFormat {
  const { answer, jobs } = state
  // What is written while a run goes on is a model's.
  if (answer === undefined ? !isOver(state) : answer.by === 'model') return 'markdown'
  const isWorded = [...jobs.values()].some(
    ({ task, result }) => task !== undefined && result !== undefined && isWordedByModel(result),
  )
  return isWorded ? 'markdown' : 'text'
}
