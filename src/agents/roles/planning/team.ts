import type { Agent, RoleContext } from '../../../core/actor.ts'
import type { RunRequest } from '../../../core/request.ts'
import type { Team } from './choose.ts'
import { isCourtesy } from './references.ts'

/** The agents that a request allows. */
export function teamOf({ preferAgents, disableAgents, context }: RunRequest, agents: readonly Agent[]): Team {
  const allowed = agents.filter(({ name }) => !disableAgents.includes(name))
  return { agents: allowed, preferred: preferAgents, context }
}

/** The day of a request, for periods. */
export function todayOf({ context }: RunRequest): string | undefined {
  const today = context['current_date']
  return typeof today === 'string' ? today : undefined
}

/** Whether a model may choose nobody: for a greeting, and where what was said before may hold the answer. */
export function mayNeedNobody({ request, recollection, state }: RoleContext): boolean {
  const { profile, summary, recent } = recollection
  const isRemembered = profile !== undefined || summary !== undefined || recent.length > 0
  return state.plan !== undefined || isRemembered || isCourtesy(request.question)
}
