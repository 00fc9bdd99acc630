import { isQuestion } from './question.ts'
import type { RunState } from './state.ts'

/** Words of the user, and the question of a model that they reply to. */
export interface UserWords {
  readonly text: string
  readonly asked?: string
}

/**
 * The user's words: the request, then replies and instructions given with decisions. In a nested run, the user's
 * request comes first, then the nested run's question.
 */
export function userRequestOf({ request, approvals }: Pick<RunState, 'request' | 'approvals'>): readonly UserWords[] {
  const { question, said } = request
  const isPart = said !== undefined && said !== '' && said !== question
  const replies = [...approvals.values()].flatMap(({ tool, decision, instructions: text, question: asked }) => {
    if (decision === undefined || text === undefined) return []
    return isQuestion({ tool })
      ? [{ text, asked: asked ?? '' }]
      : [{ text: `On the call of "${tool}", ${decision}: ${text}` }]
  })
  return [
    ...(isPart ? [{ text: said }, { text: `The part asked for here: ${question}` }] : [{ text: question }]),
    ...replies,
  ]
}
