import type { ActorContext, AgentTask } from '../domain/actor.ts'
import { isByUser } from '../domain/provenance.ts'

/**
 * The user's own words: the question, instructions given with approvals, and earlier turns of the conversation. Text of
 * plans, documents, pages and other agents is excluded.
 */
export function userWords(
  { instructions = [] }: Pick<AgentTask, 'instructions'>,
  { request, recollection }: ActorContext,
): string {
  const earlier = recollection.recent.flatMap(({ role, text, provenance }) =>
    role === 'user' && isByUser(provenance) ? [text] : [],
  )
  return [request.said ?? request.question, ...instructions, ...earlier].join('\n')
}
