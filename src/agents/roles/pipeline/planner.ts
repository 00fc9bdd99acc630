import { latestAttempt } from '../../../core/attempts.ts'
import { defineRole, type Agent, type Role, type RoleContext } from '../../../core/actor.ts'
import { given } from '../../../core/given.ts'
import { validatePlan, type Task } from '../../../core/plan.ts'
import type { Outcome } from '../../../core/result.ts'
import { isStatement } from '../../../language/introduction.ts'
import { isAble, isIdle, type Team } from '../planning/choose.ts'
import { applyPreferences, missingContext } from '../planning/candidates.ts'
import { isCertain } from '../planning/certain.ts'
import { evidenceFor } from '../planning/evidence.ts'
import { heldWords } from '../planning/held-words.ts'
import { joinPlans } from '../planning/join-plans.ts'
import { ownersNamed } from '../planning/named.ts'
import { HEURISTIC_CONFIDENCE, type Understanding } from '../planning/plan-by-rules.ts'
import { rulePlan } from '../planning/rule-plan.ts'
import { retriesFor } from '../planning/retries.ts'
import { mayNeedNobody, teamOf, todayOf } from '../planning/team.ts'
import { readyPlan } from '../planning/ready-plan.ts'
import { about, completedBy, standingIn, understoodBy } from '../planning/understood.ts'
import { refinePlan } from './planner-prompt.ts'

/**
 * Chooses the agents of a pipeline: rules give each part of the question to an agent, the caller's preferences come
 * first, a model may choose otherwise among all who could work (SPEC P3). Asked again, it looks for agents that have not
 * been tried.
 */
export const plannerRole: Role = defineRole({
  name: 'planner',
  limits: { timeoutMs: 180_000 },
  async run(ctx): Promise<Outcome> {
    const ready = await readyPlan(ctx)
    if (ready !== undefined) return ready
    const { agents, state } = ctx
    const byName = new Map(agents.map((agent) => [agent.name, agent]))
    const { preferAgents: preferred, disableAgents: disabled, context, systemPrompt } = ctx.request
    const tried = state.plan?.plan.tasks ?? []
    const standing = await standingIn(ctx)
    const question = state.plan?.understood?.question ?? standing.question
    const { tasks: ruled, carried } =
      tried.length === 0 ? await firstTasks(ctx, question) : { tasks: laterTasks(ctx, question), carried: undefined }
    if (state.plan !== undefined && ruled.length === 0) return { answer: 'There is no other agent to try.' }
    const first = applyPreferences(
      ruled.map(({ agent }) => agent),
      [],
      [],
    )
    const offered = [...first, ...(tried.length === 0 ? othersWhoCould(ctx, first) : [])]
    const needsNoModel = tried.length === 0 && isCertain(question, first, teamOf(ctx.request, agents), ctx.recollection)
    const held = needsNoModel ? undefined : await heldWords(ctx, agents)
    const asking = {
      question: ctx.request.question,
      contextKeys: Object.keys(context),
      preferred,
      disabled,
      candidates: offered.map((name) => ({
        ...describe(byName.get(name)!, context),
        ...given({ holds: held?.get(name)?.slice() }),
      })),
      earlier: tried.map((task) => earlierResult(ctx, task)),
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
    }
    const answered = needsNoModel
      ? { value: byRules(first), by: 'fallback' as const }
      : await ctx.ask(refinePlan, asking, { fallback: () => byRules(first) })
    const { agents: named } = answered.value
    const known = answered.by === 'model' ? keepKnown(named, offered) : []
    // Nobody, or strangers alone: the rules knew somebody.
    const isNobody = answered.by === 'model' && named.length === 0 && mayNeedNobody(ctx)
    const isRuled = known.length === 0 && !isNobody
    const completed = answered.by === 'model' ? completedBy(ctx, answered.value.standalone) : undefined
    const isLost = standing.isFragment === true && completed === undefined && answered.by === 'fallback'
    const again =
      completed === undefined || tried.length > 0 ? { tasks: ruled, carried } : await firstTasks(ctx, completed)
    const { rationale, confidence } = isRuled ? byRules(first) : answered.value
    const isOfRules = isRuled || isSameChoice(known, first)
    const tasks = isLost ? [] : isOfRules ? again.tasks : known.map((agent) => wholeTask(agent))
    const whole = completed ?? question
    const plan = validatePlan(joinPlans(state.plan?.plan, tasks.map(about(whole, ctx.request))), new Set(byName.keys()))
    const understood = understoodBy(ctx, whole, standing, isOfRules ? again.carried : [])
    const by = isRuled ? 'fallback' : answered.by
    const guardrails = guardrailsOf(ctx, by, first, isRuled ? first : known)
    ctx.emit({ type: 'plan.set', plan, by: 'planner', rationale, confidence, guardrails, ...understood })
    return { answer: rationale, confidence }
  },
})

