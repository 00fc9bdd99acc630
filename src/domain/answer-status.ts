import { latestAttempt, isFruitless } from './job.ts'
import type { ErrorInfo } from './errors.ts'
import type { Task } from './plan.ts'
import { type RunState, isOver } from './state.ts'
import type { Result } from './result.ts'

/** A part of a question that remains unanswered. */
export interface Unanswered {
  readonly task: Task
  /** Absent: it was not started. */
  readonly error?: ErrorInfo
}

/**
 * Tasks of a plan that remain unanswered. A task that one agent declined and another answered is not among them. A task
 * that failed for another reason is, even if other agents answered the same words: a quotation does not replace a
 * figure.
 */
export function unansweredIn(state: RunState): Unanswered[] {
  const tasks = state.plan?.plan.tasks ?? []
  const ends = tasks.map((task) => ({ task, job: latestAttempt(state, task.id) }))
  const answered = new Set(ends.flatMap(({ task, job }) => (job?.status === 'succeeded' ? [task.text] : [])))
  const declined = new Set<string | undefined>()
  return ends.flatMap(({ task, job }): Unanswered[] => {
    if (job?.status === 'succeeded' || (job?.status === 'skipped' && !isFruitless(job))) return []
    const error = job?.result?.error
    const isDeclined = error?.type === 'PlanningDeclined'
    // One refusal per part, even if several agents declined it. Of the whole question others have answered their part.
    const isAnswered = task.text === undefined ? answered.size > 0 : answered.has(task.text)
    const isSaid = isDeclined && (isAnswered || declined.has(task.text))
    if (isDeclined) declined.add(task.text)
    return isSaid ? [] : [{ task, ...(error === undefined ? {} : { error }) }]
  })
}

/**
 * Whether the open parts cover everything: the question itself, or each part for which any agent found something.
 * Related findings, such as a passage that only shares words with the question, are no answer.
 */
export function isFullyUnanswered({ request, plan, jobs }: RunState, unanswered: readonly string[]): boolean {
  const open = new Set(unanswered.map(wordsOf))
  if ([request.question, plan?.understood?.question ?? request.question].some((asked) => open.has(wordsOf(asked))))
    return true
  const found = (plan?.plan.tasks ?? []).filter(({ id }) => latestAttempt({ jobs }, id)?.status === 'succeeded')
  return found.length > 0 && found.every(({ text = request.question }) => open.has(wordsOf(text)))
}

/** A text by its words alone. */
function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
}

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
