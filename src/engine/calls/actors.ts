import type { z } from 'zod'
import type { Agent, AgentTask, Role, TaskFeedback, TaskInput } from '../../core/actor.ts'
import { inputJobs } from '../../core/attempts.ts'
import { TuttiError } from '../../core/errors.ts'
import type { Task } from '../../core/plan.ts'
import { agentResultsOf } from '../../core/response.ts'
import type { JobState, RunState } from '../../core/state.ts'
import { factsOf } from '../../language/facts.ts'
import { instruct, instructionsOf, plannedText } from '../approvals/instructions.ts'
import type { Actor, ActorCall } from './actor-call.ts'
import { roleContext } from './actor-context.ts'

export function actorOfRole(role: Role): Actor {
  return {
    name: role.name,
    isRole: true,
    limits: role.limits ?? {},
    run: async (call, ctx) => {
      const what = (of: string): string => `The ${of} of "${call.job.key}" is not what the role "${role.name}" declares`
      const input = checked(role.input, call.job.input, what('input'))
      const feedback = feedbackOf(call)
      const seen = { input, inputs: () => inputsOf(call), ...(feedback === undefined ? {} : { feedback }) }
      const outcome = await role.run(roleContext(call, ctx, seen))
      if (role.data === undefined || (outcome?.status ?? 'succeeded') !== 'succeeded') return outcome
      return { ...outcome, data: checked(role.data, outcome?.data, what('result')) }
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
    ...(agent.tools === undefined ? {} : { tools: agent.tools }),
    ...(agent.addresses === undefined ? {} : { addresses: agent.addresses }),
    run: async (call, ctx) => {
      if (instructionsOf(call).length > 0) await instruct(call)
      const task = agentTask(call)
      if (agent.unavailable !== undefined && agent.worksAnyway?.(task, ctx) !== true) {
        throw new TuttiError('ConfigurationError', agent.unavailable)
      }
      return agent.run(task, ctx)
    },
  }
}

function agentTask(call: ActorCall): AgentTask {
  const task = call.job.input as Task
  const feedback = feedbackOf(call)
  return {
    id: task.id,
    text: call.taskText ?? plannedText(call),
    entities: task.entities ?? {},
    facts: factsOf(task.entities ?? {}),
    ...(call.effectiveTask === undefined ? {} : { instructions: instructionsOf(call).map(({ text }) => text) }),
    ...(feedback === undefined ? {} : { feedback }),
    isOnly: isOnly(call.host.state),
    ...(task.tools === undefined ? {} : { tools: task.tools }),
    inputs: () => inputsOf(call),
  }
}

/** A long plan is not looked through for each of its tasks. */
function isOnly(state: RunState): boolean {
  return state.plan?.plan.tasks.length === 1 && agentResultsOf(state).length === 1
}

function inputsOf(call: ActorCall): TaskInput[] {
  return inputJobs(call.job, call.host.state).flatMap((job) => inputOf(call, job))
}

function feedbackOf(call: ActorCall): TaskFeedback | undefined {
  const { feedback, replaces } = call.job
  if (feedback === undefined) return undefined
  const { by, text } = feedback
  const before = replaces === undefined ? undefined : call.host.state.jobs.get(replaces)
  const [attempt] = before === undefined ? [] : inputOf(call, before)
  return { by, text, ...(attempt === undefined ? {} : { attempt }) }
}

function inputOf(call: ActorCall, { key, actor, result }: JobState): TaskInput[] {
  if (result === undefined) return []
  call.hasSeen(result.provenance)
  const label = call.host.agents.find(({ name }) => name === actor)?.label
  return [{ key, actor, ...(label === undefined ? {} : { label }), result }]
}
