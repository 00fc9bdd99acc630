import type { Agent, RoleContext } from '../../../core/actor.ts'
import { validatePlan, type Task } from '../../../core/plan.ts'
import type { Outcome } from '../../../core/result.ts'
import { isStatement } from '../../../language/introduction.ts'
import { guardrailsOf } from '../guardrails.ts'
import { applyPreferences, wholeTask } from '../planning/candidates.ts'
import { isAble, isIdle, type Team } from '../planning/choose.ts'
import { evidenceFor } from '../planning/evidence.ts'
import { joinPlans } from '../planning/join-plans.ts'
import { ownersNamed } from '../planning/named.ts'
import { HEURISTIC_CONFIDENCE, type Understanding } from '../planning/plan-by-rules.ts'
import { verifiedPlan } from '../planning/ready-plan.ts'
import { retriesFor } from '../planning/retries.ts'
import { rulePlan } from '../planning/rule-plan.ts'
import { teamOf, todayOf } from '../planning/team.ts'
import { about, standingIn, understoodBy } from '../planning/understood.ts'

/**
 * Chooses the agents of a pipeline without a model: rules give each part of the question to an agent, the caller's preferences
 * come first. Asked again, they look for agents that have not been tried.
 */
export async function planPipelineByRules(ctx: RoleContext): Promise<Outcome> {
  const verified = await verifiedPlan(ctx)
  if (verified !== undefined) return verified
  const { agents, state, request } = ctx
  const isFirst = state.plan === undefined
  const standing = await standingIn(ctx)
  const question = state.plan?.understood?.question ?? standing.question
  const { tasks, carried }: Pick<Understanding, 'tasks' | 'carried'> = isFirst
    ? await firstTasks(ctx, question)
    : { tasks: laterTasks(ctx, question) }
  if (!isFirst && tasks.length === 0) return { answer: 'There is no other agent to try.' }
  const chosen = [...new Set(tasks.map(({ agent }) => agent))]
  const rationale = `Chosen by keywords of the question: ${chosen.join(', ') || 'none fits'}.`
  const planned = standing.isFragment === true ? [] : tasks.map(about(question, request))
  ctx.emit({
    type: 'plan.set',
    plan: validatePlan(joinPlans(state.plan?.plan, planned), new Set(agents.map(({ name }) => name))),
    by: 'planner',
    rationale,
    confidence: HEURISTIC_CONFIDENCE,
    guardrails: guardrailsOf(ctx, 'fallback'),
    ...understoodBy(ctx, question, standing, carried),
  })
  return { answer: rationale, confidence: HEURISTIC_CONFIDENCE }
}

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
