import { z } from 'zod'
import type { Agent, LeadContext, TaskInput } from '../../domain/actor.ts'
import { validatePlan, type Task } from '../../domain/plan.ts'
import type { CallAnswer } from '../../domain/transcript.ts'
import type { ToolCallPart } from '../../domain/turn.ts'
import { toTuttiError } from '../../domain/errors.ts'
import { ASSISTANT, OTHER_STRATEGIES, type AssistantData } from '../../strategies/direct/types.ts'
import { delegatedResult } from '../../tool-loop/delegation.ts'
import type { EndingCall } from '../../tool-loop/loop.ts'
import { callsMadeSection } from '../../tool-loop/messages.ts'
import { DELEGATE } from './tools.ts'

const MAX_DELEGATIONS = 3
/** Maximum number of turns in which the assistant may delegate. */
const MAX_ASKED = 12

const delegateInput = z.object({
  tasks: z
    .array(
      z.object({ id: z.string(), agent: z.string(), task: z.string(), depends_on: z.array(z.string()).default([]) }),
    )
    .optional(),
  strategy: z.enum(OTHER_STRATEGIES).optional(),
})

/** Agents by the names of the tools that ask them. */
export type AskedAgents = ReadonlyMap<string, Agent>

/** The problem of a delegating call; undefined if it can be carried out. */
export function problemWithDelegation(ctx: LeadContext, asked: AskedAgents, call: ToolCallPart): string | undefined {
  const isAsking = asked.has(call.name)
  if (!isAsking && call.name !== DELEGATE) return undefined
  const max = isAsking ? MAX_ASKED : MAX_DELEGATIONS
  if (delegationsOf(ctx) >= max) return `Not executed: work was handed on ${max} times. Answer now.`
  if (isAsking) return typeof call.input['task'] === 'string' ? undefined : 'task: a text is needed.'
  const { data, error } = delegateInput.safeParse(call.input)
  if (data === undefined) {
    return error!.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`).join('; ')
  }
  if (data.strategy !== undefined) {
    return ctx.state.plan === undefined ? undefined : 'strategy: tasks were delegated already. Answer now.'
  }
  if (data.tasks === undefined || data.tasks.length === 0) return 'tasks: name at least one task, or a strategy.'
  try {
    const known = new Set([...ctx.agents.map(({ name }) => name), ASSISTANT])
    validatePlan({ tasks: [...planned(ctx), ...data.tasks.map((task) => taskOf(ctx, task))] }, known)
    return undefined
  } catch (thrown) {
    return toTuttiError(thrown).message
  }
}

function delegationsOf({ state }: LeadContext): number {
  return [...state.jobs.values()].filter(({ actor, result }) => actor === ASSISTANT && result !== undefined).length
}

/** Tasks of the plan so far; the assistant's own job is the first of them. */
function planned({ state }: LeadContext): readonly Task[] {
  const own: Task = { id: ASSISTANT, agent: ASSISTANT, text: state.request.question, dependsOn: [] }
  return state.plan?.plan.tasks ?? [own]
}

type WrittenTask = NonNullable<z.infer<typeof delegateInput>['tasks']>[number]

/** Ids are unique in the run: a later delegation may use the same names again. */
function taskOf(ctx: LeadContext, { id, agent, task, depends_on }: WrittenTask): Task {
  const round = delegationsOf(ctx) + 1
  const known = new Set(planned(ctx).map((one) => one.id))
  const renamed = (name: string): string => (name === ASSISTANT || round === 1 ? name : `${name}_${round}`)
  const dependsOn = depends_on.map((name) => (known.has(renamed(name)) || !known.has(name) ? renamed(name) : name))
  return { id: renamed(id), agent, text: task, dependsOn }
}

/**
 * Carries out the delegating calls of the last turn: sets the plan, or names the strategy that takes over the question.
 * Undefined if no call delegates.
 */
export function delegated(
  ctx: LeadContext,
  endings: readonly EndingCall[],
  asked: AskedAgents,
): AssistantData | undefined {
  const tasks: Task[] = []
  const calls: NonNullable<AssistantData['delegated']> = []
  const add = (index: number, own: readonly Task[]): void => {
    tasks.push(...own)
    calls.push({ index, tasks: own.map(({ id }) => id) })
  }
  for (const { name, input, position } of endings) {
    const { index } = position
    const agent = asked.get(name)
    if (agent !== undefined) {
      const id = `${agent.name}_${index}`.replace(/[^\w-]/g, '_')
      add(index, [taskOf(ctx, { id, agent: agent.name, task: String(input['task']), depends_on: [] })])
    } else if (name === DELEGATE) {
      const { strategy, tasks: written = [] } = delegateInput.parse(input)
      if (strategy !== undefined) return { strategy }
      add(
        index,
        written.map((task) => taskOf(ctx, task)),
      )
    }
  }
  if (calls.length === 0) return undefined
  const plan = { tasks: [...planned(ctx), ...tasks] }
  ctx.emit({ type: 'plan.set', plan, by: 'planner', rationale: 'The assistant delegated tasks.' })
  return { delegated: calls }
}

/** Results for the calls of the earlier job that delegated, by index of the call. */
export function answersFor(
  ctx: LeadContext,
  { delegated: calls = [] }: AssistantData,
  inputs: readonly TaskInput[],
): readonly (readonly [index: number, answer: CallAnswer])[] {
  return calls.map(({ index, tasks }) => {
    const own = inputs.filter(({ key }) => tasks.some((id) => key === id || key.startsWith(`${id}~`)))
    const answer = delegatedResult(own) ?? { text: 'No task was run.' }
    return [index, { ...answer, text: `${answer.text}\n\n${callsMadeSection(ctx.actions)}` }] as const
  })
}
