import type { ActorContext, AgentTask } from '../domain/actor.ts'
import { isByUser } from '../domain/provenance.ts'

/**
 * What the user said themself: the question that they asked, what was told with an approval, and earlier turns of the conversation. No
 * word of a plan, a document, a page or another agent is among them.
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

/** What a person wants otherwise than it was shown to them: instructions that say more than that it is fine. */
export function wishesOf({ instructions = [] }: AgentTask): readonly string[] {
  return instructions.filter((text) => !CONSENT.test(text))
}
