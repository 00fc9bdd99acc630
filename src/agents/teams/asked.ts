import type { RequestInput } from '../../core/request.ts'

/** A request to the architect, and to nobody else. @param agents names of all who could be asked */
export function architectRequest(
  question: string,
  agents: readonly string[],
  context: Readonly<Record<string, unknown>> = {},
): RequestInput {
  const disableAgents = agents.filter((name) => name !== 'architect')
  return { question, context, preferAgents: ['architect'], disableAgents, strategy: 'pipeline', memory: false }
}

/** Words by which anybody would ask for a team may be left out where it is known that one is wanted. */
export function goalOf(goal: string): string {
  return /\bteam\b/i.test(goal) ? goal : `Build me a team that ${goal}`
}