/** The plan of the rules; whoever the caller prefers is asked as well, and first. */
async function firstTasks(
  { request, agents }: RoleContext,
  question: string,
): Promise<Pick<Understanding, 'tasks' | 'carried'>> {
  const team = teamOf(request, agents)
  const { tasks, carried = [] } = await rulePlan(question, team, todayOf(request))
  const missed = team.preferred.filter(
    (name) => agents.some((agent) => agent.name === name) && !tasks.some(({ agent }) => agent === name),
  )
  const enabled = missed.filter((name) => team.agents.some((agent) => agent.name === name))
  const rank = (name: string): number => (team.preferred.includes(name) ? team.preferred.indexOf(name) : Infinity)
  const all = [...enabled.map((name) => wholeTask(name)), ...tasks]
  const isBound = tasks.some(({ dependsOn }) => dependsOn.length > 0)
  return { tasks: isBound ? all : all.sort((a, b) => rank(a.agent) - rank(b.agent)), carried }
}

/** Parts that were declined go to the next agent; a question of which nothing came to everyone who has any claim. */
function laterTasks(ctx: RoleContext, question: string): Task[] {
  const { request, agents, state } = ctx
  if (isStatement(request.question)) return []
  const team = teamOf(request, agents)
  const retries = retriesFor(state, question, team)
  if (retries !== undefined) return retries
  const tried = state.plan!.plan.tasks
  const untried = claimants(question, team).filter((name) => !tried.some((task) => task.agent === name))
  return applyPreferences(untried, request.preferAgents, request.disableAgents)
    .filter((name) => untried.includes(name))
    .map((agent) => wholeTask(agent))
}

/** Who has any claim to a question, the strongest first; who cannot work last, to say what it lacks. */
function claimants(question: string, team: Team): string[] {
  const owners = ownersNamed(question, team)?.agents
  if (owners !== undefined) return owners.filter((agent) => team.agents.includes(agent)).map(({ name }) => name)
  const scores = new Map(team.agents.map((agent) => [agent.name, evidenceFor(agent, question)]))
  const isFree = (agent: Agent): boolean => isAble(agent, team.context)
  return team.agents
    .filter((agent) => (isFree(agent) ? !isIdle(agent, question, team) : scores.get(agent.name)!.strong > 0))
    .filter(
      ({ name, planning = {} }) =>
        scores.get(name)!.matches.length > 0 || planning.isDefault === true || planning.isLastResort === true,
    )
    .sort((a, b) => Number(isFree(b)) - Number(isFree(a)) || scores.get(b.name)!.score - scores.get(a.name)!.score)
    .map((agent) => agent.name)
}

/** All others who could work, for a model to choose among: heuristics order, and do not decide. */
function othersWhoCould({ request, agents }: RoleContext, first: readonly string[]): string[] {
  const team = teamOf(request, agents)
  const isFirstAble = team.agents.some((agent) => first.includes(agent.name) && isAble(agent, team.context))
  // Where the one who would know cannot work, nobody else's guess takes the place of saying so.
  if (!isFirstAble && first.length > 0) return []
  const able = team.agents.filter((agent) => isAble(agent, team.context) && !first.includes(agent.name))
  const claims = claimants(request.question, team)
  const place = (name: string): number => (claims.includes(name) ? claims.indexOf(name) : Infinity)
  return able.map(({ name }) => name).sort((a, b) => place(a) - place(b))
}

function byRules(agents: readonly string[]) {
  return {
    agents: [...agents],
    rationale: `Chosen by keywords of the question: ${agents.join(', ') || 'none fits'}.`,
    confidence: HEURISTIC_CONFIDENCE,
    standalone: '',
  }
}

function isSameChoice(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name, place) => name === others[place])
}

function wholeTask(agent: string): Task {
  return { id: agent.replaceAll(/[^\w-]/g, '_'), agent, dependsOn: [] }
}

function describe(agent: Agent, context: Readonly<Record<string, unknown>>) {
  const { name, description, useCases, typicalLatencyMs } = agent
  return {
    name,
    description,
    useCases: [...useCases],
    missingContext: missingContext(agent, context),
    ...(typicalLatencyMs === undefined ? {} : { typicalLatencyMs }),
  }
}

function earlierResult(ctx: RoleContext, task: Task) {
  const result = latestAttempt(ctx.state, task.id)?.result
  const summary = result?.error?.message ?? result?.answer ?? ''
  return { agent: task.agent, status: result?.status ?? 'skipped', summary }
}

/** A model may drop and reorder, never add. Names are normalised as in requests. */
function keepKnown(named: readonly string[], candidates: readonly string[]): string[] {
  const normalised = named.map((name) => name.trim().toLowerCase())
  return [...new Set(normalised)].filter((name) => candidates.includes(name))
}

/** What limited the choice, for the response and the trace. */
function guardrailsOf(
  ctx: RoleContext,
  by: 'model' | 'fallback',
  candidates: readonly string[],
  chosen: readonly string[],
): Record<string, unknown> {
  const { preferAgents, disableAgents, maxTurns, strategyReason } = ctx.request
  const dropped = candidates.filter((name) => !chosen.includes(name))
  return {
    refinedBy: by,
    ...(strategyReason === undefined ? {} : { strategy: strategyReason }),
    ...(preferAgents.length === 0 ? {} : { preferred: preferAgents }),
    ...(disableAgents.length === 0 ? {} : { disabled: disableAgents }),
    ...(dropped.length === 0 ? {} : { dropped }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
  }
}
