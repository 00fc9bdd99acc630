import type { Agent, RoleContext } from '../../../core/actor.ts'
import { isStopWord, stem, wordsOf } from '../../../language/tokens.ts'

/**
 * Of the words of the question, those that the topics of each agent's sources have, by the agent's name. They are the person's
 * own words: what a stranger's document calls its topics gets into no plan.
 */
export async function heldWords(
  { owner, request }: Pick<RoleContext, 'owner' | 'request'>,
  agents: readonly Agent[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const asked = [...new Set(wordsOf(request.question))].filter((word) => !isStopWord(word))
  const found = await Promise.all(
    agents.map(async ({ name, planning }): Promise<[string, readonly string[]]> => {
      const topics = (await planning?.topics?.(owner, request)) ?? []
      const held = new Set(topics.flatMap((topic) => wordsOf(topic).map(stem)))
      return [name, asked.filter((word) => held.has(stem(word)))]
    }),
  )
  return new Map(found.filter(([, words]) => words.length > 0))
}
