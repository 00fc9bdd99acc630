import type { Result } from './result.ts'
import { isOver, type RunState } from './state.ts'

/** The format of an answer. In `text`, values of a database or service are shown unchanged. */
export const ANSWER_FORMATS = ['text', 'markdown'] as const
export type AnswerFormat = (typeof ANSWER_FORMATS)[number]

type Worked = Pick<Result, 'models' | 'sources' | 'tabular'>

/** Whether a model had a part in it, if only in how it was looked for. */
export function usedModel({ models = [] }: Worked): boolean {
  return models.length > 0
}

/** Whether a model worded the result. Rows from a database are formatted by code, even if a model wrote the query. */
export function isWordedByModel(result: Worked): boolean {
  const { sources = [], tabular } = result
  return usedModel(result) && (tabular === undefined || !sources.every(({ kind }) => kind === 'database'))
}

/** Markdown if a model wrote any of it, for passages of documents and pages, and if no agent took part. */
export function formatOf(state: RunState): AnswerFormat {
  const { answer, jobs } = state
  // Text that is streamed while a run continues comes from a model.
  if (answer === undefined ? !isOver(state) : answer.by === 'model') return 'markdown'
  const results = [...jobs.values()].flatMap(({ task, result }) => (task === undefined ? [] : (result ?? [])))
  const isQuoted = ({ sources = [] }: Worked): boolean =>
    sources.some(({ kind }) => kind === 'document' || kind === 'web')
  const isMarkdown = results.length === 0 || results.some((result) => isWordedByModel(result) || isQuoted(result))
  return isMarkdown ? 'markdown' : 'text'
}
