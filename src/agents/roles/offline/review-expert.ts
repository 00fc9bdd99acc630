import type { RoleContext } from '../../../core/actor.ts'
import { agentResultsOf } from '../../../core/response.ts'
import type { Outcome } from '../../../core/result.ts'
import type { Opinion } from '../../../strategies/review/types.ts'
import { ownAnswers } from './answer-of-agents.ts'
import { numberSources } from './citing.ts'
import { summariesOf } from './summaries.ts'

/** The expert without a model: the findings stand as they are. */
export function conclude(ctx: RoleContext): Outcome<Opinion> {
  const settled = ctx.inputs().flatMap(({ key }) => ctx.state.jobs.get(key) ?? [])
  const tasks = new Set(settled.map(({ task }) => task?.id))
  const results = agentResultsOf(ctx.state).filter(({ task }) => tasks.has(task))
  const summaries = summariesOf(ctx, results, numberSources(results))
  const answer = ownAnswers(summaries).join('\n\n') || 'Nothing was found.'
  const from = summaries.map(({ label }) => label).join(', ') || 'none'
  return {
    answer,
    data: { expertAnswer: answer, expertReasoning: `The findings stand as they are: ${from}.` },
  }
}
