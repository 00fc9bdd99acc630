import type { ActorContext } from '../core/actor.ts'
import { isOfApproval } from '../core/errors.ts'
import type { Outcome } from '../core/result.ts'
import type { ToolDefinition } from '../core/turn.ts'
import type { LoopResult } from './loop.ts'

export const REPORT_GAP = 'report_gap'

/** Called beside the answer by an agent that could not do all of its task. */
export const reportGap: ToolDefinition = {
  name: REPORT_GAP,
  description:
    'Call this together with your answer when a part of the task could not be done: say what is missing and why. It ends the work.',
  inputSchema: {
    type: 'object',
    properties: { missing: { type: 'string' }, reason: { type: 'string' } },
    required: ['missing', 'reason'],
    additionalProperties: false,
  },
}

/**
 * What an agent returns of its loop. A call that the user denied, or did not decide on in time, fails the task; the agent's report
 * stays with it.
 */
export function outcomeOf(ctx: ActorContext, { text, ended, calls, sources }: LoopResult): Outcome {
  const gap = ended?.name === REPORT_GAP ? ended.input : undefined
  const isGapAlone = gap !== undefined && text === ''
  if (isGapAlone && calls.length === 0) return ctx.decline(String(gap['reason']))
  const outcome: Outcome = {
    answer: isGapAlone ? String(gap['reason']) : text,
    data: { calls: calls.map(({ name, input }) => ({ tool: name, input })) },
    ...(sources.length === 0 ? {} : { sources }),
    ...(gap === undefined ? {} : { unanswered: [String(gap['missing'])] }),
  }
  const refusals = calls.flatMap(({ error }) => (error !== undefined && isOfApproval(error) ? [error] : []))
  const last = refusals.at(-1)
  if (last === undefined) return outcome
  const tools = refusals.map(({ details }) => (details as { readonly tool?: string } | undefined)?.tool)
  const { reason } = (last.details ?? {}) as { readonly reason?: string }
  return { ...outcome, status: 'failed', error: last, partial: { reason, tools: [...new Set(tools)] } }
}
