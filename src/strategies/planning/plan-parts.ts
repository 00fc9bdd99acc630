import type { RoleContext } from '../../domain/actor.ts'
import { validatePlan, type NotPossible, type Plan, type Task } from '../../domain/plan.ts'
import type { Outcome } from '../../domain/result.ts'
import { omitUndefined } from '../../shared/json.ts'
import { completeQuestion } from './planner-fields.ts'
import { planForTeam } from '../../domain/team.ts'

/** Confidence of a plan that no model made. */
export const HEURISTIC_CONFIDENCE = 0.4

/** The whole question as the task of one agent. */
export function wholeTask(agent: string): Task {
  return { id: agent.replaceAll(/[^\w-]/g, '_'), agent, dependsOn: [] }
}

/** A plan as a planner's model returns it. */
interface PlannedByModel {
  readonly tasks: readonly Task[]
  readonly rationale: string
  readonly confidence: number
  readonly standalone: string
  readonly not_possible?: readonly NotPossible[] | null | undefined
}

/** Sets a plan, in addition to an earlier one. Tasks without a text get the question as it was understood. */
export function setPlan(ctx: RoleContext, planned: PlannedByModel, guardrails: Record<string, unknown>): Outcome {
  const { tasks, rationale, confidence, standalone, not_possible } = planned
  const question = completeQuestion(ctx, standalone)
  const isUnchanged = question === ctx.request.question
  const worded = isUnchanged ? tasks : tasks.map((task) => ({ ...task, text: task.text ?? question }))
  ctx.emit({
    type: 'plan.set',
    plan: validatePlan(joinPlans(ctx.state.plan?.plan, worded), new Set(ctx.agents.map(({ name }) => name))),
    by: 'planner',
    rationale,
    confidence,
    guardrails,
    ...omitUndefined({ understood: isUnchanged ? undefined : { question }, notPossible: not_possible ?? undefined }),
  })
  return { answer: rationale, confidence }
}

/**
 * A new plan contains the earlier tasks, whose results stay part of the run, and the new ones with new ids. With reused
 * ids, results of old tasks would count for new ones.
 */
export function joinPlans(earlier: Plan | undefined, tasks: readonly Task[]): Plan {
  if (earlier === undefined) return { tasks }
  const usedIds = new Set(earlier.tasks.map(({ id }) => id))
  const ids = tasks.map(({ id }) => {
    let free = id
    for (let n = 2; usedIds.has(free); n++) free = `${id}-${n}`
    usedIds.add(free)
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

/** The steps of a team, which need no planner. */
export function teamPlan(ctx: RoleContext): Outcome | undefined {
  const { team } = ctx.request
  if (team === undefined) return undefined
  if (ctx.state.plan !== undefined) return { answer: 'The team has no other way to try.' }
  const rationale = `The steps of the team “${team.name}”.`
  ctx.emit({
    type: 'plan.set',
    plan: planForTeam(team),
    by: 'planner',
    rationale,
    guardrails: { refinedBy: 'fallback' },
  })
  return { answer: rationale }
}
