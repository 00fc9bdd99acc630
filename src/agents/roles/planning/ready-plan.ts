import type { RoleContext } from '../../../core/actor.ts'
import type { Outcome } from '../../../core/result.ts'
import { planOf } from '../../../core/team.ts'

/** The plan of what nobody need plan: the steps of a team, and a question that one agent knows as a whole. */
export async function readyPlan(ctx: RoleContext): Promise<Outcome | undefined> {
  const { team } = ctx.request
  if (team === undefined) return ofOneWhoKnows(ctx)
  if (ctx.state.plan !== undefined) return { answer: 'The team has no other way to try.' }
  return set(ctx, planOf(team), `The steps of the team “${team.name}”.`)
}

/** A question that somebody has verified with its answer is not taken to pieces. */
async function ofOneWhoKnows(ctx: RoleContext): Promise<Outcome | undefined> {
  const { question, disableAgents } = ctx.request
  if (ctx.state.plan !== undefined) return undefined
  for (const { name, planning } of ctx.agents) {
    if (disableAgents.includes(name) || (await planning?.knows?.(question)) !== true) continue
    return set(
      ctx,
      { tasks: [{ id: name, agent: name, dependsOn: [] }] },
      `This question is known to ${name} as it stands.`,
    )
  }
  return undefined
}

function set({ emit }: RoleContext, plan: ReturnType<typeof planOf>, rationale: string): Outcome {
  emit({ type: 'plan.set', plan, by: 'planner', rationale, guardrails: { refinedBy: 'fallback' } })
  return { answer: rationale }
}
