import type { RoleContext } from '../../../core/actor.ts'
import type { Plan } from '../../../core/plan.ts'
import type { Outcome } from '../../../core/result.ts'
import { planOf } from '../../../core/team.ts'
import { wholeTask } from './candidates.ts'

/** The steps of a team, which need no planner. */
export function teamPlan(ctx: RoleContext): Outcome | undefined {
  const { team } = ctx.request
  if (team === undefined) return undefined
  if (ctx.state.plan !== undefined) return { answer: 'The team has no other way to try.' }
  return set(ctx, planOf(team), `The steps of the team “${team.name}”.`)
}

/** Without a model: the plan of a question that somebody has verified with its answer. */
export async function verifiedPlan(ctx: RoleContext): Promise<Outcome | undefined> {
  if (ctx.state.plan !== undefined) return undefined
  const known = await knownAsWhole(ctx, ctx.request.question)
  return known === undefined ? undefined : set(ctx, known, known.rationale)
}

/** The plan of a verified question: it is not taken to pieces. */
export async function knownAsWhole(
  { agents, request }: RoleContext,
  question: string,
): Promise<(Plan & { readonly rationale: string }) | undefined> {
  for (const { name, planning } of agents) {
    if (request.disableAgents.includes(name) || (await planning?.knows?.(question)) !== true) continue
    return { tasks: [wholeTask(name)], rationale: `This question is known to ${name} as it stands.` }
  }
  return undefined
}

function set({ emit }: RoleContext, { tasks }: Plan, rationale: string): Outcome {
  const plan = { tasks }
  emit({ type: 'plan.set', plan, by: 'planner', rationale, guardrails: { refinedBy: 'fallback' } })
  return { answer: rationale }
}
