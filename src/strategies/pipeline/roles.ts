import { defineRole, type Role, type RoleContext } from '../../domain/actor.ts'
import type { Outcome } from '../../domain/result.ts'
import { guardrailsOf, HEURISTIC_CONFIDENCE, setPlan, wholeTask, teamPlan } from '../planning/plan-parts.ts'
import { plannerInputFor } from '../planning/planner-fields.ts'
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
  const tried = ctx.state.plan?.plan.tasks ?? []
  const offered = await offerAgents(ctx)
  const { agents } = offered
  const heuristic = {
    agents: tried.length > 0 ? [] : heuristicList(agents, ctx),
    rationale: 'The model did not return a plan; the agents were chosen by keywords.',
    confidence: HEURISTIC_CONFIDENCE,
    standalone: '',
    not_possible: null,
  }
  const answered = await ctx.ask(refinePlan, plannerInputFor(ctx, offered))
  const value = answered.value ?? heuristic
  const names = [...new Set(value.agents)]
  const known = new Set(names.flatMap((name) => agentNamed(name, agents)?.name ?? []))
  const dropped = names.filter((name) => agentNamed(name, agents) === undefined)
  const problem =
    known.size === 0 && dropped.length > 0 ? `it named only unknown agents: ${dropped.join(', ')}` : answered.reason
  const chosen = problem === undefined ? { ...value, agents: [...known] } : heuristic
  if (tried.length > 0 && chosen.agents.length === 0) return { answer: 'There is no other agent to try.' }
  return setPlan(
    ctx,
    { ...chosen, tasks: chosen.agents.map(wholeTask), standalone: value.standalone },
    {
      ...guardrailsOf(ctx, problem === undefined ? 'model' : 'fallback', problem),
      ...(dropped.length === 0 ? {} : { dropped }),
    },
  )
}
