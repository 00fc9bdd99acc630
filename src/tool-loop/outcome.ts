import type { ActorContext, AgentTask } from '../domain/actor.ts'
import { isOfApproval } from '../domain/errors.ts'
import { omitUndefined } from '../shared/json.ts'
import type { Outcome, Source } from '../domain/result.ts'
import { tableIn, type Table } from '../domain/table.ts'
import type { ToolDefinition } from '../domain/turn.ts'
import { sortByMentions, numberCitations, type CitedText } from '../grounding/citations.ts'
import type { LoopResult, MadeCall } from './loop.ts'
import { REPORT_GAP } from './tool-list.ts'

/** Called before the answer by an agent that cannot do all of its task. */
export const reportGap: ToolDefinition = {
  name: REPORT_GAP,
  description:
    'Records what cannot be answered or done. A later call replaces it; an empty `missing` withdraws it, and what a team left open.',
  inputSchema: {
    type: 'object',
    properties: { missing: { type: 'string' }, reason: { type: 'string' } },
    required: ['missing', 'reason'],
  },
}

/**
 * The outcome of an agent's loop. A call that the user denied, or did not decide on in time, fails the task; the
 * agent's report is kept with it.
 * @param task reported as unanswered if all calls failed and the agent reported no gap
 */
export function loopOutcome(ctx: ActorContext, result: LoopResult, task?: AgentTask): Outcome {
  const { calls, sources, gaps, hasReported } = result
  const answer = numberCitations(result.text || (gaps.at(-1)?.reason ?? ''), sources)
  const { text, cited, unknown } = answer
  if (hasReported && gaps.length > 0 && calls.length === 0 && cited.length === 0) return ctx.decline(text)
  const remarks = unknownRemarks({ unknown })
  const { sources: inHead = [] } = ctx.transcript.state.head
  const refusals = calls.flatMap(({ error }) => (error !== undefined && isOfApproval(error) ? [error] : []))
  const allFailed =
    !hasReported && refusals.length === 0 && calls.length > 0 && calls.every(({ error }) => error !== undefined)
  const missing = allFailed && task !== undefined ? [task.text] : gaps.map((gap) => gap.missing)
  const isOwn = ({ id }: Source): boolean => !inHead.some((known) => known.id === id)
  const used = cited.length > 0 ? cited : sources.filter(isOwn)
  const tableOf = (source: Source): Table | undefined =>
    isOwn(source) ? tableIn(ctx.transcript.recall(source.id!).output) : undefined
  const tabular = answerTable(answer, tableOf, lastTable(calls))
  const outcome: Outcome = {
    answer: text,
    data: {
      calls: calls.map(({ name, input }) => ({ tool: name, input })),
    },
    ...omitUndefined({ tabular }),
    ...(used.length === 0 ? {} : { sources: used }),
    ...(missing.length === 0 ? {} : { unanswered: missing }),
    ...(remarks.length === 0 ? {} : { remarks }),
  }
  const last = refusals.at(-1)
  if (last === undefined) return outcome
  const tools = refusals.map(({ details }) => (details as { readonly tool?: string } | undefined)?.tool)
  const { reason } = (last.details ?? {}) as { readonly reason?: string }
  return { ...outcome, status: 'failed', error: last, partial: { reason, tools: [...new Set(tools)] } }
}

/** Remarks about citations of unknown sources. */
export function unknownRemarks({ unknown }: Pick<CitedText, 'unknown'>): readonly string[] {
  if (unknown.length === 0) return []
  return [`A citation was removed, because it named no source that was found: ${unknown.join(', ')}.`]
}

/**
 * The table that an answer is about: of the cited results that have one, that with the most marks. Where nothing is
 * cited, the last one.
 */
export function answerTable(
  { text, cited, unknown }: CitedText,
  tableOf: (source: Source) => Table | undefined,
  last: Table | undefined,
): Table | undefined {
  if (cited.length + unknown.length === 0) return last
  return sortByMentions(text, cited).flatMap((source) => tableOf(source) ?? [])[0]
}

export function lastTable(calls: readonly MadeCall[]): Table | undefined {
  return calls.findLast(({ table }) => table !== undefined)?.table
}
