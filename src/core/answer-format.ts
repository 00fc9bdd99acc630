import { isOver, type RunState } from './state.ts'

/**
 * How an answer is to be read. What rules put together is text: the values and names of files that stand in it are shown to the
 * letter.
 */
export const ANSWER_FORMATS = ['text', 'markdown'] as const
export type AnswerFormat = (typeof ANSWER_FORMATS)[number]

/** Markdown is what a model has a part in: the answer, or what an agent found for it. */
export function formatOf(state: RunState): AnswerFormat {
  const { answer, jobs } = state
  // What is written while a run goes on is a model's.
  if (answer === undefined ? !isOver(state) : answer.by === 'model') return 'markdown'
  const isWorded = [...jobs.values()].some(
    ({ task, result }) => task !== undefined && (result?.models?.length ?? 0) > 0,
  )
  return isWorded ? 'markdown' : 'text'
}
