import { isWordedByModel } from '../../core/answer-format.ts'
import { z } from 'zod'
import type { RoleContext } from '../../core/actor.ts'
import { isOfApproval } from '../../core/errors.ts'
import type { AgentResult } from '../../core/response.ts'
import type { Source } from '../../core/result.ts'
import type { Table } from '../../core/table.ts'
import { turnsReached } from '../../core/limits.ts'
import type { RunState } from '../../core/state.ts'
import { unansweredIn } from '../../core/unanswered.ts'
import type { AnswerCheck } from '../answers/answer-check.ts'
import type { Numbered } from '../answers/citing.ts'
import type { AgentSummary } from './composer-prompt.ts'
import { cleanSentence } from '../../core/clean-sentence.ts'

const PREVIEW_ROWS = 20
const PREVIEW_CELL_CHARS = 200

/** What the composer is told of each agent. What an agent's model said without a ground for it is left out. */
export function summariesOf(
  ctx: RoleContext,
  results: readonly AgentResult[],
  numbered: Numbered,
  check: AnswerCheck,
): AgentSummary[] {
  return results.map((result) => {
    const summary = summaryOf(result, ctx, numbered)
    if (summary.status !== 'succeeded' || summary.answer === '' || !isWordedByModel(result)) return summary
    if (tellsOwnWork(ctx, result)) return summary
    const { text, unfounded } = check.whole(summary.answer)
    if (unfounded.length === 0) return summary
    ctx.note('DECISION', 'Sentences of an agent that nothing stands for were taken out', {
      of: result.agent,
      unfounded,
    })
    if (text !== '') return { ...summary, answer: text }
    return {
      ...summary,
      status: 'failed',
      answer: '',
      error: 'what was found does not hold the figures of the answer made from it',
    }
  })
}

/** Whoever takes all of a request tells what it did itself, whatever model it asked on the way. */
export function tellsOwnWork({ agents }: RoleContext, { agent }: AgentResult): boolean {
  return agents.some(({ name, planning }) => name === agent && planning?.takes === 'rest')
}

function summaryOf(result: AgentResult, { request, state, agents }: RoleContext, numbered: Numbered): AgentSummary {
  const { agent, task, answer = '', error, tabular } = result
  const numbers = numbered.numbers.get(task) ?? []
  const job = state.jobs.get(task)
  const part = state.plan?.plan.tasks.find(({ id }) => id === task)?.text ?? job?.task?.text
  // Only the user's own words are quoted to them.
  const isQuoted = part !== undefined && request.question.toLowerCase().includes(part.toLowerCase())
  const declared = agents.find(({ name }) => name === agent)
  const isLastResort = error?.type === 'PlanningDeclined' && declared?.planning?.isLastResort === true
  return {
    agent,
    label: declared?.label ?? `“${agent}”`,
    status: error === undefined && job === undefined ? 'skipped' : result.status,
    ...(isQuoted ? { part } : {}),
    answer: numbered.answers.get(task) ?? answer,
    sources: numbered.citations
      .filter(({ n }) => numbers.includes(n))
      .map(({ n, source }) => ({ n, place: placeText(source) })),
    basis: basisOf(result),
    error: error === undefined ? (job === undefined ? notRunFor(state) : '') : cleanSentence(error),
    declined: error?.type === 'PlanningDeclined' && !unansweredIn(state).some((left) => left.task.id === task),
    ...(isOfApproval(error) ? { isRefused: true } : {}),
    ...(isLastResort ? { isLastResort } : {}),
    preview: tabular === undefined ? [] : previewOf(tabular),
    ...(told.safeParse(result.data).data?.isOther === true ? { isOther: true } : {}),
    isOverridden: result.effectiveTask?.intent === 'override',
  }
}

/** Why a task was not begun, where a limit kept it from that; empty where nothing is known. */
function notRunFor(state: RunState): string {
  const reached = turnsReached(state)
  return reached === undefined ? '' : cleanSentence({ type: 'BudgetExceeded', message: reached })
}

/** As far as the data of a result hold them; those of every agent are its own. */
const told = z.object({
  explanation: z.string().optional().catch(undefined),
  assumptions: z.array(z.unknown()).optional().catch(undefined),
  isOther: z.boolean().optional().catch(undefined),
})

/** What a query computes, and what was assumed. */
function basisOf({ sources, data }: AgentResult): string[] {
  const { explanation = '', assumptions = [] } = told.safeParse(data).data ?? {}
  return [
    ...sources.flatMap(({ kind, detail }) => (kind === 'database' && detail !== undefined ? [`Query: ${detail}`] : [])),
    ...(explanation === '' ? [] : [`It computes: ${explanation}`]),
    ...assumptions.map((one) => `Assumed: ${String(one)}`),
  ]
}

function previewOf(table: Table): string[] {
  const line = (cells: readonly unknown[]): string => cells.map(cellText).join(' | ')
  const rows = table.rows.slice(0, PREVIEW_ROWS).map((row) => line(table.columns.map((column) => row[column])))
  const more = table.rowCount - rows.length
  return [line(table.columns), ...rows, ...(more > 0 ? [`… and ${more} more rows`] : [])]
}

function cellText(cell: unknown): string {
  const text = cell === null || cell === undefined ? '' : typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
  return text.length > PREVIEW_CELL_CHARS ? `${text.slice(0, PREVIEW_CELL_CHARS)}…` : text
}

/** What a reader would call the place. */
function placeText({ name, url, passage }: Source): string {
  const { page, section } = passage ?? {}
  return [name, url, page === undefined ? undefined : `page ${page}`, section]
    .filter((part) => part !== undefined)
    .join(', ')
}
