import { defineRole, type Role } from '../../../core/actor.ts'
import { validatePlan } from '../../../core/plan.ts'
import type { Outcome } from '../../../core/result.ts'
import { guardrailsOf } from '../graph/master-planner.ts'
import { rulePlan } from '../planning/rule-plan.ts'
import { teamOf, todayOf } from '../planning/team.ts'
import { readyPlan } from '../planning/ready-plan.ts'
import { about, standingIn, understoodBy } from '../planning/understood.ts'

/** What is known before anybody is asked: the parts of the question, and who answers such. The supervisor goes on from there. */
export const preprocessRole: Role = defineRole({
  name: 'preprocess',
  async run(ctx): Promise<Outcome> {
    const ready = await readyPlan(ctx)
    if (ready !== undefined) return ready
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
      guardrails: guardrailsOf(ctx, 'fallback', undefined),
      ...understoodBy(ctx, question, standing, carried),
    })
    return { answer: rationale, confidence, data: { intent, entities } }
  },
})
