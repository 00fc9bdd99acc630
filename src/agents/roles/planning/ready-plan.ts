import type { RoleContext } from '../../../core/actor.ts'
import type { Plan } from '../../../core/plan.ts'
import type { Outcome } from '../../../core/result.ts'
import { planOf } from '../../../core/team.ts'

/** The plan of what nobody need plan: the steps of a team, and a question that one agent knows as a whole. */
export async function readyPlan(ctx: RoleContext): Promise<Outcome | undefined> {
  const { team } = ctx.request
  if (team === undefined) return ofOneWhoKnows(ctx)
  if (ctx.state.plan !== undefined) return { answer: 'The team has no other way to try.' }
  return set(ctx, planOf(team), `The steps of the team “${team.name}”.`)
}

async function ofOneWhoKnows(ctx: RoleContext): Promise<Outcome | undefined> {
  if (ctx.state.plan !== undefined) return undefined
  const known = await knownAsWhole(ctx, ctx.request.question)
  return known === undefined ? undefined : set(ctx, known, known.rationale)
}

/** The plan of a question that somebody has verified with its answer: it is not taken to pieces. */
export async function knownAsWhole(
  { agents, request }: RoleContext,
  question: string,
): Promise<(Plan & { readonly rationale: string }) | undefined> {
  for (const { name, planning } of agents) {
    if (request.disableAgents.includes(name) || (await planning?.knows?.(question)) !== true) continue
    const rationale = `This question is known to ${name} as it stands.`
    return { tasks: [{ id: name, agent: name, dependsOn: [] }], rationale }
  }
  return undefined
}

function set({ emit }: RoleContext, { tasks }: Plan, rationale: string): Outcome {
  const plan = { tasks }
  emit({ type: 'plan.set', plan, by: 'planner', rationale, guardrails: { refinedBy: 'fallback' } })
  return { answer: rationale }
}
