import { z } from 'zod'
import type { RoleContext } from '../../core/actor.ts'
import { agentResultsOf, type AgentResult } from '../../core/response.ts'
import { failuresOf, limitSentence, type ComposeInput } from './composer-prompt.ts'

const near = z.object({ nearest: z.object({ place: z.string(), text: z.string() }) })

/** That nobody found anything, and why. */
export function notAnswered(ctx: RoleContext, { summaries, limit }: Pick<ComposeInput, 'summaries' | 'limit'>) {
  const why = failuresOf(summaries)
  const unclear = ctx.state.plan?.understood?.unclear
  const nobody = 'No agent was chosen for this question, so there is nothing to answer from.'
  const paragraphs = [
    ...(why.length === 0 && unclear === undefined ? [nobody] : why),
    ...(unclear === undefined ? [] : [unclear]),
    ...nearestPassages(agentResultsOf(ctx.state)),
    ...(limit === undefined ? [] : [limitSentence(limit)]),
  ]
  return { text: paragraphs.join('\n\n'), by: 'fallback' as const, isAnswered: false }
}

/**
 * What an agent that declined found nearest to the question, for people alone: the words are a stranger's, and no prompt
 * is given them.
 */
function nearestPassages(results: readonly AgentResult[]): string[] {
  return results.flatMap(({ error, data }) => {
    const found = near.safeParse(data)
    if (error?.type !== 'PlanningDeclined' || !found.success) return []
    const { place, text } = found.data.nearest
    return [`Nearest to it, and not an answer, is ${place}: “${text}”`]
  })
}
