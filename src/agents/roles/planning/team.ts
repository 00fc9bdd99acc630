import type { Agent } from '../../../core/actor.ts'
import type { RunRequest } from '../../../core/request.ts'
import type { Team } from './choose.ts'
import { evidenceFor } from './evidence.ts'

/** The agents that a request allows; one that takes the rest of a question only where its words are in it, or by its name. */
export function teamOf(
  { question, preferAgents, disableAgents, context, attached = [] }: RunRequest,
  agents: readonly Agent[],
): Team {
  const isMeant = (agent: Agent): boolean =>
    agent.planning?.takes !== 'rest' || preferAgents.includes(agent.name) || evidenceFor(agent, question).strong > 0
  const allowed = agents.filter((agent) => !disableAgents.includes(agent.name) && isMeant(agent))
  const hasFiles = attached.some(({ collection }) => collection !== undefined)
  return { agents: allowed, known: allowed, preferred: preferAgents, context, ...(hasFiles ? { hasFiles } : {}) }
}

/** The day of a request, for periods. */
export function todayOf({ context }: RunRequest): string | undefined {
  const today = context['current_date']
  return typeof today === 'string' ? today : undefined
}
