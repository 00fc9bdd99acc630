import { latestAttempt } from '../../../core/attempts.ts'
import { defineRole, type Role, type RoleContext } from '../../../core/actor.ts'
import { toTuttiError } from '../../../core/errors.ts'
import { given } from '../../../core/given.ts'
import { validatePlan, type Task } from '../../../core/plan.ts'
import type { Outcome } from '../../../core/result.ts'
import { contextLines } from '../../context-lines.ts'
import { guardrailsOf } from '../guardrails.ts'
import { hasModel } from '../has-model.ts'
import { planGraphByRules } from '../offline/graph-plan.ts'
import { wholeTask } from '../planning/candidates.ts'
import { joinPlans } from '../planning/join-plans.ts'
import { HEURISTIC_CONFIDENCE } from '../planning/plan-by-rules.ts'
import { teamPlan } from '../planning/ready-plan.ts'
import { about, understoodBy } from '../planning/understood.ts'
import { completeQuestion } from '../standalone.ts'
import { heuristicList, offerAgents, type OfferedAgents } from '../usable-agents.ts'
import { makePlan, type ModelPlan, type PlanInput } from './master-planner-prompt.ts'
import { MAX_TASKS, readPlan, withoutStrangers, type PlannedTasks } from './read-plan.ts'

/** A first plan and, when it is not valid, one more with the error told. */
const MAX_ASKS = 2

/**
 * Plans for the graph (SPEC R1): what the user wants, which entities the question names, and tasks that depend on each other. A
 * model's plan that is not valid goes back to it once; then, and where the model fails, the heuristic list is the plan. Asked
 * again, it looks for another way than the one that led nowhere.
 */
export const masterPlannerRole: Role = defineRole({
  name: 'master-planner',
  limits: { timeoutMs: 180_000 },
  async run(ctx): Promise<Outcome> {
    const ready = teamPlan(ctx)
    if (ready !== undefined) return ready
    if (!(await hasModel(ctx))) return planGraphByRules(ctx)
    const { plan, by, problem } = await planByModel(ctx)
    const { intent, entities, rationale, confidence } = plan
    const earlier = ctx.state.plan?.plan
    if (earlier !== undefined && plan.tasks.length === 0) return { answer: 'There is no other way to try.' }
    const question = completeQuestion(ctx, plan.standalone)
    ctx.emit({
      type: 'plan.set',
      plan: validatePlan(
        joinPlans(earlier, plan.tasks.map(about(question, ctx.request))),
        new Set(ctx.agents.map(({ name }) => name)),
      ),
      by: 'planner',
      rationale,
      confidence,
      guardrails: guardrailsOf(ctx, by, problem),
      ...understoodBy(ctx, question, {}),
    })
    return { answer: rationale, confidence, data: { intent, entities } }
  },
})

interface Made {
  readonly plan: PlannedTasks
  readonly by: 'model' | 'fallback'
  /** What was wrong with the model's plans, where the heuristic list took their place. */
  readonly problem?: string
}

async function planByModel(ctx: RoleContext): Promise<Made> {
  const offered = await offerAgents(ctx)
  const { agents } = offered
  let problem: string | undefined
  let last: ModelPlan | undefined
  for (let asked = 0; asked < MAX_ASKS; asked++) {
    const { value, by } = await ctx.ask(makePlan, inputFor(ctx, offered, problem))
    if (by === 'fallback') return { plan: heuristicPlan(ctx, offered), by }
    last = value
    try {
      return { plan: readPlan(value, ctx.request.question, agents), by }
    } catch (thrown) {
      problem = toTuttiError(thrown).message
      ctx.note('ERROR', `The plan of the model cannot be run: ${problem}`, { plan: value })
    }
  }
  const known = last && withoutStrangers(last, agents)
  if (known !== undefined && known.tasks.length > 0) {
    try {
      return { plan: readPlan(known, ctx.request.question, agents), by: 'model' }
    } catch (thrown) {
      problem = toTuttiError(thrown).message
    }
  }
  return { plan: heuristicPlan(ctx, offered), by: 'fallback', ...given({ problem }) }
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

function inputFor(ctx: RoleContext, { text, unusable }: OfferedAgents, problem: string | undefined): PlanInput {
  const { question, preferAgents, context, systemPrompt } = ctx.request
  return {
    question,
    context: contextLines(context),
    preferred: preferAgents,
    agents: text,
    unusable: [...unusable],
    maxTasks: MAX_TASKS,
    earlier: (ctx.state.plan?.plan.tasks ?? []).map((task) => earlierResult(ctx, task)),
    ...given({ problem, systemPrompt }),
  }
}

function earlierResult({ state }: RoleContext, { id, agent }: Task): PlanInput['earlier'][number] {
  const result = latestAttempt(state, id)?.result
  return { id, agent, status: result?.status ?? 'skipped', summary: result?.error?.message ?? result?.answer ?? '' }
}
