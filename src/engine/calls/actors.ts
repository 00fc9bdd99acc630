import { omitUndefined, isObject } from '../../shared/json.ts'
import { z } from 'zod'
import type { Agent, AgentTask, LeadAgent, Role } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Task } from '../../domain/plan.ts'
import { agentResultsOf } from '../../domain/agent-results.ts'
import type { RunState } from '../../domain/state.ts'
import { instruct, instructionsOf, plannedText } from '../approvals/instructions.ts'
import type { Actor, ActorCall } from './actor-call.ts'
import { roleContext } from './actor-context.ts'
import { field, fieldProblem } from '../../domain/declaration.ts'
import type { Outcome } from '../../domain/result.ts'
import { inputsOf, feedbackOf } from './job-inputs.ts'

export function actorOfRole(role: Role): Actor {
  return {
    name: role.name,
    isRole: true,
    limits: role.limits ?? {},
    run: async (call, ctx) => {
      const mismatch = (of: string): string =>
        `The ${of} of "${call.job.key}" is not what the role "${role.name}" declares`
      const input = checked(role.input, call.job.input, mismatch('input'))
      const feedback = feedbackOf(call)
      const roleInput = { input, inputs: () => inputsOf(call), ...omitUndefined({ feedback }) }
      const outcome = await role.run(roleContext(call, ctx, roleInput))
      if (role.data === undefined || (outcome?.status ?? 'succeeded') !== 'succeeded') return outcome
      return { ...outcome, data: checked(role.data, outcome?.data, mismatch('result')) }
    },
  }
}

/** @throws TuttiError `Internal` */
function checked<T>(schema: z.ZodType<T> | undefined, value: unknown, what: string): T {
  const read = schema?.safeParse(value)
  if (read === undefined) return value as T
  if (read.success) return read.data
  const issues = read.error.issues.map(({ path, message }) => `${path.join('.') || 'all'}: ${message}`)
  throw new TuttiError('Internal', `${what}: ${issues.join('; ')}.`)
}

export function actorOfAgent(agent: Agent): Actor {
  return {
    name: agent.name,
    isRole: false,
    limits: agent.limits ?? {},
    ...omitUndefined({ tools: agent.tools, followsInstructions: agent.followsInstructions }),
    run: async (call, ctx) => {
      // After a restart the first attempt makes the same calls again; later attempts follow the instructions.
      const original = agentTask(call)
      if (instructionsOf(call).length > 0) await instruct(call)
      const task = call.attemptNumber === 1 ? original : agentTask(call)
      if (agent.unavailable !== undefined && agent.worksAnyway?.(task, ctx) !== true) {
        throw new TuttiError('ConfigurationError', agent.unavailable)
      }
      return checkedOutcome(agent.name, await agent.run(task, ctx))
    },
  }
}

/** @param lead it may set the plan and the answer of the run */
export function actorOfLead(lead: LeadAgent): Actor {
  const run: Actor['run'] = (call, ctx) => {
    const door = roleContext(call, ctx, { input: null, inputs: () => inputsOf(call) })
    return lead.run(agentTask(call), door)
  }
  return { ...actorOfAgent({ ...lead, run: async () => ({}) }), run }
}

function agentTask(call: ActorCall): AgentTask {
  const task = call.job.input as Task
  const feedback = feedbackOf(call)
  return {
    id: task.id,
    text: call.taskText ?? plannedText(call),
    entities: task.entities ?? {},
    ...(call.effectiveTask === undefined
      ? {}
      : { instructions: instructionsOf(call).map(({ text }) => text), planned: plannedText(call) }),
    ...omitUndefined({ feedback }),
    isOnly: isOnly(call.host.state),
    ...omitUndefined({ tools: task.tools }),
    inputs: () => inputsOf(call),
  }
}

/** A long plan is not looked through for each of its tasks. */
function isOnly(state: RunState): boolean {
  return (state.plan?.plan.tasks.length ?? 0) <= 1 && agentResultsOf(state).length === 1
}

const outcomeSchema = z.object({
  status: z.enum(['succeeded', 'failed', 'skipped']).optional(),
  answer: z.string().optional(),
  tabular: field.object.optional(),
  error: field.object.optional(),
  confidence: z.number().optional(),
  sources: field.list.optional(),
  remarks: field.texts.optional(),
  unanswered: field.texts.optional(),
  skills: field.texts.optional(),
})

/**
 * The outcome of an agent, which may be plain JavaScript.
 * @throws TuttiError `Internal` for anything but an outcome or nothing
 */
function checkedOutcome(agent: string, outcome: Outcome | undefined): Outcome {
  if (outcome === undefined || outcome === null) return {}
  const problem = isObject(outcome) ? fieldProblem(outcome, outcomeSchema) : 'it must be an object, such as { answer }'
  if (problem === undefined) return outcome
  throw new TuttiError('Internal', `The result of the agent "${agent}" cannot be used: ${problem}.`)
}
