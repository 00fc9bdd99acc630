import { latestAttempt } from '../../../core/attempts.ts'
import { defineRole, type Agent, type Role, type RoleContext } from '../../../core/actor.ts'
import { validatePlan, type Plan, type Task } from '../../../core/plan.ts'
import type { Outcome } from '../../../core/result.ts'
import { isAble, isIdle, type Team } from '../planning/choose.ts'
import { shareQuestion } from '../planning/share-question.ts'
import { applyPreferences, heuristicCandidates, missingContext } from '../planning/candidates.ts'
import { isCertain } from '../planning/certain.ts'
import { evidenceFor } from '../planning/evidence.ts'
import { withoutIntroduction } from '../planning/introduction.ts'
import { planByRules } from '../planning/plan-by-rules.ts'
import { refinePlan } from './planner-prompt.ts'

/**
 * Chooses the agents of a pipeline in three stages: keyword scores, the caller's preferences, a model (SPEC P3). Asked
 * again, it looks for agents that have not been tried.
 */
export const plannerRole: Role = defineRole({
  name: 'planner',
  limits: { timeoutMs: 180_000 },
  async run(ctx): Promise<Outcome> {
    const { agents } = ctx
    const byName = new Map(agents.map((agent) => [agent.name, agent]))
    const { question, preferAgents: preferred, disableAgents: disabled, context, systemPrompt } = ctx.request
    const tried = ctx.state.plan?.plan.tasks ?? []
    const candidates = candidatesFor(ctx, agents, tried)
    if (ctx.state.plan !== undefined && candidates.length === 0) return { answer: 'There is no other agent to try.' }
    const asking = {
      question,
      contextKeys: Object.keys(context),
      preferred,
      disabled,
      candidates: candidates.map((name) => describe(byName.get(name)!, context)),
      earlier: tried.map((task) => earlierResult(ctx, task)),
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
    }
    const enabled = agents.filter(({ name }) => !disabled.includes(name))
    const isFirst = ctx.state.plan === undefined
    const needsNoModel =
      isFirst && isCertain(question, candidates, { agents: enabled, preferred, context }, ctx.recollection)
    const answered = needsNoModel
      ? { value: await refinePlan.fallback(asking), by: 'fallback' as const }
      : await ctx.ask(refinePlan, asking)
    const { rationale, confidence } = answered.value
    const chosen = keepKnown(answered.value.agents, candidates)
    const asked = answered.by === 'fallback' ? withoutIntroduction(question) : question
    const split = answered.by === 'fallback' ? splitByRules(asked, chosen, byName) : undefined
    const text = asked === question ? undefined : asked
    const plan = validatePlan(split ?? addTasks(tried, chosen, text), new Set(byName.keys()))
    const guardrails = guardrailsOf(ctx, answered.by, candidates, chosen)
    ctx.emit({ type: 'plan.set', plan, by: 'planner', rationale, confidence, guardrails })
    return { answer: rationale, confidence }
  },
})

function candidatesFor(ctx: RoleContext, agents: readonly Agent[], tried: readonly Task[]): string[] {
  const { question, preferAgents, disableAgents, context } = ctx.request
  // The first plan led nowhere: every agent that has any claim gets its chance.
  const isFirst = ctx.state.plan === undefined
  const choose = isFirst ? heuristicCandidates : scoringAgents
  const among = (some: readonly Agent[]): string[] =>
    untried(tried, applyPreferences(choose(question, some), preferAgents, disableAgents))
  const enabled = agents.filter(({ name }) => !disableAgents.includes(name))
  const team = { agents: enabled, preferred: preferAgents, context }
  const lacking = isFirst && preferAgents.length === 0 ? lackingFor(question, team) : []
  if (lacking.length > 0) return lacking
  const ready = enabled.filter((agent) => isAble(agent, context) && !isIdle(agent, question, team))
  const claims = among(ready)
  // The second time nobody is tried who cannot work.
  if (claims.length > 0 || !isFirst) return claims
  const isMissed = scoring(question, agents).some((name) => !ready.some((agent) => agent.name === name))
  const hasNamedSources = (ctx.request.attached ?? []).length > 0
  // Where the default agent cannot work, a question without a keyword goes to the last resort, such as documents.
  const standIn =
    isMissed && !hasNamedSources
      ? []
      : among(
          ready.map((agent) => ({
            ...agent,
            planning: { ...agent.planning, isDefault: agent.planning?.isLastResort === true },
          })),
        )
  // Better one that says what it lacks than nobody.
  return standIn.length > 0 ? standIn : among(agents)
}

