import { z } from 'zod'
import type { RoleContext } from '../../../core/actor.ts'
import { toRaise, turnsReached } from '../../../core/limits.ts'
import { agentResultsOf, type AgentResult } from '../../../core/response.ts'
import { ruleText } from '../../../core/rule-text.ts'
import { ASKING_WORDS, plainWords } from '../../../language/asking-words.ts'
import { isWrittenCall, requestOf } from '../../../language/clause-starts.ts'
import { sameWord } from '../../../terms/words.ts'
import { someNames } from '../../tool-agent/call-by-words.ts'
import { toolsNamed } from '../../tool-names.ts'
import { mcpAgentName } from '../../mcp/name.ts'
import { onlyEnglish } from './only-english.ts'
import { failuresOf, limitSentence, type Findings } from './answer-of-agents.ts'

const near = z.object({ nearest: z.object({ place: z.string(), text: z.string() }) })

/** That nobody found anything, and why. @param stopped why the work was ended, which whoever composes says beside this */
export function notAnswered(ctx: RoleContext, { summaries, limit }: Findings, stopped: string | undefined) {
  const unclear = ctx.state.plan?.understood?.unclear
  const results = agentResultsOf(ctx.state)
  // Whoever was asked all the same says no more than that it is not clear.
  const isDeclined = unclear !== undefined && results.every(({ error }) => error?.type === 'PlanningDeclined')
  const foreign = onlyEnglish(ctx, results)
  const why = foreign !== undefined ? [foreign] : isDeclined ? [] : failuresOf(summaries)
  const nobody = 'No agent was chosen for this question, so there is nothing to answer from.'
  const paragraphs = [
    ...(why.length === 0 && unclear === undefined && stopped === undefined ? [nobody] : why),
    ...(unclear === undefined ? [] : [unclear]),
    ...downServers(ctx, why),
    ...toolsAtHand(ctx),
    // Words that were not understood are near to nothing.
    ...(foreign === undefined ? nearestPassages(ctx, results) : []),
    ...(limit === undefined ? turnsOf(ctx, why) : [limitSentence(limit)]),
  ]
  return { text: paragraphs.join('\n\n'), by: 'fallback' as const, isAnswered: false }
}

/** Nobody else was asked, since no turns were left. */
function turnsOf({ state }: RoleContext, told: readonly string[]): string[] {
  const reached = turnsReached(state)
  const isTold = reached === undefined || told.some((reason) => reason.includes(toRaise('maxTurns')))
  return isTold ? [] : [`${reached} Nobody else was asked.`]
}

/** Of a call that is written out and names no tool: which there are. */
function toolsAtHand({ agents, request: { question } }: RoleContext): string[] {
  if (!isWrittenCall(requestOf(ruleText(question)))) return []
  const servers = agents.filter(({ name }) => name.startsWith(mcpAgentName('')))
  const tools = servers.flatMap((server) => server.tools ?? [])
  const names = tools.map(({ name }) => name)
  if (toolsNamed(question, names).length > 0) return []
  if (servers.length === 0) return ['No MCP server is connected, so there is no tool to call.']
  return tools.length === 0 ? [] : [`Tools that are connected: ${someNames(tools)}.`]
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
function nearestPassages({ agents, request }: RoleContext, results: readonly AgentResult[]): string[] {
  const of = (agent: string) => agents.find(({ name }) => name === agent)
  const isOthers = results.some(({ agent }) => of(agent)?.planning?.isDefault === true)
  const asked = request.question.toLowerCase()
  return results.flatMap(({ agent, error, data }) => {
    const found = near.safeParse(data)
    if (error?.type !== 'PlanningDeclined' || !found.success) return []
    const { place, text } = found.data.nearest
    // Of what the database was asked for, a paper that shares a word by chance tells nothing.
    const isMeant = of(agent)?.keywords.some((word) => asked.includes(word)) === true
    if (isOthers && !isMeant && !sharesMostWords(`${place} ${text}`, request.question)) return []
    return [`Nearest to it, and not an answer, is ${place}: “${text}”`]
  })
}

const LITTLE = new Set([
  ...ASKING_WORDS,
  'much',
  'many',
  'long',
  'often',
  'number',
  'count',
  'there',
  'must',
  'may',
  'not',
])

/** Whether a text has most of the words of a question that are not for asking. */
function sharesMostWords(text: string, part: string): boolean {
  const words = plainWords(text)
  const own = ownWords(part).filter((one) => one.length > 2)
  return own.filter((one) => words.some((word) => sameWord(one, word))).length > own.length / 2
}

function ownWords(part: string): string[] {
  return plainWords(part).filter((word) => word.length > 1 && !LITTLE.has(word))
}
