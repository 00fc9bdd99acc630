import type { RoleContext } from '../../../core/actor.ts'
import { latestAttempt, plannedAttempt } from '../../../core/attempts.ts'
import { isOfApproval, TuttiError } from '../../../core/errors.ts'
import { given } from '../../../core/given.ts'
import type { Task } from '../../../core/plan.ts'
import { readTasks } from '../graph/read-plan.ts'
import { agentNamed, type OfferedAgents } from '../usable-agents.ts'
import type { Routing } from './supervisor-prompt.ts'

/** A decision: the plan from now on, and which of its tasks are next. */
export interface Routed {
  readonly tasks: readonly Task[]
  readonly route: readonly Task[]
  readonly thought: string
  /** Nothing is left to plan once these tasks have succeeded. */
  readonly isLast?: boolean
  /** What the user is to be asked first. */
  readonly question?: string
}

/** A task as the supervisor's model sees it, and gives it back. */
export function stepOf({ id, agent, text = '', dependsOn }: Task): Routing['plan'][number] {
  return { id, agent, task: text, depends_on: [...dependsOn] }
}

/**
 * What a model decided, in the form that runs. Only its structure is checked. Steps that were begun stay as they are; those that
 * failed may be left out, but for what a person refused.
 * @param canAsk whether a question to the user is possible
 * @throws TuttiError `UnknownAgent` or `InvalidPlan`, fit to be shown to the model
 */
export function readRouting(decided: Routing, ctx: RoleContext, { agents }: OfferedAgents, canAsk: boolean): Routed {
  const { plan, selected_agents: selected, thought_process, question_to_user, is_final } = decided
  const { state, request } = ctx
  const question = question_to_user?.trim() || undefined
  if (question !== undefined && !canAsk) {
    throw new TuttiError('InvalidPlan', 'The user cannot be asked. Choose agents, or nobody to end the work.')
  }
  const before = state.plan!.plan.tasks
  const begun = new Map(
    before.filter(({ id }) => plannedAttempt(state, id) !== undefined).map((task) => [task.id, task]),
  )
  const named = new Set(plan.map(({ id }) => id.trim()))
  const awaited = new Set([...begun.values()].flatMap(({ dependsOn }) => dependsOn))
  const canGo = ({ id }: Task): boolean => {
    const { status, result } = latestAttempt(state, id) ?? {}
    return status === 'failed' && !isOfApproval(result?.error) && !awaited.has(id)
  }
  const kept = [...begun.values()].filter((task) => !named.has(task.id) && !canGo(task))
  const stated = [...kept.map(stepOf), ...plan.map((step) => withOriginal(step, begun.get(step.id.trim())))]
  const steps = [...stated, ...stepsOnly(selected, stated)]
  const asTasks = steps.map(({ task, depends_on, ...step }) => ({
    ...step,
    text: task,
    tools: null,
    dependsOn: depends_on,
  }))
  // An agent may have become unusable after its step was begun.
  const allowed = [
    ...agents,
    ...ctx.agents.filter(({ name }) => [...begun.values()].some(({ agent }) => agent === name)),
  ]
  const tasks = readTasks(asTasks, request.question, allowed).map((task) => {
    const known = before.find(({ id }) => id === task.id)
    // What stays as it was keeps what the plan knows of it, such as its tools.
    return known !== undefined && JSON.stringify(stepOf(known)) === JSON.stringify(stepOf(task)) ? known : task
  })
  const chosen = new Set(
    selected.map(({ agent, task }) => idIn(tasks, agentNamed(agent, allowed)?.name ?? agent, task.trim())),
  )
  return {
    tasks,
    route: tasks.filter(({ id }) => chosen.has(id)),
    thought: thought_process.trim(),
    ...given({ question }),
    ...(is_final === true ? { isLast: true } : {}),
  }
}

function withOriginal(step: Routing['plan'][number], original: Task | undefined): Routing['plan'][number] {
  return original === undefined ? step : stepOf(original)
}

/** Selected tasks in words of their own, which are in no plan: they become steps. */
function stepsOnly(selected: Routing['selected_agents'], steps: Routing['plan']): Routing['plan'] {
  const added: Routing['plan'] = []
  for (const { agent, task } of selected) {
    const all = [...steps, ...added]
    if (all.some((step) => step.id.trim() === task.trim() || step.task.trim() === task.trim())) continue
    const name = agent.trim().replaceAll(/[^\w-]/g, '_')
    let n = 1
    while (all.some(({ id }) => id === `${name}-${n}`)) n++
    added.push({ id: `${name}-${n}`, agent, task, depends_on: [] })
  }
  return added
}

function idIn(tasks: readonly Task[], agent: string, said: string): string {
  const task = tasks.find(({ id }) => id === said) ?? tasks.find((one) => one.agent === agent && one.text === said)
  if (task === undefined) throw new TuttiError('InvalidPlan', `"${said}" is chosen and is no step of the plan.`)
  if (task.agent !== agent) {
    throw new TuttiError('InvalidPlan', `"${said}" is a step for "${task.agent}", and "${agent}" was chosen for it.`)
  }
  return task.id
}
