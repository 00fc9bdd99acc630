import { dataOf, defineRole, type RoleContext } from '../../../core/actor.ts'
import { latestAttempt } from '../../../core/attempts.ts'
import { toTuttiError } from '../../../core/errors.ts'
import { given } from '../../../core/given.ts'
import { shownValue } from '../../../core/artifact-values.ts'
import { roundsOf } from '../../../strategies/steps.ts'
import { clarifierType, supervisorType } from '../../../strategies/supervisor/types.ts'
import { contextLines } from '../../context-lines.ts'
import { declarationsOf } from '../graph/master-planner.ts'
import type { Team } from '../planning/choose.ts'
import { MAX_TASKS } from '../planning/read-plan.ts'
import { teamOf } from '../planning/team.ts'
import { asRouting, readRouting, routedByRules, stepOf, type Routed } from './routing.ts'
import { routeAgents, type SupervisorInput } from './supervisor-prompt.ts'

/** A first decision and, when it cannot be carried out, one more with the error told. */
const MAX_ASKS = 2

/**
 * Looks at the plan and at what was found so far, brings the plan up to date and chooses who is next (SPEC W2, W3). Without
 * a model rules choose. Where a person changed the plan meanwhile, that plan stands, and it is asked anew.
 */
export const supervisorRole = defineRole({
  ...supervisorType,
  limits: { timeoutMs: 180_000 },
  async run(ctx) {
    const { plan, confidence, guardrails, understood, round } = ctx.state.plan!
    const { tasks, route, thought } = await decide(ctx)
    const isChanged = JSON.stringify(tasks) !== JSON.stringify(plan.tasks)
    if (isChanged) {
      const about = given({ confidence, guardrails, understood })
      ctx.emit({ type: 'plan.set', plan: { tasks }, by: 'supervisor', rationale: thought, ...about })
    }
    const chosen = route.map(({ agent, id }) => ({ agent, task: id }))
    return { answer: thought, data: { route: chosen, planRound: round + (isChanged ? 1 : 0) } }
  },
})

async function decide(ctx: RoleContext): Promise<Routed> {
  const { request, agents, state } = ctx
  const team = teamOf(request, agents)
  const question = state.plan!.understood?.question ?? request.question
  let problem = ctx.feedback?.text
  for (let asked = 0; asked < MAX_ASKS; asked++) {
    const ruled = await routedByRules(ctx, team, question)
    const input = await inputFor(ctx, team, question, problem)
    const { value, by } = await ctx.ask(routeAgents, input, { fallback: () => asRouting(ruled) })
    if (by === 'fallback') return ruled
    try {
      return readRouting(value, ctx, team, question)
    } catch (thrown) {
      problem = toTuttiError(thrown).message
      ctx.note('ERROR', `The decision of the model cannot be carried out: ${problem}`, { decision: value })
    }
  }
  return routedByRules(ctx, team, question)
}

async function inputFor(
  ctx: RoleContext,
  { agents, preferred, context }: Team,
  question: string,
  problem: string | undefined,
): Promise<SupervisorInput> {
  const { state, request, recollection } = ctx
  const { tasks } = state.plan!.plan
  const ends = tasks.flatMap((task) => {
    const job = latestAttempt(state, task.id)
    return job?.result === undefined ? [] : [{ task, job, result: job.result }]
  })
  const answers = roundsOf(state, clarifierType.name).flatMap((job) => dataOf(clarifierType, job) ?? [])
  const { summary, recent } = recollection
  return {
    user_request: [question, ...answers.map(({ answer }) => `Answered: ${answer}`)],
    session_history: [
      ...(summary === undefined ? [] : [`summary: ${summary.text}`]),
      ...recent.map(({ role, text }) => `${role}: ${text}`),
    ],
    current_plan: tasks.map((task) => ({ ...stepOf(task), status: latestAttempt(state, task.id)?.status ?? 'open' })),
    state_context: {
      context: contextLines(context),
      // A question holds the words of tasks, which are a model's; what the person said to it is theirs.
      asked: answers.map(({ question: asked }) => asked),
      results: ends.map(({ task, job, result }) => ({
        task: task.id,
        agent: task.agent,
        status: result.status,
        result:
          result.error?.message ?? shownValue(`result:${job.key}`, result.answer ?? result.tabular ?? result.data),
      })),
      blackboard: [...state.shared.values()].map(({ name, by, value }) => ({
        name,
        by,
        value: shownValue(`shared:${name}`, value),
      })),
      artifacts: ctx.artifacts.values().map(({ ref }) => ref),
      messages: ctx.messages().map(({ from, kind, content }) => ({ from, kind, content })),
      preferred: [...preferred],
      disabled: [...request.disableAgents],
    },
    agents: await declarationsOf(ctx, agents, context),
    maxTasks: MAX_TASKS,
    ...given({ problem, systemPrompt: request.systemPrompt }),
  }
}