/**
 * Agents that cannot work, where the question is for nobody else: they say what they lack, which is better than an answer of
 * somebody who knows nothing of it. The graph's rules decide, so that both strategies ask the same.
 */
function lackingFor(question: string, team: Team): string[] {
  const names = new Set(planByRules(question, team, undefined).tasks.map(({ agent }) => agent))
  const asked = team.agents.filter(({ name }) => names.has(name))
  return asked.some((agent) => isAble(agent, team.context)) ? [] : asked.map(({ name }) => name)
}

function scoring(question: string, agents: readonly Agent[]): string[] {
  return agents.flatMap((agent) => (evidenceFor(agent, question).matches.length > 0 ? [agent.name] : []))
}

function scoringAgents(question: string, agents: readonly Agent[]): string[] {
  const scores = new Map(agents.map((agent) => [agent.name, evidenceFor(agent, question)]))
  const claims = agents.filter(
    ({ name, planning = {}, unavailable }) =>
      scores.get(name)!.matches.length > 0 ||
      planning.isDefault === true ||
      (planning.isLastResort === true && unavailable === undefined),
  )
  return claims.sort((a, b) => scores.get(b.name)!.score - scores.get(a.name)!.score).map((agent) => agent.name)
}

function untried(tried: readonly Task[], candidates: readonly string[]): string[] {
  return candidates.filter((name) => !tried.some((task) => task.agent === name))
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

/** `text` in place of the question, where the agents are not to hear all of it. */
function addTasks(tried: readonly Task[], chosen: readonly string[], text: string | undefined): Plan {
  const worded = text === undefined ? {} : { text }
  return { tasks: [...tried, ...chosen.map((agent) => ({ id: agent, agent, dependsOn: [], ...worded }))] }
}

/** Each agent its part of a question of two parts, where a model would have understood the whole. */
function splitByRules(
  question: string,
  chosen: readonly string[],
  agents: ReadonlyMap<string, Agent>,
): Plan | undefined {
  const split = shareQuestion(question)
  const workers = chosen.filter((name) => agents.get(name)!.planning?.worksOnResults === true)
  const [first, second = first] = chosen.filter((name) => !workers.includes(name))
  if (split === undefined || first === undefined || second === undefined || workers.length === 0) return undefined
  const task = (agent: string, id: string, text?: string): Task => {
    return { id, agent, dependsOn: [], ...(text === undefined ? {} : { text }) }
  }
  return {
    tasks: [
      task(first, first, split.part),
      task(second, first === second ? `${second}-all` : second, split.whole),
      ...workers.map((name) => task(name, name)),
    ],
  }
}

/** What limited the choice, for the response and the trace. */
function guardrailsOf(
  ctx: RoleContext,
  by: 'model' | 'fallback',
  candidates: readonly string[],
  chosen: readonly string[],
): Record<string, unknown> {
  const { preferAgents, disableAgents, maxTurns } = ctx.request
  const dropped = candidates.filter((name) => !chosen.includes(name))
  return {
    refinedBy: by,
    ...(preferAgents.length === 0 ? {} : { preferred: preferAgents }),
    ...(disableAgents.length === 0 ? {} : { disabled: disableAgents }),
    ...(dropped.length === 0 ? {} : { dropped }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
  }
}
