import type { RoleContext } from '../../../core/actor.ts'
import { validatePlan } from '../../../core/plan.ts'
import type { Outcome } from '../../../core/result.ts'
import { wantsAnotherPlan } from '../../../strategies/steps.ts'
import { openTasks } from '../../../strategies/supervisor/supervisor.ts'
import { guardrailsOf } from '../guardrails.ts'
import { joinPlans } from '../planning/join-plans.ts'
import { verifiedPlan } from '../planning/ready-plan.ts'
import { rulePlan } from '../planning/rule-plan.ts'
import { teamOf, todayOf } from '../planning/team.ts'
import { about, standingIn, understoodBy } from '../planning/understood.ts'
import type { Routed } from '../supervisor/routing.ts'
import { byRules } from './graph-plan.ts'

/** The first plan of a supervisor without a model: the parts of the question, and who answers such. */
export async function planByRules(ctx: RoleContext): Promise<Outcome> {
  const verified = await verifiedPlan(ctx)
  if (verified !== undefined) return verified
  const { request, agents } = ctx
  const standing = await standingIn(ctx)
  const { question } = standing
  const read = await rulePlan(question, teamOf(request, agents), todayOf(request))
  const tasks = standing.isFragment === true ? [] : read.tasks.map(about(question, request))
  const { intent, entities, rationale, confidence, carried } = read
  ctx.emit({
    type: 'plan.set',
    plan: validatePlan({ tasks }, new Set(agents.map(({ name }) => name))),
    by: 'planner',
    rationale,
    confidence,
    guardrails: guardrailsOf(ctx, 'fallback'),
    ...understoodBy(ctx, question, standing, carried),
  })
  return { answer: rationale, confidence, data: { intent, entities } }
}

/** A decision without a model: all that can start; where there is nothing, another way for what led nowhere, once. */
export async function routeByRules(ctx: RoleContext): Promise<Routed> {
  const { state, request, agents } = ctx
  const { plan, understood } = state.plan!
  const open = openTasks(state)
  const known = new Set(plan.tasks.map(({ id }) => id))
  if (open.length > 0 || !wantsAnotherPlan(state)) {
    const thought = open.length > 0 ? 'All parts that can start are next.' : 'There is nothing left that could be done.'
    return { tasks: plan.tasks, route: open, thought }
  }
  const question = understood?.question ?? request.question
  const { tasks: added, rationale } = await byRules(ctx, teamOf(request, agents), todayOf(request), question)
  const { tasks } = joinPlans(plan, added)
  return {
    tasks,
    route: tasks.filter(({ id, dependsOn }) => !known.has(id) && dependsOn.length === 0),
    thought: rationale,
  }
}
