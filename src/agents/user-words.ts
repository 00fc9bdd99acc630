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

const CONSENT =
  /^(?:[\s\p{P}]|\b(?:ok(?:ay)?|yes|sure|thanks?|thank you|please|go ahead|go on|do it|do that|that is|that['’]s|it is|looks?|all|fine|good|great|right|approved?|agreed|no (?:problem|worries|objections?))\b)*$/iu

/** Instructions that ask for a change, without those that only agree. */
export function changeRequests({ instructions = [] }: AgentTask): readonly string[] {
  return instructions.filter((text) => !CONSENT.test(text))
}
