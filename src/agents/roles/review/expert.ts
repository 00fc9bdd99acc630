import { defineRole, type Role } from '../../../core/actor.ts'
import { expertType, type Instruction, type Opinion } from '../../../strategies/review/types.ts'
import { ownAnswers } from '../composer-prompt.ts'
import { reply, researchGiven, told } from './actors.ts'
import { reviewAnswer } from './prompts.ts'

/** Answers from all approved research (SPEC C4). Without a model the findings are the answer. */
export const expertRole: Role<Instruction, Opinion> = defineRole({
  ...expertType,
  limits: { timeoutMs: 180_000 },
  async run(ctx) {
    const { summaries, found } = researchGiven(ctx)
    const { value } = await ctx.ask(
      reviewAnswer,
      { ...told(ctx), found },
      {
        fallback: () => ({
          expertAnswer: ownAnswers(summaries).join('\n\n') || 'Nothing was found.',
          expertReasoning: `The findings stand as they are: ${summaries.map(({ label }) => label).join(', ') || 'none'}.`,
        }),
      },
    )
    reply(ctx, 'The steps are performed.')
    return { data: value }
  },
})
