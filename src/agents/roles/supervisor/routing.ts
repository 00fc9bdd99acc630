import type { RoleContext } from '../../../core/actor.ts'
import { plannedAttempt } from '../../../core/attempts.ts'
import { TuttiError } from '../../../core/errors.ts'
import { validatePlan, type Task } from '../../../core/plan.ts'
import { openTasks } from '../../../strategies/supervisor/supervisor.ts'
import { wantsAnotherPlan } from '../../../strategies/steps.ts'
import { byRules } from '../graph/master-planner.ts'
import type { Team } from '../planning/choose.ts'
import { joinPlans } from '../planning/join-plans.ts'
import { asModelPlan, readPlan } from '../planning/read-plan.ts'
import { todayOf } from '../planning/team.ts'
import { leftOut, questionParts } from './left-out.ts'
import type { Routing } from './supervisor-prompt.ts'

/** A decision: the plan from now on, and which of its tasks are next. */
export interface Routed {
  readonly tasks: readonly Task[]
  readonly route: readonly Task[]
  readonly thought: string
}

/** Without a model: all that can start; where there is nothing, another way for what led nowhere, once. */
export async function routedByRules(ctx: RoleContext, team: Team, question: string): Promise<Routed> {
  const { state } = ctx
  const { plan } = state.plan!
  const open = openTasks(state)
  const known = new Set(plan.tasks.map(({ id }) => id))
  if (open.length > 0 || !wantsAnotherPlan(state)) {
    const thought = open.length > 0 ? 'All parts that can start are next.' : 'There is nothing left that could be done.'
    return { tasks: plan.tasks, route: open, thought }
  }
  const { tasks: added, rationale } = await byRules(ctx, team, todayOf(ctx.request), question)
  const { tasks } = joinPlans(plan, added)
  return {
    tasks,
    route: tasks.filter(({ id, dependsOn }) => !known.has(id) && dependsOn.length === 0),
    thought: rationale,
  }
}

/** A decision by rules in the form of a model's, for the journal. */
export function asRouting({ tasks, route, thought }: Routed): Routing {
  return {
    thought_process: thought,
    plan: tasks.map(stepOf),
    selected_agents: route.map(({ agent, id }) => ({ agent, task: id })),
  }
}

/** A task as the supervisor's model sees it, and gives it back. */
export function stepOf({ id, agent, text = '', dependsOn }: Task): Routing['plan'][number] {
  return { id, agent, task: text, depends_on: [...dependsOn] }
}

function taskOf({ id, agent, task, depends_on: dependsOn }: Routing['plan'][number]): Task {
  return { id: id.trim(), agent, dependsOn, ...(task.trim() === '' ? {} : { text: task }) }
}

/**
 * What a model decided, checked. What has been begun stays as it is; so do parts of the question that no step of it is about,
 * and other open steps of a plan that was begun, or that it emptied, where it put fewer in their place: leaving them out would
 * be a way to declare them done.
 * @throws TuttiError `UnknownAgent` or `InvalidPlan`, fit to be shown to the model
 */
export function readRouting(
  { plan, selected_agents, thought_process }: Routing,
  ctx: RoleContext,
  team: Team,
  question: string,
): Routed {
  const { state, request } = ctx
  const before = state.plan!.plan.tasks
  const begun = before.filter(({ id }) => plannedAttempt(state, id) !== undefined)
  const named = new Set(plan.map(({ id }) => id.trim()))
  const parts = questionParts(state, question)
  const added = plan.filter(({ id }) => before.every((task) => task.id !== id.trim()))
  const isDropped = (task: Task): boolean => !begun.includes(task) && !named.has(task.id) && !parts.has(task)
  const isReplaced = added.length > 0 && added.length >= before.filter(isDropped).length
  const kept = before.filter(
    (task) =>
      (begun.includes(task) && !named.has(task.id)) ||
      (isDropped(task) && (begun.length > 0 || plan.length === 0) && !isReplaced),
  )
  const stated = [...kept.map(stepOf), ...plan]
  const chosenToo = [...stated, ...stepsOnly(selected_agents, stated)]
  const open = leftOut(parts, chosenToo.map(taskOf), state, question)
  const steps = [...chosenToo, ...open.map(stepOf)]
  const planned = readPlan(
    {
      ...asModelPlan({ intent: '', entities: {}, tasks: [], rationale: thought_process, confidence: 0 }),
      tasks: steps.map(({ id, agent, task, depends_on }) => ({
        id,
        agent,
        text: task,
        tools: null,
        dependsOn: depends_on,
      })),
    },
    question,
    team,
    todayOf(request),
  ).tasks.map((task) => {
    const known = [...before, ...parts.open].find(({ id }) => id === task.id)
    const isSame = known !== undefined && known.agent === task.agent && (known.text ?? '') === (task.text ?? '')
    return known !== undefined && (begun.includes(known) || (isSame && `${known.dependsOn}` === `${task.dependsOn}`))
      ? known
      : task
  })
  const { tasks } = validatePlan({ tasks: planned }, new Set(ctx.agents.map(({ name }) => name)))
  const chosen = new Set(selected_agents.map(({ agent, task }) => idIn(tasks, agent.trim(), task.trim())))
  return { tasks, route: tasks.filter(({ id }) => chosen.has(id)), thought: thought_process.trim() }
}

/** Tasks in words of their own, which are in no plan: they become steps. */
function stepsOnly(selected: Routing['selected_agents'], steps: Routing['plan']): Routing['plan'] {
  return selected
    .filter(({ task }) => !steps.some((step) => step.id.trim() === task.trim() || step.task.trim() === task.trim()))
    .map(({ agent, task }, place) => {
      const name = agent.trim().replaceAll(/[^\w-]/g, '_')
      const ids = new Set(steps.map(({ id }) => id))
      let n = place + 2
      while (ids.has(`${name}-${n}`)) n++
      return { id: `${name}-${n}`, agent, task, depends_on: [] }
    })
}

function idIn(tasks: readonly Task[], agent: string, said: string): string {
  const task = tasks.find(({ id }) => id === said) ?? tasks.find((one) => one.agent === agent && one.text === said)
  if (task === undefined) throw new TuttiError('InvalidPlan', `"${said}" is chosen and is no step of the plan.`)
  if (task.agent !== agent) {
    throw new TuttiError('InvalidPlan', `"${said}" is a step for "${task.agent}", and "${agent}" was chosen for it.`)
  }
  return task.id
}
