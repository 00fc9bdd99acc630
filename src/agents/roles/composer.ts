import { defineRole, type Role } from '../../core/actor.ts'
import type { Answered } from '../../core/model.ts'
import { agentResultsOf, type AgentResult } from '../../core/response.ts'
import type { Outcome, Source } from '../../core/result.ts'
import type { RunState } from '../../core/state.ts'
import type { Table } from '../../core/table.ts'
import { numberSources, resolveMarks, type Numbered } from './citing.ts'
import { composeAnswer, limitSentence, type AgentSummary } from './composer-prompt.ts'
import { cleanSentence } from './wording.ts'

const PREVIEW_ROWS = 20
const PREVIEW_CELL_CHARS = 200

/** Puts the agents' findings together: their summaries, the first table, one model call (SPEC P9). */
export const composerRole: Role = defineRole({
  name: 'composer',
  limits: { timeoutMs: 180_000 },
  async run(ctx): Promise<Outcome> {
    const { request, state } = ctx
    const results = agentResultsOf(state)
    const data = firstTable(results)
    const numbered = numberSources(results)
    const limit = state.exhausted?.message
    const only = limit === undefined ? onlyDocumentAnswer(results, numbered) : undefined
    const answered =
      only ??
      (await ctx.ask(
        composeAnswer,
        {
          question: request.question,
          rationale: state.plan?.rationale ?? '',
          summaries: results.map((result) => summaryOf(result, state, numbered)),
          ...(limit === undefined ? {} : { limit }),
          ...(request.locale === undefined ? {} : { locale: request.locale }),
          ...(request.systemPrompt === undefined ? {} : { systemPrompt: request.systemPrompt }),
        },
        { streamAnswer: true },
      ))
    // The limit may have been reached by this very call, after its input was put together.
    const late = limit === undefined ? state.exhausted?.message : undefined
    const text = [answered.value.trim(), ...(late === undefined ? [] : [limitSentence(late)])].join('\n\n')
    const { answer, cited, removed } = resolveMarks(text, numbered.citations)
    if (removed.length > 0) ctx.note('DECISION', 'Citations that stand for no source were taken out', { removed })
    const confidence = state.plan?.confidence
    ctx.emit({
      type: 'answer.composed',
      answer,
      by: answered.by,
      ...(answered.reason === undefined ? {} : { reason: answered.reason }),
      ...(data === undefined ? {} : { data }),
      ...(cited.length === 0 ? {} : { citations: cited }),
      ...(confidence === undefined ? {} : { confidence }),
    })
    return { answer }
  },
})

/** What a model has written from passages, where there is nothing to put together with it; written anew it would lose by it. */
function onlyDocumentAnswer(results: readonly AgentResult[], { answers }: Numbered): Answered<string> | undefined {
  const [only] = results
  if (only === undefined || results.length > 1 || only.status !== 'succeeded' || only.effectiveTask !== undefined)
    return undefined
  const text = answers.get(only.task) ?? ''
  const isWritten = (only.data as { readonly by?: unknown } | undefined)?.by === 'model'
  const isOfDocuments = only.sources.length > 0 && only.sources.every(({ kind }) => kind === 'document')
  return isWritten && isOfDocuments && text.trim() !== '' ? { value: text, by: 'model', requests: 0 } : undefined
}

/** The first table of an agent that succeeded. */
export function firstTable(results: readonly AgentResult[]): Table | undefined {
  return results.find((result) => result.status === 'succeeded' && result.tabular !== undefined)?.tabular
}

function summaryOf(result: AgentResult, state: RunState, numbered: Numbered): AgentSummary {
  const { agent, task, answer = '', error, tabular } = result
  const numbers = numbered.numbers.get(task) ?? []
  const skipped = error === undefined && state.jobs.get(result.task) === undefined
  return {
    agent,
    status: skipped ? 'skipped' : result.status,
    answer: numbered.answers.get(task) ?? answer,
    sources: numbered.citations
      .filter(({ n }) => numbers.includes(n))
      .map(({ n, source }) => ({ n, place: placeText(source) })),
    error: error === undefined ? '' : cleanSentence(error),
    // A part of a question that was split has to be missed; a question that others answered as well has not.
    declined: error?.type === 'PlanningDeclined' && state.jobs.get(result.task)?.task?.text === undefined,
    preview: tabular === undefined ? [] : previewOf(tabular),
    isOverridden: result.effectiveTask?.intent === 'override',
  }
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
