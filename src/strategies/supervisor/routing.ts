import type { RoleContext } from '../../domain/actor.ts'
import { latestAttempt, plannedAttempt } from '../../domain/job.ts'
import { isOfApproval, TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { NotPossible, Task } from '../../domain/plan.ts'
import { readTasks } from '../planning/read-plan.ts'
import { agentNamed, type OfferedAgents } from '../planning/usable-agents.ts'
import type { RunState } from '../../domain/state.ts'
import type { Routing } from './prompts.ts'
import { hasSameInputs, isSameTask } from './turns.ts'

/** A decision: the plan from now on, and which of its tasks are next. */
export interface Routed {
  readonly tasks: readonly Task[]
  readonly route: readonly Task[]
  readonly thought: string
  /** Nothing is left to plan once these tasks have succeeded. */
  readonly isLast?: boolean
  /** The question to ask the user first. */
  readonly question?: string
  readonly impossible: readonly NotPossible[]
}

/** A task in the form that the supervisor's model reads and returns. */
export function routingStep({ id, agent, text = '', dependsOn }: Task): Routing['plan'][number] {
  return { id, agent, task: text, depends_on: [...dependsOn] }
}

/**
 * Converts a model's decision to a plan and a route. Only its structure is checked. Steps that have started stay
 * unchanged; failed steps may be left out, except for those that a user refused.
 * @param canAsk whether a question to the user is possible
 * @throws TuttiError `UnknownAgent` or `InvalidPlan`, with a message for the model
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
  const ids = new Set(plan.map(({ id }) => id.trim()))
  const awaited = new Set([...begun.values()].flatMap(({ dependsOn }) => dependsOn))
  const canGo = ({ id }: Task): boolean => {
    const { status, result } = latestAttempt(state, id) ?? {}
    return status === 'failed' && !isOfApproval(result?.error) && !awaited.has(id)
  }
  const begunTasks = [...begun.values()].filter((task) => !ids.has(task.id) && !canGo(task))
  const stated = [...begunTasks.map(routingStep), ...plan.map((step) => withOriginal(step, begun.get(step.id.trim())))]
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
    // An unchanged step keeps the plan's other fields, such as its tools.
    return known !== undefined && JSON.stringify(routingStep(known)) === JSON.stringify(routingStep(task))
      ? known
      : task
  })
  const same = sameSteps(state, begun, tasks)
  const idOf = (id: string): string => same.get(id)?.id ?? id
  const matched = tasks.map((task) => same.get(task.id) ?? task)
  const merged = [...new Map(matched.map((task) => [task.id, task])).values()].map((task) =>
    task.dependsOn.some((id) => same.has(id)) ? { ...task, dependsOn: [...new Set(task.dependsOn.map(idOf))] } : task,
  )
  const chosen = new Set(
    selected.flatMap(({ agent, task }) =>
      idsIn(state, merged, agentNamed(agent, allowed)?.name ?? agent.trim(), idOf(task.trim())),
    ),
  )
  return {
    tasks: merged,
    route: merged.filter(({ id }) => chosen.has(id)),
    thought: thought_process.trim(),
    impossible: decided.not_possible ?? [],
    ...omitUndefined({ question }),
    ...(is_final === true ? { isLast: true } : {}),
  }
}

/** Steps that repeat an earlier one, which may be done already: same agent, same task, same dependencies. */
function sameSteps(
  state: RunState,
  begun: ReadonlyMap<string, Task>,
  tasks: readonly Task[],
): ReadonlyMap<string, Task> {
  const known = [...begun.values()]
  const same = new Map<string, Task>()
  for (const task of tasks) {
    if (begun.has(task.id)) continue
    const earlier = known.find((one) => isSameTask(state, one, task) && hasSameInputs(one, task))
    if (earlier === undefined) known.push(task)
    else same.set(task.id, earlier)
  }
  return same
}

function withOriginal(step: Routing['plan'][number], original: Task | undefined): Routing['plan'][number] {
  return original === undefined ? step : routingStep(original)
}

/** Selected tasks that are in no plan become steps. */
function stepsOnly(selected: Routing['selected_agents'], steps: Routing['plan']): Routing['plan'] {
  const added: Routing['plan'] = []
  for (const { agent, task } of selected) {
    const all = [...steps, ...added]
    if (task.trim() === '' || all.some((step) => step.id.trim() === task.trim() || step.task.trim() === task.trim()))
      continue
    const name = agent.trim().replaceAll(/[^\w-]/g, '_')
    let n = 1
    while (all.some(({ id }) => id === `${name}-${n}`)) n++
    added.push({ id: `${name}-${n}`, agent, task, depends_on: [] })
  }
  return added
}

/** The chosen step. If only an agent is named: all of its open steps, or else its last one. */
function idsIn(state: RunState, tasks: readonly Task[], agent: string, described: string): readonly string[] {
  const own = tasks.filter((one) => one.agent === agent || (described === '' && one.id === agent)).map(({ id }) => id)
  if (described === '' && own.length > 0) {
    const open = own.filter((id) => plannedAttempt(state, id) === undefined)
    return open.length > 0 ? open : own.slice(-1)
  }
  const task =
    tasks.find(({ id }) => id === described) ?? tasks.find((one) => one.agent === agent && one.text === described)
  if (task === undefined)
    throw new TuttiError('InvalidPlan', `"${described || agent}" is chosen and is no step of the plan.`)
  if (task.agent !== agent) {
    throw new TuttiError(
      'InvalidPlan',
      `"${described}" is a step for "${task.agent}", and "${agent}" was chosen for it.`,
    )
  }
  return [task.id]
}
