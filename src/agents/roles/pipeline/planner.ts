import { latestAttempt } from '../../../core/attempts.ts'
import { defineRole, type Role, type RoleContext } from '../../../core/actor.ts'
import { given } from '../../../core/given.ts'
import { validatePlan, type Task } from '../../../core/plan.ts'
import type { Outcome } from '../../../core/result.ts'
import { contextLines } from '../../context-lines.ts'
import { guardrailsOf } from '../guardrails.ts'
import { hasModel } from '../has-model.ts'
import { planPipelineByRules } from '../offline/pipeline-plan.ts'
import { wholeTask } from '../planning/candidates.ts'
import { joinPlans } from '../planning/join-plans.ts'
import { HEURISTIC_CONFIDENCE } from '../planning/plan-by-rules.ts'
import { teamPlan } from '../planning/ready-plan.ts'
import { about, understoodBy } from '../planning/understood.ts'
import { completeQuestion } from '../standalone.ts'
import { agentNamed, heuristicList, offerAgents } from '../usable-agents.ts'
import { refinePlan } from './planner-prompt.ts'

/**
 * Chooses the agents of a pipeline (SPEC P3): a model among all that can work, or none of them. Where it fails or names only
 * strangers, the heuristic list is the plan. Asked again, it looks for another way than the one that led nowhere.
 */
export const plannerRole: Role = defineRole({
  name: 'planner',
  limits: { timeoutMs: 180_000 },
  async run(ctx): Promise<Outcome> {
    const ready = teamPlan(ctx)
    if (ready !== undefined) return ready
    return (await hasModel(ctx)) ? planByModel(ctx) : planPipelineByRules(ctx)
  },
})

async function planByModel(ctx: RoleContext): Promise<Outcome> {
  const { request, state } = ctx
  const { agents, text, unusable } = await offerAgents(ctx)
  const tried = state.plan?.plan.tasks ?? []
  const input = {
    question: request.question,
    context: [...contextLines(request.context)],
    preferred: request.preferAgents,
    agents: text,
    unusable: [...unusable],
    earlier: tried.map((task) => earlierResult(ctx, task)),
    ...given({ systemPrompt: request.systemPrompt }),
  }
  const heuristic = (why: string) => {
    const names = tried.length > 0 ? [] : heuristicList(agents, ctx)
    return { agents: names, rationale: why, confidence: HEURISTIC_CONFIDENCE, standalone: '' }
  }
  const { value, by } = await ctx.ask(refinePlan, input, {
    fallback: () => heuristic('The model did not return a plan; the agents were chosen by keywords.'),
  })
  const named = [...new Set(value.agents)]
  const known = new Set(named.flatMap((name) => agentNamed(name, agents)?.name ?? []))
  const dropped = named.filter((name) => agentNamed(name, agents) === undefined)
  const isOfStrangers = known.size === 0 && dropped.length > 0
  const chosen = isOfStrangers
    ? heuristic('The model named only unknown agents; the agents were chosen by keywords.')
    : { ...value, agents: [...known] }
  if (tried.length > 0 && chosen.agents.length === 0) return { answer: 'There is no other agent to try.' }
  const question = completeQuestion(ctx, value.standalone)
  const tasks = chosen.agents.map(wholeTask).map(about(question, request))
  const { rationale, confidence } = chosen
  ctx.emit({
    type: 'plan.set',
    plan: validatePlan(joinPlans(state.plan?.plan, tasks), new Set(ctx.agents.map(({ name }) => name))),
    by: 'planner',
    rationale,
    confidence,
    guardrails: {
      ...guardrailsOf(ctx, isOfStrangers ? 'fallback' : by),
      ...(dropped.length === 0 ? {} : { dropped }),
    },
    ...understoodBy(ctx, question, {}),
  })
  return { answer: rationale, confidence }
}

function earlierResult({ state }: RoleContext, { id, agent }: Task) {
  const result = latestAttempt(state, id)?.result
  return { agent, status: result?.status ?? 'skipped', summary: result?.error?.message ?? result?.answer ?? '' }
}
