import { latestAttempt } from '../../../core/attempts.ts'
import { defineRole, type Agent, type Role, type RoleContext } from '../../../core/actor.ts'
import { toTuttiError } from '../../../core/errors.ts'
import { validatePlan, type Task } from '../../../core/plan.ts'
import type { Outcome } from '../../../core/result.ts'
import { contextLines } from '../../context-lines.ts'
import { makePlan, type PlanInput } from './master-planner-prompt.ts'
import { missingContext } from '../planning/candidates.ts'
import { evidenceFor } from '../planning/evidence.ts'
import type { Team } from '../planning/choose.ts'
import { heldWords } from '../planning/held-words.ts'
import { joinPlans, spentTasks } from '../planning/join-plans.ts'
import type { Understanding } from '../planning/plan-by-rules.ts'
import { asModelPlan, MAX_TASKS, readPlan } from '../planning/read-plan.ts'
import { rulePlan } from '../planning/rule-plan.ts'
import { retriesFor } from '../planning/retries.ts'
import { mayNeedNobody, teamOf, todayOf } from '../planning/team.ts'
import { readyPlan } from '../planning/ready-plan.ts'
import { about, completedBy, standingIn, understoodBy } from '../planning/understood.ts'

/** A first plan and, when it is not valid, one more with the error told. */
const MAX_ASKS = 2

interface Made {
  readonly understanding: Understanding
  readonly by: 'model' | 'fallback'
  /** What was wrong with the model's plans, when the rules had to plan in its stead. */
  readonly problem?: string
  /** The question as the model completed it. */
  readonly completed?: string | undefined
}

/**
 * Plans for the graph (SPEC R1): what the person wants, which entities the question names, and tasks that depend on each
 * other. A model's plan that cannot be run goes back to it once; then, and without a model, rules plan. Asked again, it
 * looks for another way than the one that led nowhere.
 */
export const masterPlannerRole: Role = defineRole({
  name: 'master-planner',
  limits: { timeoutMs: 180_000 },
  async run(ctx): Promise<Outcome> {
    const ready = await readyPlan(ctx)
    if (ready !== undefined) return ready
    const { agents } = ctx
    const team = teamOf(ctx.request, agents)
    const today = todayOf(ctx.request)
    const standing = await standingIn(ctx)
    const own = ctx.state.plan?.understood?.question ?? standing.question
    const { understanding, by, problem, completed } = await makeValidPlan(ctx, team, today, own)
    const { intent, entities, rationale, confidence, carried } = understanding
    const earlier = ctx.state.plan?.plan
    if (earlier !== undefined && understanding.tasks.length === 0) return { answer: 'There is no other way to try.' }
    const question = completed ?? own
    const isLost = standing.isFragment === true && completed === undefined && by === 'fallback'
    const tasks = isLost ? [] : understanding.tasks.map(about(question, ctx.request))
    const plan = validatePlan(joinPlans(earlier, tasks), new Set(agents.map(({ name }) => name)))
    const guardrails = guardrailsOf(ctx, by, problem)
    const understood = understoodBy(ctx, question, standing, carried)
    ctx.emit({ type: 'plan.set', plan, by: 'planner', rationale, confidence, guardrails, ...understood })
    return { answer: rationale, confidence, data: { intent, entities } }
  },
})

async function makeValidPlan(ctx: RoleContext, team: Team, today: string | undefined, question: string): Promise<Made> {
  const ruled = await byRules(ctx, team, today, question)
  let problem: string | undefined
  for (let asked = 0; asked < MAX_ASKS; asked++) {
    const answered = await ctx.ask(makePlan, await inputFor(ctx, team, problem), { fallback: () => asModelPlan(ruled) })
    if (answered.by === 'fallback') return { understanding: ruled, by: 'fallback' }
    try {
      const understanding = readPlan(answered.value, question, team, today)
      // Nobody: the rules may know somebody.
      const isEmpty = understanding.tasks.length === 0 && !mayNeedNobody(ctx)
      if (isEmpty) return { understanding: ruled, by: 'fallback' }
      return { understanding, by: 'model', completed: completedBy(ctx, answered.value.standalone) }
    } catch (thrown) {
      problem = toTuttiError(thrown).message
      ctx.note('ERROR', `The plan of the model cannot be run: ${problem}`, { plan: answered.value })
    }
  }
  return { understanding: ruled, by: 'fallback', ...(problem === undefined ? {} : { problem }) }
}

