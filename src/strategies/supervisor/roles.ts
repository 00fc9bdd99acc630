import { defineRole, type RoleContext, type Role } from '../../domain/actor.ts'
import { valueOrReference } from '../../domain/artifacts.ts'
import { latestAttempt } from '../../domain/job.ts'
import { cleanSentence } from '../../domain/error-text.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { agentResultsOf } from '../../domain/agent-results.ts'
import { canAskUser } from './next.ts'
import { withoutMarks } from '../../grounding/citations.ts'
import { supervisorType, clarifierType } from './types.ts'
import { runSections } from '../planning/run-sections.ts'
import { citableResults } from '../planning/citable-results.ts'
import { MAX_TASKS, problemIn } from '../planning/read-plan.ts'
import { offerAgents, type OfferedAgents } from '../planning/usable-agents.ts'
import { readRouting, routingStep, type Routed } from './routing.ts'
import { routeAgents, type Routing, type SupervisorInput } from './prompts.ts'
import { unansweredIn } from '../../domain/answer-status.ts'
import { statusText, type Outcome } from '../../domain/result.ts'
import { guardrailsOf, teamPlan } from '../planning/plan-parts.ts'

/**
 * Reads the plan and the results so far, updates the plan and chooses the next agents, or asks the user. If a user
 * changed the plan meanwhile, that plan wins and the supervisor is asked again.
 */
export const supervisorRole = defineRole({
  ...supervisorType,
  limits: { timeoutMs: 180_000 },
  async run(ctx) {
    const { plan, rationale, confidence, guardrails, understood, notPossible: known = [], round } = ctx.state.plan!
    const routed = await decide(ctx)
    const { tasks, route, thought, isLast, question, impossible } = routed
    const isChanged = rationale === '' || JSON.stringify([tasks, impossible]) !== JSON.stringify([plan.tasks, known])
    if (isChanged) {
      const details = omitUndefined({ confidence, guardrails, understood, notPossible: impossible })
      ctx.emit({ type: 'plan.set', plan: { tasks }, by: 'supervisor', rationale: thought, ...details })
    }
    const chosen = route.map(({ agent, id }) => ({ agent, task: id }))
    const data = { route: chosen, planRound: round + (isChanged ? 1 : 0), ...omitUndefined({ isLast, question }) }
    return { answer: thought, data }
  },
})

/** @throws TuttiError `ModelUnavailable` if no model returned a valid decision */
async function decide(ctx: RoleContext): Promise<Routed> {
  const offered = await offerAgents(ctx)
  const canAsk = canAskUser(ctx.state)
  const read = (value: Routing): Routed => readRouting(value, ctx, offered, canAsk)
  const answered = await ctx.ask(routeAgents, inputFor(ctx, offered, canAsk), {
    problemWith: (value) => problemIn(() => read(value)),
  })
  if (answered.by === 'model') return read(answered.value)
  throw new TuttiError('ModelUnavailable', `The model did not return a decision: ${answered.reason}.`)
}

function inputFor(ctx: RoleContext, { text, unusable }: OfferedAgents, canAsk: boolean): SupervisorInput {
  const { state, request, recollection, feedback } = ctx
  const { tasks } = state.plan!.plan
  const citable = citableResults(agentResultsOf(state))
  const results = tasks.flatMap(({ id, agent }) => {
    const result = latestAttempt(state, id)?.result
    if (result === undefined) return []
    return [{ task: id, agent, status: statusText(result), text: citable.textOf(id, result) }]
  })
  const { summary, recent } = recollection
  return {
    session_history: [
      ...(summary === undefined ? [] : [`summary: ${summary.text}`]),
      ...recent.map(({ role, text }) => `${role}: ${withoutMarks(text)}`),
    ],
    current_plan: tasks.map((task) => {
      const { status = 'open', result } = latestAttempt(state, task.id) ?? {}
      return { ...routingStep(task), status: statusText({ ...result, status }) }
    }),
    state_context: {
      blackboard: [...state.shared.values()].map(({ name, by, value }) => {
        return { name, by, value: valueOrReference(`shared:${name}`, value) }
      }),
      messages: ctx.messages().map(({ from, kind, content }) => ({ from, kind, content })),
      preferred: request.preferAgents,
      can_ask_user: canAsk,
    },
    results,
    agents: text,
    unusable: [...unusable],
    about: runSections(ctx),
    maxTasks: MAX_TASKS,
    ...omitUndefined({ problem: feedback?.text, systemPrompt: request.systemPrompt }),
  }
}

/**
 * Asks the user the supervisor's question, or how to continue when it is stuck. The answer is the user's own words, and
 * becomes part of the question.
 */
export const clarifierRole = defineRole({
  ...clarifierType,
  async run(ctx) {
    const { input } = ctx
    const question = 'question' in input ? input.question : `${input.why}${openParts(ctx)} How should it go on?`
    const answer = await ctx.question(question)
    return { answer, data: { question, answer } }
  },
})

function openParts({ state, request }: RoleContext): string {
  const parts = unansweredIn(state).map(({ task, error }) => {
    const reason = error === undefined ? '' : ` (${cleanSentence(error)})`
    return `“${task.text ?? request.question}”${reason}`
  })
  return parts.length === 0 ? '' : ` Still open: ${[...new Set(parts)].join('; ')}.`
}

/** Begins with the steps of a team, or with an empty plan that the supervisor fills. */
export const preprocessRole: Role = defineRole({
  name: 'preprocess',
  async run(ctx): Promise<Outcome> {
    const ready = teamPlan(ctx)
    if (ready !== undefined) return ready
    ctx.emit({
      type: 'plan.set',
      plan: { tasks: [] },
      by: 'planner',
      rationale: '',
      guardrails: guardrailsOf(ctx, 'model'),
    })
    return {}
  },
})
