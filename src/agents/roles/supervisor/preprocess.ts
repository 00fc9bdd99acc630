import { defineRole, type Role } from '../../../core/actor.ts'
import type { Outcome } from '../../../core/result.ts'
import { guardrailsOf } from '../guardrails.ts'
import { hasModel } from '../has-model.ts'
import { planByRules } from '../offline/supervisor-plan.ts'
import { teamPlan } from '../planning/ready-plan.ts'

/** Begins with the steps of a team, or with an empty plan that the supervisor fills. */
export const preprocessRole: Role = defineRole({
  name: 'preprocess',
  async run(ctx): Promise<Outcome> {
    const ready = teamPlan(ctx)
    if (ready !== undefined) return ready
    if (!(await hasModel(ctx))) return planByRules(ctx)
    const rationale = 'The supervisor plans.'
    ctx.emit({
      type: 'plan.set',
      plan: { tasks: [] },
      by: 'planner',
      rationale,
      guardrails: guardrailsOf(ctx, 'model'),
    })
    return { answer: rationale }
  },
})
