import type { ActorContext, AgentTask } from '../core/actor.ts'
import { isTrusted } from '../core/provenance.ts'

/**
 * What the user said themself: the question that they asked, what was told with an approval, and earlier turns of the conversation. No
 * word of a plan, a document, a page or another agent is among them.
 */
export function userWords({ instructions = [] }: AgentTask, { request, recollection }: ActorContext): string {
  const earlier = recollection.recent.flatMap(({ role, text, provenance }) =>
    role === 'user' && isTrusted(provenance) ? [text] : [],
  )
  return [request.said ?? request.question, ...instructions, ...earlier].join('\n')
}
