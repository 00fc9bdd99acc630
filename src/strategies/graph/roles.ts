import { defineRole, type Role, type RoleContext } from '../../domain/actor.ts'
import type { Outcome } from '../../domain/result.ts'
import { guardrailsOf, HEURISTIC_CONFIDENCE, setPlan, wholeTask, teamPlan } from '../planning/plan-parts.ts'
import { plannerInputFor } from '../planning/planner-fields.ts'
import { heuristicList, offerAgents, type OfferedAgents } from '../planning/usable-agents.ts'
import { makePlan, type ModelPlan } from './prompts.ts'
import { MAX_TASKS, problemIn, readPlan, usableTasksOnly, type PlannedTasks } from '../planning/read-plan.ts'

/**
 * Plans for the graph: the user's intent, the entities in the question, and tasks that depend on each other. If no
 * model returns a valid plan, the heuristic list is the plan. When asked again, it looks for a different plan.
 */
export const masterPlannerRole: Role = defineRole({
  name: 'master-planner',
  limits: { timeoutMs: 180_000 },
  async run(ctx): Promise<Outcome> {
    const ready = teamPlan(ctx)
    if (ready !== undefined) return ready
    const { plan, by, problem } = await planByModel(ctx)
    if (ctx.state.plan !== undefined && plan.tasks.length === 0) return { answer: 'There is no other way to try.' }
    const { intent, entities } = plan
    return { ...setPlan(ctx, plan, guardrailsOf(ctx, by, problem)), data: { intent, entities } }
  },
})

interface PlannedByModel {
  readonly plan: PlannedTasks
  readonly by: 'model' | 'fallback'
  /** Why the heuristic list took the place of the model's plan. */
  readonly problem?: string
}

async function planByModel(ctx: RoleContext): Promise<PlannedByModel> {
  const offered = await offerAgents(ctx)
  const { agents } = offered
  const read = (plan: ModelPlan): PlannedTasks => readPlan(plan, ctx.request.question, agents)
  const answered = await ctx.ask(
    makePlan,
    { ...plannerInputFor(ctx, offered), maxTasks: MAX_TASKS },
    { problemWith: (plan) => problemIn(() => read(plan)) },
  )
  if (answered.by === 'model') return { plan: read(answered.value), by: 'model' }
  const known = answered.refused && usableTasksOnly(answered.refused, agents)
  if (known !== undefined && known.tasks.length > 0 && problemIn(() => read(known)) === undefined) {
    return { plan: read(known), by: 'model' }
  }
  return { plan: heuristicPlan(ctx, offered), by: 'fallback', problem: answered.reason }
}

function heuristicPlan(ctx: RoleContext, { agents }: OfferedAgents): PlannedTasks {
  const names = ctx.state.plan === undefined ? heuristicList(agents, ctx) : []
  return {
    intent: 'answer',
    entities: {},
    tasks: names.map(wholeTask),
    rationale: 'The model did not return a valid plan; the agents were chosen by keywords.',
    confidence: HEURISTIC_CONFIDENCE,
    standalone: '',
  }
}
