import { dataOf, defineRole, type RoleContext } from '../../../core/actor.ts'
import { shownValue } from '../../../core/artifact-values.ts'
import { latestAttempt } from '../../../core/attempts.ts'
import { toTuttiError, TuttiError } from '../../../core/errors.ts'
import { given } from '../../../core/given.ts'
import { roundsOf } from '../../../strategies/steps.ts'
import { canAskUser } from '../../../strategies/supervisor/supervisor.ts'
import { clarifierType, supervisorType } from '../../../strategies/supervisor/types.ts'
import { resultText } from '../../../tool-loop/messages.ts'
import { contextLines } from '../../context-lines.ts'
import { MAX_TASKS } from '../graph/read-plan.ts'
import { hasModel } from '../has-model.ts'
import { routeByRules } from '../offline/supervisor-plan.ts'
import { offerAgents, type OfferedAgents } from '../usable-agents.ts'
import { readRouting, stepOf, type Routed } from './routing.ts'
import { routeAgents, type SupervisorInput } from './supervisor-prompt.ts'

/** A first decision and, when it cannot be carried out, one more with the error told. */
const MAX_ASKS = 2

/**
 * Looks at the plan and at the results so far, brings the plan up to date and chooses who is next, or asks the user (SPEC W2, W3).
 * Without a model rules choose. Where a person changed the plan meanwhile, that plan stands, and it is asked anew.
 */
export const supervisorRole = defineRole({
  ...supervisorType,
  limits: { timeoutMs: 180_000 },
  async run(ctx) {
    const { plan, confidence, guardrails, understood, round } = ctx.state.plan!
    const routed = (await hasModel(ctx)) ? await decide(ctx) : await routeByRules(ctx)
    const { tasks, route, thought, isLast, question } = routed
    const isChanged = JSON.stringify(tasks) !== JSON.stringify(plan.tasks)
    if (isChanged) {
      const about = given({ confidence, guardrails, understood })
      ctx.emit({ type: 'plan.set', plan: { tasks }, by: 'supervisor', rationale: thought, ...about })
    }
    const chosen = route.map(({ agent, id }) => ({ agent, task: id }))
    const data = { route: chosen, planRound: round + (isChanged ? 1 : 0), ...given({ isLast, question }) }
    return { answer: thought, data }
  },
})

/** @throws TuttiError `ModelUnavailable`, `ModelOutputInvalid` where no decision can be carried out */
async function decide(ctx: RoleContext): Promise<Routed> {
  const offered = await offerAgents(ctx)
  const canAsk = canAskUser(ctx.state)
  let problem = ctx.feedback?.text
  for (let asked = 0; asked < MAX_ASKS; asked++) {
    const { value, by, reason } = await ctx.ask(routeAgents, inputFor(ctx, offered, canAsk, problem))
    if (by === 'fallback') {
      throw new TuttiError(
        'ModelUnavailable',
        `The model did not return a decision: ${reason ?? 'no reason is known'}.`,
      )
    }
    try {
      return readRouting(value, ctx, offered, canAsk)
    } catch (thrown) {
      problem = toTuttiError(thrown).message
      ctx.note('ERROR', `The decision of the model cannot be carried out: ${problem}`, { decision: value })
    }
  }
  throw new TuttiError('ModelOutputInvalid', `The decision of the model cannot be carried out: ${problem}`)
}

function inputFor(
  ctx: RoleContext,
  { text, unusable }: OfferedAgents,
  canAsk: boolean,
  problem: string | undefined,
): SupervisorInput {
  const { state, request, recollection } = ctx
  const { tasks } = state.plan!.plan
  const results = tasks.flatMap(({ id, agent }) => {
    const result = latestAttempt(state, id)?.result
    if (result === undefined) return []
    const open = (result.unanswered ?? []).map((part) => `Not done: ${part}`)
    const status = result.status === 'succeeded' && open.length > 0 ? 'partly done' : result.status
    return [{ task: id, agent, status, text: [resultText(result), ...open].join('\n') }]
  })
  const answers = roundsOf(state, clarifierType.name).flatMap((job) => dataOf(clarifierType, job) ?? [])
  const { summary, recent } = recollection
  return {
    user_request: [request.question, ...answers.map(({ answer }) => `Answered: ${answer}`)],
    session_history: [
      ...(summary === undefined ? [] : [`summary: ${summary.text}`]),
      ...recent.map((message) => `${message.role}: ${message.text}`),
    ],
    current_plan: tasks.map((task) => ({ ...stepOf(task), status: latestAttempt(state, task.id)?.status ?? 'open' })),
    state_context: {
      context: contextLines(request.context),
      // A question holds the words of tasks, which are a model's; what the user said to it is theirs.
      asked: answers.map(({ question }) => question),
      blackboard: [...state.shared.values()].map(({ name, by, value }) => {
        return { name, by, value: shownValue(`shared:${name}`, value) }
      }),
      messages: ctx.messages().map(({ from, kind, content }) => ({ from, kind, content })),
      preferred: request.preferAgents,
      can_ask_user: canAsk,
    },
    results,
    agents: text,
    unusable: [...unusable],
    maxTasks: MAX_TASKS,
    ...given({ problem, systemPrompt: request.systemPrompt }),
  }
}
