import type { Agent } from '../../../core/actor.ts'
import type { Task } from '../../../core/plan.ts'

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

/** The whole question as the task of one agent. */
export function wholeTask(agent: string): Task {
  return { id: agent.replaceAll(/[^\w-]/g, '_'), agent, dependsOn: [] }
}
