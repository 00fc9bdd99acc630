import { defineRole, type RoleContext } from '../../../core/actor.ts'
import { unansweredIn } from '../../../core/unanswered.ts'
import { clarifierType } from '../../../strategies/supervisor/types.ts'

/** Asks the user what the supervisor wants to know, or how to go on when it is stuck; the answer is the user's own words, and part of the question from then on. */
export const clarifierRole = defineRole({
  ...clarifierType,
  async run(ctx) {
    const { input } = ctx
    const question = 'question' in input ? input.question : `${input.why}${openParts(ctx)} How should it go on?`
    const answer = await ctx.question(question)
    return { answer, data: { question, answer } }
  },
})

function openParts({ state, request }: RoleContext): string {
  const parts = unansweredIn(state).map(({ task }) => `“${task.text ?? request.question}”`)
  return parts.length === 0 ? '' : ` Still open: ${[...new Set(parts)].join(', ')}.`
}
