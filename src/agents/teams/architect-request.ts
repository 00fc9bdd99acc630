import type { Agent } from '../../domain/actor.ts'
import type { RequestInput, RunRequest } from '../../domain/request.ts'

/**
 * The context key with the agents that the user excluded from the team. The request excludes all other agents anyway,
 * so that only the architect is asked.
 */
const TEAM_WITHOUT = 'team_without'

/**
 * A request to the architect only.
 * @param agents names of all available agents
 * @param without agents that the team must not use
 */
export function architectRequest(
  question: string,
  agents: readonly string[],
  context: Readonly<Record<string, unknown>> = {},
  without: readonly string[] = [],
): RequestInput {
  const disableAgents = [...agents.filter((name) => name !== 'architect'), ...without]
  const extended = { ...context, [TEAM_WITHOUT]: without }
  return {
    question,
    context: extended,
    preferAgents: ['architect'],
    disableAgents,
    strategy: 'pipeline',
    memory: false,
  }
}

/** Names of agents and teams that a requested team must not use. */
export function excludedNames({
  context,
  disableAgents,
}: Pick<RunRequest, 'context' | 'disableAgents'>): readonly string[] {
  const without = context[TEAM_WITHOUT]
  if (!Array.isArray(without)) return disableAgents
  // As the request has them by now, each in its agent's own spelling.
  const names = new Set(without.map((name) => String(name).trim().toLowerCase()))
  return disableAgents.filter((name) => names.has(name.toLowerCase()))
}

/** Names of the tools of those agents. */
export function excludedTools(
  agents: readonly Agent[],
  request: Parameters<typeof excludedNames>[0],
): ReadonlySet<string> {
  const excluded = excludedNames(request)
  const their = agents.filter(({ name }) => excluded.includes(name))
  return new Set(their.flatMap(({ tools = [] }) => tools.map((tool) => tool.name)))
}

/** Adds the words that ask for a team, which users may omit where a team is expected. */
export function goalOf(goal: string): string {
  return /\bteam\b/i.test(goal) ? goal : `Build me a team that ${goal}`
}
