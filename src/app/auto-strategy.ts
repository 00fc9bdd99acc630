import { runRule } from '../agents/rules/run-rule.ts'
import { rulePlan } from '../agents/roles/planning/rule-plan.ts'
import { teamOf, todayOf } from '../agents/roles/planning/team.ts'
import type { Agent } from '../core/actor.ts'
import type { RunRequest } from '../core/request.ts'

/** The strategy of a request that names none: chosen by the question, without a model. */
export const AUTO = 'auto'

/** With a model the assistant answers or delegates; a plan to confirm, and agents that the user names, are planned. */
export async function withStrategy(
  request: RunRequest,
  agents: readonly Agent[],
  hasModel: boolean,
): Promise<RunRequest> {
  if (request.strategy !== AUTO) return request
  if (!hasModel) return withoutModel(request, agents)
  if (request.confirmPlan === true) return chosen(request, 'graph', 'The plan is to be confirmed first.')
  // Documents that come with the request are searched by the assistant as well.
  const named = request.preferAgents.filter((name) => name !== 'rag')
  if (named.length === 0) return chosen(request, 'direct', 'The assistant answers or delegates.')
  return chosen(request, named.length === 1 ? 'pipeline' : 'graph', `The request names ${named.join(', ')}.`)
}

/** One task needs nothing but its agent; several are worked on as a graph. The run keeps what was chosen, and why. */
async function withoutModel(request: RunRequest, agents: readonly Agent[]): Promise<RunRequest> {
  const { words } = (await runRule('care', request.question)) ?? {}
  if (words !== undefined) return chosen(request, 'review', `The question asks for care: “${words}”.`)
  const { tasks } = await rulePlan(request.question, teamOf(request, agents), todayOf(request))
  if (tasks.length <= 1) return chosen(request, 'pipeline', 'One agent is enough for the question.')
  const names = [...new Set(tasks.map(({ agent }) => agent))].join(', ')
  return chosen(request, 'graph', `The question has ${tasks.length} parts, for ${names}.`)
}

function chosen(request: RunRequest, strategy: string, strategyReason: string): RunRequest {
  return Object.freeze({ ...request, strategy, strategyReason })
}
