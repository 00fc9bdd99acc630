import type { Agent } from '../../domain/actor.ts'
import type { RequestInput, RunRequest } from '../../domain/request.ts'

/** The context key of a request whose other agents are excluded only so that the architect alone is asked. */
const ARCHITECT_ALONE = 'architect_alone'

/**
 * A request to the architect only.
 * @param agents names of all available agents
 */
export function architectRequest(
  question: string,
  agents: readonly string[],
  context: Readonly<Record<string, unknown>> = {},
): RequestInput {
  return {
    question,
    context: { ...context, [ARCHITECT_ALONE]: true },
    preferAgents: ['architect'],
    disableAgents: agents.filter((name) => name !== 'architect'),
    strategy: 'pipeline',
    memory: false,
  }
}

/** Names of agents and teams that a requested team must not use. */
export function excludedNames({
  context,
  disableAgents,
}: Pick<RunRequest, 'context' | 'disableAgents'>): readonly string[] {
  return context[ARCHITECT_ALONE] === true ? [] : disableAgents
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
