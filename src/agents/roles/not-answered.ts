import { z } from 'zod'
import type { RoleContext } from '../../core/actor.ts'
import { agentResultsOf, type AgentResult } from '../../core/response.ts'
import { mcpAgentName } from '../mcp/name.ts'
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
    ...downServers(ctx, why),
    ...nearestPassages(agentResultsOf(ctx.state)),
    ...(limit === undefined ? [] : [limitSentence(limit)]),
  ]
  return { text: paragraphs.join('\n\n'), by: 'fallback' as const, isAnswered: false }
}

/** An MCP server that is down may have been meant: of its tools nothing is known by which it would have been chosen. */
function downServers({ agents }: RoleContext, told: readonly string[]): string[] {
  const down = agents.flatMap(({ name, unavailable }) =>
    unavailable === undefined || !name.startsWith(mcpAgentName('')) ? [] : [unavailable],
  )
  return down.filter((problem) => !told.some((reason) => reason.includes(problem)))
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
