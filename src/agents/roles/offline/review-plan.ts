import type { RoleContext } from '../../../core/actor.ts'
import { given } from '../../../core/given.ts'
import { validatePlan } from '../../../core/plan.ts'
import { planSteps } from '../../../strategies/review/instructions.ts'
import type { PlanSteps } from '../../../strategies/review/types.ts'
import { runRule } from '../../rules/run-rule.ts'
import { joinPlans } from '../planning/join-plans.ts'
import { HEURISTIC_CONFIDENCE } from '../planning/plan-by-rules.ts'
import { knownAsWhole } from '../planning/ready-plan.ts'
import { teamOf, todayOf } from '../planning/team.ts'
import { about, standingIn, understoodBy } from '../planning/understood.ts'
import { byRules } from './graph-plan.ts'

const CONCLUDE = 'Put what was found together into an answer to the question.'

/** The plan of a review without a model: the parts of the question, and who answers such. */
export async function planOffline(ctx: RoleContext): Promise<PlanSteps> {
  const { request, agents, state } = ctx
  const team = teamOf(request, agents)
  const standing = await standingIn(ctx)
  // What was said of how to answer is what a review does; the rest is what to answer.
  const question = (await runRule('care', standing.question))?.rest ?? standing.question
  const isResearched = [...state.jobs.values()].some(({ task }) => task !== undefined)
  const earlier = isResearched ? state.plan?.plan : undefined
  const known = earlier === undefined ? await knownAsWhole(ctx, question) : undefined
  const ruled = known === undefined ? await byRules(ctx, team, todayOf(request), question) : { ...known, carried: [] }
  const tasks = ruled.tasks.map(about(question, request))
  const plan = validatePlan(joinPlans(earlier, tasks), new Set(team.agents.map(({ name }) => name)))
  // A person who has changed the plan meanwhile knows better.
  if (state.plan?.by !== 'user' && (earlier === undefined || tasks.length > 0))
    ctx.emit({
      type: 'plan.set',
      plan,
      by: 'planner',
      rationale: ruled.rationale,
      confidence: HEURISTIC_CONFIDENCE,
      guardrails: { refinedBy: 'fallback', ...given({ strategy: request.strategyReason }) },
      ...understoodBy(ctx, standing.question, standing, ruled.carried),
    })
  const expertSteps = earlier === undefined ? [CONCLUDE] : planSteps(state).expertSteps
  return { researchSteps: plan.tasks.map(({ text }) => text ?? question), expertSteps }
}
