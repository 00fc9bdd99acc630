import { planByRules } from '../agents/roles/planning/plan-by-rules.ts'
import { teamOf, todayOf } from '../agents/roles/planning/team.ts'
import type { Agent } from '../core/actor.ts'
import type { RunRequest } from '../core/request.ts'
import { careIn } from '../language/care.ts'

/** The strategy of a request that names none: chosen by the question, without a model. */
export const AUTO = 'auto'

/**
 * One task needs nothing but its agent; several are worked on as a graph. A review takes many more calls, and pays where the
 * question asks for an answer that is checked. The run keeps what was chosen, and why.
 */
export function withStrategy(request: RunRequest, agents: readonly Agent[]): RunRequest {
  if (request.strategy !== AUTO) return request
  const { words } = careIn(request.question)
  if (words !== undefined) {
    return Object.freeze({
      ...request,
      strategy: 'review',
      strategyReason: `The question asks for care: “${words}”.`,
    })
  }
  const { tasks } = planByRules(request.question, teamOf(request, agents), todayOf(request))
  const names = [...new Set(tasks.map(({ agent }) => agent))].join(', ')
  return Object.freeze({
    ...request,
    ...(tasks.length > 1
      ? { strategy: 'graph', strategyReason: `The question has ${tasks.length} parts, for ${names}.` }
      : { strategy: 'pipeline', strategyReason: 'One agent is enough for the question.' }),
  })
}
