import type { RoleContext } from '../../core/actor.ts'
import { given } from '../../core/given.ts'

/** What limited the choice of a plan, for the response and the trace. @param problem what was wrong with a model's plans */
export function guardrailsOf(
  { request }: RoleContext,
  by: 'model' | 'fallback',
  problem?: string,
): Record<string, unknown> {
  const { preferAgents, disableAgents, maxTurns, strategyReason } = request
  return {
    refinedBy: by,
    ...given({ problem, strategy: strategyReason }),
    ...(preferAgents.length === 0 ? {} : { preferred: preferAgents }),
    ...(disableAgents.length === 0 ? {} : { disabled: disableAgents }),
    ...given({ maxTurns }),
  }
}
