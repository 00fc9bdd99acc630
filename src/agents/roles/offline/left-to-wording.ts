import { z } from 'zod'
import type { AgentResult } from '../../../core/response.ts'
import type { RunState } from '../../../core/state.ts'
import { splitClauses } from '../../../language/clauses.ts'
import { requestOf } from '../../../language/clause-starts.ts'
import { countsSaid } from '../../tool-agent/count-said.ts'
import { asksForMore } from '../../tool-agent/left-open.ts'
import { asksForFigure, asksForLayout, asksToCompose, refersToResults } from '../planning/references.ts'

/**
 * The parts of a question that no task holds, since whoever words the answer is to work them out of what was found, and which
 * nobody does without a model. Findings stand in an answer as they are; only where they are what a tool gave, a summary is more.
 */
export function leftToWording({ plan, request }: RunState, results: readonly AgentResult[]): string[] {
  const question = plan?.understood?.question ?? request.question
  const texts = (plan?.plan.tasks ?? []).map(({ text = question }) => text.toLowerCase())
  const isAsItIs = results.some(({ status, data }) => status === 'succeeded' && isOfCalls(data))
  return splitClauses(question).flatMap(({ text }) => {
    const isLeft = asksToCompose(text) && refersToResults(text) && !asksForLayout(text)
    if (!isLeft || texts.some((task) => task.includes(text.toLowerCase()))) return []
    return (isAsItIs ? asksForMore(text) : asksAnew(text)) ? [text] : []
  })
}

/** Of those parts the ones that what a tool gave answers in so many words, where there is one such result. */
export function saidOfLeft(
  parts: readonly string[],
  results: readonly AgentResult[],
): readonly { readonly part: string; readonly said: string; readonly task: string }[] {
  const [only, ...others] = results.filter(({ status }) => status === 'succeeded')
  const { data, answer, task } = only ?? {}
  const [call, ...more] = callsOf.safeParse(data).data?.calls ?? []
  // Of a text that was cut off nobody knows the rest.
  if (others.length > 0 || more.length > 0 || call === undefined || answer === undefined || answer.endsWith('…'))
    return []
  return countsSaid(parts, call.input, answer).map((one) => ({ ...one, task: task! }))
}

const callsOf = z.object({
  by: z.literal('rules'),
  calls: z.array(z.object({ input: z.record(z.string(), z.unknown()) })),
})

function isOfCalls(data: unknown): boolean {
  return callsOf.safeParse(data).success
}

/** Whether it asks something of the findings, rather than to be told them. */
function asksAnew(text: string): boolean {
  const asked = requestOf(text).replace(/^(?:tell|show) me\s+/i, '')
  return asksForFigure(text) || /^(?:how|which|who|whom|whose|when|where|why|whether|if)\b/i.test(asked)
}
