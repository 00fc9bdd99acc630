import { latestAttempt } from '../../domain/attempts.ts'
import { defineRole, type Role, type RoleContext } from '../../domain/actor.ts'
import { omitUndefined } from '../../shared/omit-undefined.ts'
import { validatePlan, type Task } from '../../domain/plan.ts'
import type { Outcome } from '../../domain/result.ts'
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
import { agentNamed, heuristicList, offerAgents } from '../planning/usable-agents.ts'
import { refinePlan } from './prompts.ts'

/**
 * Chooses the agents of a pipeline with a model: among all that can work, or none. If the model fails or only names
 * unknown agents, the heuristic list is the plan. When asked again, it looks for a different plan.
 */
export const plannerRole: Role = defineRole({
  name: 'planner',
  limits: { timeoutMs: 180_000 },
  async run(ctx): Promise<Outcome> {
    return teamPlan(ctx) ?? planByModel(ctx)
  },
})

async function planByModel(ctx: RoleContext): Promise<Outcome> {
  const { request, state } = ctx
  const { agents, text, unusable } = await offerAgents(ctx)
  const tried = state.plan?.plan.tasks ?? []
  const input = {
    about: runSections(ctx),
    preferred: request.preferAgents,
    agents: text,
    unusable: [...unusable],
    earlier: tried.map((task) => earlierResult(ctx, task)),
    ...omitUndefined({ systemPrompt: request.systemPrompt }),
  }
  const heuristic = {
    agents: tried.length > 0 ? [] : heuristicList(agents, ctx),
    rationale: 'The model did not return a plan; the agents were chosen by keywords.',
    confidence: HEURISTIC_CONFIDENCE,
    standalone: '',
    not_possible: null,
  }
  const asked = await ctx.ask(refinePlan, input)
  const value = asked.value ?? heuristic
  const named = [...new Set(value.agents)]
  const known = new Set(named.flatMap((name) => agentNamed(name, agents)?.name ?? []))
  const dropped = named.filter((name) => agentNamed(name, agents) === undefined)
  const problem =
    known.size === 0 && dropped.length > 0 ? `it named only unknown agents: ${dropped.join(', ')}` : asked.reason
  const chosen = problem === undefined ? { ...value, agents: [...known] } : heuristic
  if (tried.length > 0 && chosen.agents.length === 0) return { answer: 'There is no other agent to try.' }
  const question = completeQuestion(ctx, value.standalone)
  const tasks = chosen.agents.map(wholeTask).map(withQuestionText(question, ctx))
  const { rationale, confidence } = chosen
  ctx.emit({
    type: 'plan.set',
    plan: validatePlan(joinPlans(state.plan?.plan, tasks), new Set(ctx.agents.map(({ name }) => name))),
    by: 'planner',
    rationale,
    confidence,
    guardrails: {
      ...guardrailsOf(ctx, problem === undefined ? 'model' : 'fallback', problem),
      ...(dropped.length === 0 ? {} : { dropped }),
    },
    ...understoodAs(question, ctx),
    ...omitUndefined({ notPossible: chosen.not_possible ?? undefined }),
  })
  return { answer: rationale, confidence }
}

function earlierResult({ state }: RoleContext, { id, agent }: Task) {
  const result = latestAttempt(state, id)?.result
  return { agent, status: result?.status ?? 'skipped', summary: result?.error?.message ?? result?.answer ?? '' }
}
