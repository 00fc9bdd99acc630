import { defineRole, type Role, type RoleContext } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { validatePlan, type Task } from '../../domain/plan.ts'
import { plannerType, RESEARCHER, type Instruction, type PlanSteps } from './types.ts'
import { MAX_TASKS, problemIn } from '../planning/read-plan.ts'
import { guardrailsOf } from '../planning/plan-parts.ts'
import { agentNamed, offerAgents } from '../planning/usable-agents.ts'
import { noReplyError, reply, receiveInstruction } from './actors.ts'
import { reviewPlan } from './prompts.ts'

const MODEL_CONFIDENCE = 0.8

/**
 * Plans a review: its research steps are the tasks of the plan. An invalid plan is an error, which the model gets as
 * feedback.
 */
export const reviewPlannerRole: Role<Instruction, PlanSteps> = defineRole({
  ...plannerType,
  limits: { timeoutMs: 180_000 },
  async run(ctx) {
    const instruction = receiveInstruction(ctx)
    const steps = await plan(ctx, instruction)
    reply(ctx, `Planned ${steps.researchSteps.length} research steps and ${steps.expertSteps.length} expert steps.`)
    return { data: steps }
  },
})

async function plan(ctx: RoleContext<Instruction>, asked: ReturnType<typeof receiveInstruction>): Promise<PlanSteps> {
  const { request, state } = ctx
  const offered = await offerAgents(ctx)
  const input = { ...asked, agents: offered.text, maxSteps: MAX_TASKS }
  const { value, by, reason } = await ctx.ask(reviewPlan, input, {
    problemWith: ({ research_steps: steps }) => problemIn(() => tasksOf(steps, offered.agents)),
  })
  if (by === 'fallback') throw noReplyError('a plan', reason)
  const tasks = tasksOf(value.research_steps, offered.agents)
  const plan = validatePlan({ tasks }, new Set([RESEARCHER, ...ctx.agents.map(({ name }) => name)]))
  const expertSteps = value.expert_steps
  // A user's change of the plan wins.
  if (state.plan?.by !== 'user') {
    ctx.emit({
      type: 'plan.set',
      plan,
      by: 'planner',
      rationale: expertSteps.join(' '),
      confidence: MODEL_CONFIDENCE,
      guardrails: guardrailsOf(ctx, 'model'),
      ...omitUndefined({ notPossible: value.not_possible ?? undefined }),
    })
  }
  return { researchSteps: plan.tasks.map(({ text }) => text ?? request.question), expertSteps }
}

/** Each step is given the results of all before it. @throws TuttiError `InvalidPlan`, `UnknownAgent` */
function tasksOf(
  steps: readonly { readonly agent?: string | null | undefined; readonly step: string }[],
  agents: Parameters<typeof agentNamed>[1],
): Task[] {
  if (steps.length > MAX_TASKS) {
    const message = `The plan has ${steps.length} research steps; at most ${MAX_TASKS} are allowed.`
    throw new TuttiError('InvalidPlan', message)
  }
  const ids = steps.map((_step, i) => `research-${i + 1}`)
  return steps.map(({ agent, step }, i) => {
    return { id: ids[i]!, agent: actorOf(agent?.trim() ?? '', agents), text: step.trim(), dependsOn: ids.slice(0, i) }
  })
}

function actorOf(name: string, agents: Parameters<typeof agentNamed>[1]): string {
  if (name === '' || name.toLowerCase() === RESEARCHER) return RESEARCHER
  const agent = agentNamed(name, agents)
  if (agent !== undefined) return agent.name
  const names = agents.map((one) => one.name).join(', ')
  const message = `Unknown agent "${name}". There are: ${names || 'none'}; null is the researcher.`
  throw new TuttiError('UnknownAgent', message)
}
