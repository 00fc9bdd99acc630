import type { Agent } from '../../../core/actor.ts'

/**
 * Stages one and two of planning (SPEC P3): what the
 * agents declare of themselves against the words of the question, then the caller's wishes. No model has a part in it.
 */

/**
 * How many of an agent's keywords are in the question, as substrings, case aside: the first choice of a pipeline, laid down by its specification.
 * All else is decided by `evidence.ts`.
 */
function keywordScores(question: string, agents: readonly Agent[]): ReadonlyMap<string, number> {
  const lowered = question.toLowerCase()
  return new Map(agents.map((agent) => [agent.name, agent.keywords.filter((word) => lowered.includes(word)).length]))
}

/** Agents that score at all and no less than each of their rivals, in order of rank; without any, the default agent. */
export function heuristicCandidates(question: string, agents: readonly Agent[]): string[] {
  const scores = keywordScores(question, agents)
  const score = (name: string): number => scores.get(name) ?? 0
  const chosen = agents
    .filter((agent) => {
      const rivals = agent.planning?.rivals ?? agents.map((other) => other.name)
      return score(agent.name) > 0 && rivals.every((rival) => score(agent.name) >= score(rival))
    })
    .sort((a, b) => rankOf(a) - rankOf(b))
  if (chosen.length > 0) return chosen.map((agent) => agent.name)
  return agents.filter((agent) => agent.planning?.isDefault === true).map((agent) => agent.name)
}

function rankOf(agent: Agent): number {
  return agent.planning?.rank ?? 100
}

/** Preferred agents first, then the others in their order; disabled ones nowhere, nothing twice. */
export function applyPreferences(
  candidates: readonly string[],
  prefer: readonly string[],
  disable: readonly string[],
): string[] {
  return [...new Set([...prefer, ...candidates])].filter((name) => !disable.includes(name))
}

/** Context keys that an agent needs and the request does not have. A key may offer alternatives: `base_url|api_base_url`. */
export function missingContext(agent: Agent, context: Readonly<Record<string, unknown>>): string[] {
  return (agent.requiredContext ?? []).filter((entry) => !entry.split('|').some((key) => context[key] !== undefined))
}
