import type { RoleContext } from '../../domain/actor.ts'
import type { Task, Understood, Plan } from '../../domain/plan.ts'
import { omitUndefined } from '../../shared/omit-undefined.ts'

/** Confidence of a plan that no model made. */
export const HEURISTIC_CONFIDENCE = 0.4

/** The whole question as the task of one agent. */
export function wholeTask(agent: string): Task {
  return { id: agent.replaceAll(/[^\w-]/g, '_'), agent, dependsOn: [] }
}

/** Gives tasks without a text the question as it was understood. */
export function withQuestionText(question: string, { request }: Pick<RoleContext, 'request'>): (task: Task) => Task {
  return (task) => (task.text === undefined && question !== request.question ? { ...task, text: question } : task)
}

/** The plan's note on how the question was understood. */
export function understoodAs(
  question: string,
  { request }: Pick<RoleContext, 'request'>,
): { readonly understood?: Understood } {
  return omitUndefined({ understood: question === request.question ? undefined : { question } })
}

/**
 * A new plan contains the earlier tasks, whose results stay part of the run, and the new ones with new ids. With reused
 * ids, results of old tasks would count for new ones.
 */
export function joinPlans(earlier: Plan | undefined, tasks: readonly Task[]): Plan {
  if (earlier === undefined) return { tasks }
  const taken = new Set(earlier.tasks.map(({ id }) => id))
  const ids = tasks.map(({ id }) => {
    let free = id
    for (let n = 2; taken.has(free); n++) free = `${id}-${n}`
    taken.add(free)
    return free
  })
  const renamed = new Map(tasks.map(({ id }, i) => [id, ids[i]!]))
  const added = tasks.map((task, i) => ({
    ...task,
    id: ids[i]!,
    dependsOn: task.dependsOn.map((id) => renamed.get(id) ?? id),
  }))
  return { tasks: [...earlier.tasks, ...added] }
}

/** The restrictions of a plan, for the response and the trace. @param problem of a model's plans */
export function guardrailsOf(
  { request }: RoleContext,
  by: 'model' | 'fallback',
  problem?: string,
): Record<string, unknown> {
  const { preferAgents, disableAgents, maxTurns, strategyReason } = request
  return {
    refinedBy: by,
    ...omitUndefined({ problem, strategy: strategyReason }),
    ...(preferAgents.length === 0 ? {} : { preferred: preferAgents }),
    ...(disableAgents.length === 0 ? {} : { disabled: disableAgents }),
    ...omitUndefined({ maxTurns }),
  }
}
