import { defineRole, type Role, type RoleContext } from '../../domain/actor.ts'
import { latestAttempt } from '../../domain/attempts.ts'
import { validatePlan, type Task } from '../../domain/plan.ts'
import type { Outcome } from '../../domain/result.ts'
import { omitUndefined } from '../../shared/omit-undefined.ts'
import { runSections } from '../planning/run-sections.ts'
import {
  guardrailsOf,
  joinPlans,
  withQuestionText,
  HEURISTIC_CONFIDENCE,
  understoodAs,
  wholeTask,
} from '../planning/plan-parts.ts'
import { teamPlan } from '../planning/team-plan.ts'
import { completeQuestion } from '../planning/planner-fields.ts'
import { heuristicList, offerAgents, type OfferedAgents } from '../planning/usable-agents.ts'
import { makePlan, type ModelPlan, type PlanInput } from './prompts.ts'
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
    const { intent, entities, rationale, confidence } = plan
    const earlier = ctx.state.plan?.plan
    if (earlier !== undefined && plan.tasks.length === 0) return { answer: 'There is no other way to try.' }
    const question = completeQuestion(ctx, plan.standalone)
    ctx.emit({
      type: 'plan.set',
      plan: validatePlan(
        joinPlans(earlier, plan.tasks.map(withQuestionText(question, ctx))),
        new Set(ctx.agents.map(({ name }) => name)),
      ),
      by: 'planner',
      rationale,
      confidence,
      guardrails: guardrailsOf(ctx, by, problem),
      ...understoodAs(question, ctx),
      ...omitUndefined({ notPossible: plan.not_possible ?? undefined }),
    })
    return { answer: rationale, confidence, data: { intent, entities } }
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
  const asked = await ctx.ask(makePlan, inputFor(ctx, offered), { problemWith: (plan) => problemIn(() => read(plan)) })
  if (asked.by === 'model') return { plan: read(asked.value), by: 'model' }
  const known = asked.refused && usableTasksOnly(asked.refused, agents)
  if (known !== undefined && known.tasks.length > 0 && problemIn(() => read(known)) === undefined) {
    return { plan: read(known), by: 'model' }
  }
  return { plan: heuristicPlan(ctx, offered), by: 'fallback', problem: asked.reason }
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

function inputFor(ctx: RoleContext, { text, unusable }: OfferedAgents): PlanInput {
  const { preferAgents, systemPrompt } = ctx.request
  return {
    about: runSections(ctx),
    preferred: preferAgents,
    agents: text,
    unusable: [...unusable],
    maxTasks: MAX_TASKS,
    earlier: (ctx.state.plan?.plan.tasks ?? []).map((task) => earlierResult(ctx, task)),
    ...omitUndefined({ systemPrompt }),
  }
}

function earlierResult({ state }: RoleContext, { id, agent }: Task): PlanInput['earlier'][number] {
  const result = latestAttempt(state, id)?.result
  return { id, agent, status: result?.status ?? 'skipped', summary: result?.error?.message ?? result?.answer ?? '' }
}
