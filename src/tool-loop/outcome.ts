import type { ActorContext } from '../domain/actor.ts'
import { isOfApproval } from '../domain/errors.ts'
import { omitUndefined } from '../shared/omit-undefined.ts'
import type { Outcome } from '../domain/result.ts'
import type { Table } from '../domain/table.ts'
import type { ToolDefinition } from '../domain/turn.ts'
import { numberCitations, type CitedText } from '../grounding/citations.ts'
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
 * @param task stays unanswered if all calls failed and the agent reported no gap
 */
export function loopOutcome(ctx: ActorContext, result: LoopResult, task?: string): Outcome {
  const { calls, sources, gaps, hasReported } = result
  const { text, cited, unknown } = numberCitations(result.text || (gaps.at(-1)?.reason ?? ''), sources)
  if (hasReported && gaps.length > 0 && calls.length === 0 && cited.length === 0) return ctx.decline(text)
  const remarks = unknownRemarks({ unknown })
  const { sources: inHead = [] } = ctx.transcript.state.head
  const allFailed = !hasReported && calls.length > 0 && calls.every(({ error }) => error !== undefined)
  const missing = allFailed && task !== undefined ? [task] : gaps.map((gap) => gap.missing)
  const used = cited.length > 0 ? cited : sources.filter(({ id }) => !inHead.some((known) => known.id === id))
  const tabular = answerTable({ cited, unknown }, calls)
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
  const refusals = calls.flatMap(({ error }) => (error !== undefined && isOfApproval(error) ? [error] : []))
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

/** The table of the first cited call that returned one, else that of the last call that did, unless something unknown was cited. */
export function answerTable(
  { cited, unknown }: Pick<CitedText, 'cited' | 'unknown'>,
  calls: readonly MadeCall[],
): Table | undefined {
  const tables = calls.filter(({ table }) => table !== undefined)
  const first = cited.flatMap(({ id }) => tables.find(({ ids }) => ids.includes(id!)) ?? [])[0]
  return (first ?? (unknown.length > 0 ? undefined : tables.at(-1)))?.table
}
