import type { RoleContext } from '../../../core/actor.ts'
import type { Outcome } from '../../../core/result.ts'
import { planOf } from '../../../core/team.ts'

/** Where a team works on the request, its steps are the plan, and nobody need plan. */
export function planOfTeam({ request, state, emit }: RoleContext): Outcome | undefined {
  const { team } = request
  if (team === undefined) return undefined
  if (state.plan !== undefined) return { answer: 'The team has no other way to try.' }
  const rationale = `The steps of the team “${team.name}”.`
  emit({ type: 'plan.set', plan: planOf(team), by: 'planner', rationale, guardrails: { refinedBy: 'fallback' } })
  return { answer: rationale }
}
