import type { RequestInput, RunRequest } from '../../domain/request.ts'

/** The key of a request's context for whom the person left out, where all others are left out so that the architect alone is asked. */
const TEAM_WITHOUT = 'team_without'

/**
 * A request to the architect, and to nobody else.
 * @param agents names of all who could be asked
 * @param without those of them that the team is not to work with
 */
export function architectRequest(
  question: string,
  agents: readonly string[],
  context: Readonly<Record<string, unknown>> = {},
  without: readonly string[] = [],
): RequestInput {
  const disableAgents = [...agents.filter((name) => name !== 'architect'), ...without]
  const told = { ...context, [TEAM_WITHOUT]: without }
  return { question, context: told, preferAgents: ['architect'], disableAgents, strategy: 'pipeline', memory: false }
}

/** Names of agents and teams that a team which is asked for may not work with. */
export function leftOutOf({
  context,
  disableAgents,
}: Pick<RunRequest, 'context' | 'disableAgents'>): readonly string[] {
  const without = context[TEAM_WITHOUT]
  if (!Array.isArray(without)) return disableAgents
  // As the request has them by now, each in its agent's own spelling.
  const names = new Set(without.map((name) => String(name).trim().toLowerCase()))
  return disableAgents.filter((name) => names.has(name.toLowerCase()))
}

/** Words by which anybody would ask for a team may be left out where it is known that one is wanted. */
export function goalOf(goal: string): string {
  return /\bteam\b/i.test(goal) ? goal : `Build me a team that ${goal}`
}
