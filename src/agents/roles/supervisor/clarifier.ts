import { defineRole } from '../../../core/actor.ts'
import { unansweredIn } from '../../../core/unanswered.ts'
import { clarifierType } from '../../../strategies/supervisor/types.ts'

/** Puts it to the person when the supervisor is stuck; the answer is the user's own words, and part of the question from then on. */
export const clarifierRole = defineRole({
  ...clarifierType,
  async run(ctx) {
    const parts = unansweredIn(ctx.state).map(({ task }) => `“${task.text ?? ctx.request.question}”`)
    const left = parts.length === 0 ? '' : ` Still open: ${[...new Set(parts)].join(', ')}.`
    const question = `${ctx.input.why}${left} How should it go on?`
    const answer = await ctx.question(question)
    return { answer, data: { question, answer } }
  },
})
