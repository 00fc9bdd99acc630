import type { RoleContext } from '../../domain/actor.ts'
import type { Outcome } from '../../domain/result.ts'
import { planForTeam } from '../../domain/team.ts'

/** The steps of a team, which need no planner. */
export function teamPlan(ctx: RoleContext): Outcome | undefined {
  const { team } = ctx.request
  if (team === undefined) return undefined
  if (ctx.state.plan !== undefined) return { answer: 'The team has no other way to try.' }
  const rationale = `The steps of the team “${team.name}”.`
  ctx.emit({
    type: 'plan.set',
    plan: planForTeam(team),
    by: 'planner',
    rationale,
    guardrails: { refinedBy: 'fallback' },
  })
  return { answer: rationale }
}
