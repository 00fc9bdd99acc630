import { planByRules } from '../agents/roles/planning/plan-by-rules.ts'
import { teamOf, todayOf } from '../agents/roles/planning/team.ts'
import type { Agent } from '../core/actor.ts'
import type { RunRequest } from '../core/request.ts'

/** The strategy of a request that names none: chosen by the question, without a model. */
export const AUTO = 'auto'

/** A part that is to be done only if another one finds something. Whether that is so, no plan can know. */
const CONDITION =
  /(?:^|[,.;:!?]\s+(?:(?:and|but|then)\s+)?|\b(?:and|but|then|only)\s+)(?:if|unless|otherwise|depending\s+on)\b/i

/**
 * One task needs nothing but its agent; several are worked on as a graph, unless a model can decide which of them are to be
 * done. The run keeps what was chosen, and why.
 */
export function withStrategy(request: RunRequest, agents: readonly Agent[], hasModel: boolean): RunRequest {
  if (request.strategy !== AUTO) return request
  const { tasks } = planByRules(request.question, teamOf(request, agents), todayOf(request))
  const names = [...new Set(tasks.map(({ agent }) => agent))].join(', ')
  return Object.freeze({ ...request, ...chosen(tasks.length, names, hasModel && CONDITION.test(request.question)) })
}

function chosen(parts: number, names: string, isConditional: boolean): Pick<RunRequest, 'strategy' | 'strategyReason'> {
  if (parts <= 1) return { strategy: 'pipeline', strategyReason: 'One agent is enough for the question.' }
  if (!isConditional) return { strategy: 'graph', strategyReason: `The question has ${parts} parts, for ${names}.` }
  return { strategy: 'supervisor', strategyReason: 'What is to be done depends on what is found first.' }
}
