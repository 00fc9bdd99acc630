import { z } from 'zod'
import { defineRole, type Role, type RoleContext } from '../../../core/actor.ts'
import { given } from '../../../core/given.ts'
import { factsOf } from '../../../language/facts.ts'
import { expertType, type Instruction, type Opinion } from '../../../strategies/review/types.ts'
import { describeData, givenTables } from '../../python/given-data.ts'
import { takeSteps } from '../../tool-agent/take-steps.ts'
import { openTools, toolsOf, type BoundTool } from '../../tool-agent/tools.ts'
import { ownAnswers } from '../composer-prompt.ts'
import { teamOf } from '../planning/team.ts'
import { reply, researchGiven, told } from './actors.ts'
import { reviewAnswer } from './prompts.ts'

const MAX_CALLS = 8
const reasoned = z.object({ expert_reasoning: z.string().describe('how the answer follows from the research') })

/**
 * Answers from all approved research, step by step, with the tools of the agents that read or compute (SPEC C4); what it
 * finds out with them is a finding like theirs. Without a model the findings are the answer.
 */
export const expertRole: Role<Instruction, Opinion> = defineRole({
  ...expertType,
  limits: { timeoutMs: 180_000 },
  async run(ctx) {
    const { summaries, found } = researchGiven(ctx)
    const { question, instruction, context, ...rest } = told(ctx)
    const task = taskOf(ctx, `${instruction} The question: ${question}`)
    const tables = givenTables(task)
    const outcome = await takeSteps(ctx, {
      name: expertType.name,
      tools: toolsFor(ctx, task),
      maxSteps: MAX_CALLS,
      ifSpent: 'ask for less at once',
      input: {
        task: task.text,
        context,
        findings: [
          ...found,
          ...(tables.length === 0 ? [] : [`Programs have all rows in data: ${describeData(tables)}`]),
        ],
        outputSchema: JSON.stringify(z.toJSONSchema(reasoned)),
        ...rest,
      },
      output: reasoned,
      ask: (step) => ctx.ask(reviewAnswer, step),
      withoutModel: async () => ({
        answer: ownAnswers(summaries).join('\n\n') || 'Nothing was found.',
        data: {
          expert_reasoning: `The findings stand as they are: ${summaries.map(({ label }) => label).join(', ') || 'none'}.`,
        },
      }),
    })
    const { answer: expertAnswer = '', data, status, error, ...more } = outcome
    if (status === 'failed') return { status, ...given({ error, partial: outcome.partial }) }
    reply(ctx, 'The steps are performed.')
    const { expert_reasoning: expertReasoning } = reasoned.parse(data)
    return { ...more, answer: expertAnswer, data: { expertAnswer, expertReasoning } }
  },
})

function taskOf({ job, feedback, inputs }: RoleContext, text: string) {
  return { id: job.key, text, entities: {}, facts: factsOf({}), isOnly: false, inputs, ...given({ feedback }) }
}

/** What changes nothing. */
function toolsFor(ctx: RoleContext, task: ReturnType<typeof taskOf>): readonly BoundTool[] {
  const able = teamOf(ctx.request, ctx.agents).agents.filter(({ unavailable }) => unavailable === undefined)
  const lent = [...toolsOf(able).values()].filter(({ info }) => info.effect === 'read')
  return openTools(lent, task, ctx)
}
