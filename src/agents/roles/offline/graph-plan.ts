import type { Agent, RoleContext } from '../../../core/actor.ts'
import { validatePlan } from '../../../core/plan.ts'
import type { Outcome } from '../../../core/result.ts'
import { guardrailsOf } from '../guardrails.ts'
import type { Team } from '../planning/choose.ts'
import { evidenceFor } from '../planning/evidence.ts'
import { joinPlans, spentTasks } from '../planning/join-plans.ts'
import type { Understanding } from '../planning/plan-by-rules.ts'
import { verifiedPlan } from '../planning/ready-plan.ts'
import { retriesFor } from '../planning/retries.ts'
import { rulePlan } from '../planning/rule-plan.ts'
import { teamOf, todayOf } from '../planning/team.ts'
import { about, standingIn, understoodBy } from '../planning/understood.ts'

/** The plan of a graph without a model: rules split the question. Asked again, they look for another way. */
export async function planGraphByRules(ctx: RoleContext): Promise<Outcome> {
  const verified = await verifiedPlan(ctx)
  if (verified !== undefined) return verified
  const { agents, request, state } = ctx
  const standing = await standingIn(ctx)
  const question = state.plan?.understood?.question ?? standing.question
  const read = await byRules(ctx, teamOf(request, agents), todayOf(request), question)
  const { intent, entities, rationale, confidence, carried } = read
  const earlier = state.plan?.plan
  if (earlier !== undefined && read.tasks.length === 0) return { answer: 'There is no other way to try.' }
  const tasks = standing.isFragment === true ? [] : read.tasks.map(about(question, request))
  ctx.emit({
    type: 'plan.set',
    plan: validatePlan(joinPlans(earlier, tasks), new Set(agents.map(({ name }) => name))),
    by: 'planner',
    rationale,
    confidence,
    guardrails: guardrailsOf(ctx, 'fallback'),
    ...understoodBy(ctx, question, standing, carried),
  })
  return { answer: rationale, confidence, data: { intent, entities } }
}

/** A first plan, or another way than those that were gone. */
export async function byRules(
  { state }: RoleContext,
  team: Team,
  today: string | undefined,
  question: string,
): Promise<Understanding> {
  const spent = new Set(spentTasks(state).map(({ agent }) => agent))
  // Second thoughts go to nobody who cannot work and was not asked for.
  const isOfUse = (agent: Agent): boolean =>
    spent.size === 0 || agent.unavailable === undefined || evidenceFor(agent, question).matches.length > 0
  const agents = team.agents.filter((agent) => !spent.has(agent.name) && isOfUse(agent))
  const anew = await rulePlan(question, { ...team, agents }, today)
  const retries = state.plan === undefined ? undefined : retriesFor(state, question, team)
  return retries === undefined
    ? anew
    : { ...anew, tasks: retries, rationale: 'The next agent is asked what one declined.' }
}
