import type { AgentTask } from '../../domain/actor.ts'

const CONSENT =
  /^(?:[\s\p{P}]|\b(?:ok(?:ay)?|yes|sure|thanks?|thank you|please|go ahead|go on|do it|do that|that is|that['’]s|it is|looks?|all|fine|good|great|right|approved?|agreed|no (?:problem|worries|objections?))\b)*$/iu

/** Instructions that ask for a change, without those that only agree. */
export function changeRequests({ instructions = [] }: AgentTask): readonly string[] {
  return instructions.filter((text) => !CONSENT.test(text))
}
