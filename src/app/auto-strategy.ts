import { runRule } from '../agents/rules/run-rule.ts'
import { rulePlan } from '../agents/roles/planning/rule-plan.ts'
import { teamOf, todayOf } from '../agents/roles/planning/team.ts'
import type { Agent } from '../core/actor.ts'
import type { RunRequest } from '../core/request.ts'
import { hasWays, isConditional } from '../language/condition.ts'

/** The strategy of a request that names none: chosen by the question, without a model. */
export const AUTO = 'auto'

/**
 * One task needs nothing but its agent; several are worked on as a graph, unless a model can decide which of them are to be
 * done. A review takes many more calls, and pays where the question asks for an answer that is checked. The run keeps what
 * was chosen, and why.
 */
export async function withStrategy(
  request: RunRequest,
  agents: readonly Agent[],
  hasModel: boolean,
): Promise<RunRequest> {
  if (request.strategy !== AUTO) return request
  const { words } = (await runRule('care', request.question)) ?? {}
  if (words !== undefined) return chosen(request, 'review', `The question asks for care: “${words}”.`)
  const { tasks } = await rulePlan(request.question, teamOf(request, agents), todayOf(request))
  const isOne = tasks.length <= 1
  // Rules leave “if …, …, otherwise …” one task; a condition alone may be for the agent of the one task to heed.
  if (hasModel && (isOne ? hasWays : isConditional)(request.question)) {
    return chosen(request, 'supervisor', 'What is to be done depends on what is found first.')
  }
  if (isOne) return chosen(request, 'pipeline', 'One agent is enough for the question.')
  const names = [...new Set(tasks.map(({ agent }) => agent))].join(', ')
  return chosen(request, 'graph', `The question has ${tasks.length} parts, for ${names}.`)
}

function chosen(request: RunRequest, strategy: string, strategyReason: string): RunRequest {
  return Object.freeze({ ...request, strategy, strategyReason })
}