/** The plan without a model: the first one, or another way than those that were gone. */
export async function byRules(
  { state }: RoleContext,
  team: Team,
  today: string | undefined,
  question: string,
): Promise<Understanding> {
  const spent = new Set(spentTasks(state).map(({ agent }) => agent))
  // Second thoughts go to nobody who cannot work and was not asked for.
  const isOfUse = (agent: Agent): boolean =>
    spent.size === 0 || agent.unavailable === undefined || evidenceFor(agent, question).matches.length > 0
  const agents = team.agents.filter((agent) => !spent.has(agent.name) && isOfUse(agent))
  const anew = await rulePlan(question, { ...team, agents }, today)
  const retries = state.plan === undefined ? undefined : retriesFor(state, question, team)
  return retries === undefined
    ? anew
    : { ...anew, tasks: retries, rationale: 'The next agent is asked what one declined.' }
}

async function inputFor(
  ctx: RoleContext,
  { agents, preferred, context }: Team,
  problem: string | undefined,
): Promise<PlanInput> {
  const { question, disableAgents, systemPrompt } = ctx.request
  return {
    question,
    context: contextLines(context),
    preferred: [...preferred],
    disabled: [...disableAgents],
    agents: await declarationsOf(ctx, agents, context),
    maxTasks: MAX_TASKS,
    earlier: (ctx.state.plan?.plan.tasks ?? []).map((task) => earlierResult(ctx, task)),
    ...(problem === undefined ? {} : { problem }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
  }
}

/** What a planner’s model is told of the agents. */
export async function declarationsOf(
  ctx: RoleContext,
  agents: readonly Agent[],
  context: Team['context'],
): Promise<PlanInput['agents']> {
  const held = await heldWords(ctx, agents)
  return agents.map((agent) => declarationOf(agent, context, held.get(agent.name)))
}

function declarationOf(
  agent: Agent,
  context: Team['context'],
  heldWordsOf: readonly string[] | undefined,
): PlanInput['agents'][number] {
  const { name, description, capabilities, useCases, tools = [], typicalLatencyMs, unavailable } = agent
  return {
    name,
    description,
    capabilities: [...capabilities],
    useCases: [...useCases],
    tools: tools.map(({ name: tool, description: says, effect }) => ({ name: tool, description: says, effect })),
    usesResults: agent.planning?.worksOnResults === true || agent.planning?.acts === true,
    missingContext: missingContext(agent, context),
    ...(heldWordsOf === undefined ? {} : { holds: [...heldWordsOf] }),
    ...(typicalLatencyMs === undefined ? {} : { typicalLatencyMs }),
    ...(unavailable === undefined ? {} : { unavailable }),
  }
}

function earlierResult({ state }: RoleContext, { id, agent }: Task): PlanInput['earlier'][number] {
  const result = latestAttempt(state, id)?.result
  return { id, agent, status: result?.status ?? 'skipped', summary: result?.error?.message ?? result?.answer ?? '' }
}

/** What limited the choice, for the response and the trace. */
export function guardrailsOf(
  { request }: RoleContext,
  by: Made['by'],
  problem: string | undefined,
): Record<string, unknown> {
  const { preferAgents, disableAgents, maxTurns, strategyReason } = request
  return {
    refinedBy: by,
    ...(problem === undefined ? {} : { problem }),
    ...(strategyReason === undefined ? {} : { strategy: strategyReason }),
    ...(preferAgents.length === 0 ? {} : { preferred: preferAgents }),
    ...(disableAgents.length === 0 ? {} : { disabled: disableAgents }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
  }
}
