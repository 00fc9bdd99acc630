import type { RoleContext } from '../../../core/actor.ts'
import { cleanSentence } from '../../../core/clean-sentence.ts'
import { isOfApproval } from '../../../core/errors.ts'
import { turnsReached } from '../../../core/limits.ts'
import type { AgentResult } from '../../../core/response.ts'
import type { RunState } from '../../../core/state.ts'
import type { Table } from '../../../core/table.ts'
import { unansweredIn } from '../../../core/unanswered.ts'
import type { Numbered } from './citing.ts'
import type { AgentSummary } from './answer-of-agents.ts'

const PREVIEW_ROWS = 20
const PREVIEW_CELL_CHARS = 200

export function summariesOf(ctx: RoleContext, results: readonly AgentResult[], numbered: Numbered): AgentSummary[] {
  return results.map((result) => summaryOf(result, ctx, numbered))
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
    numbers,
    error: error === undefined ? (job === undefined ? notRunFor(state) : '') : cleanSentence(error),
    declined: error?.type === 'PlanningDeclined' && !unansweredIn(state).some((left) => left.task.id === task),
    ...(isOfApproval(error) ? { isRefused: true } : {}),
    ...(isLastResort ? { isLastResort } : {}),
    preview: tabular === undefined ? [] : previewOf(tabular),
    isOverridden: result.effectiveTask?.intent === 'override',
  }
}

/** Why a task was not begun, where a limit kept it from that; empty where nothing is known. */
function notRunFor(state: RunState): string {
  const reached = turnsReached(state)
  return reached === undefined ? '' : cleanSentence({ type: 'BudgetExceeded', message: reached })
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
