import { z } from 'zod'
import { defineRole, type Role, type RoleContext } from '../../../core/actor.ts'
import { given } from '../../../core/given.ts'
import type { ToolDefinition } from '../../../core/turn.ts'
import { factsOf } from '../../../language/facts.ts'
import { expertType, type Instruction, type Opinion } from '../../../strategies/review/types.ts'
import { describeData, givenTables } from '../../python/given-data.ts'
import { runToolLoop } from '../../../tool-loop/loop.ts'
import { feedbackMessages, tagged, taskMessage } from '../../../tool-loop/messages.ts'
import { sourceOf } from '../../tool-agent/tool-sources.ts'
import { openTools, toolsOf, type BoundTool } from '../../tool-agent/tools.ts'
import { ownAnswers } from '../offline/answer-of-agents.ts'
import { teamOf } from '../planning/team.ts'
import { reply, researchGiven, told } from './actors.ts'
import { EXPERT_INSTRUCTIONS } from './prompts.ts'

const GIVE_ANSWER: ToolDefinition = {
  name: 'give_answer',
  description: 'Returns the answer with its reasoning and ends the work.',
  inputSchema: {
    type: 'object',
    properties: {
      answer: { type: 'string' },
      expert_reasoning: { type: 'string', description: 'how the answer follows from the research' },
    },
    required: ['answer', 'expert_reasoning'],
    additionalProperties: false,
  },
}
const answered = z.object({ answer: z.string().min(1), expert_reasoning: z.string() })

/**
 * Answers from all approved research, step by step, with the tools of the agents that read or compute (SPEC C4); what it
 * finds out with them is a finding like theirs. Without a model the findings are the answer.
 */
export const expertRole: Role<Instruction, Opinion> = defineRole({
  ...expertType,
  limits: { timeoutMs: 180_000 },
  async run(ctx) {
    const { summaries, found } = researchGiven(ctx)
    const { question, instruction, context, systemPrompt } = told(ctx)
    const task = taskOf(ctx, `${instruction} The question: ${question}`)
    const tables = givenTables(task)
    if ((await ctx.transcript.model()) === undefined) {
      const own = ownAnswers(summaries).join('\n\n') || 'Nothing was found.'
      const from = summaries.map(({ label }) => label).join(', ') || 'none'
      reply(ctx, 'The steps are performed.')
      return {
        answer: own,
        data: { expertAnswer: own, expertReasoning: `The findings stand as they are: ${from}.` },
      }
    }
    const research = [
      ...found,
      ...(tables.length === 0 ? [] : [`Programs have all rows in data: ${describeData(tables)}`]),
    ]
    const { endings, sources } = await runToolLoop(ctx, {
      instructions: [EXPERT_INSTRUCTIONS, systemPrompt].filter(Boolean).join('\n\n'),
      tools: toolsFor(ctx, task),
      messages: [taskMessage(`${tagged('research', research.join('\n\n'))}\n\n${task.text}`, context)],
      ending: [GIVE_ANSWER],
      required: GIVE_ANSWER.name,
      problemWith: ({ input }) =>
        answered
          .safeParse(input)
          .error?.issues.map(({ path, message }) => [...path, message].join(': '))
          .join('; '),
      added: feedbackMessages(ctx.feedback),
      ...given({ continues: ctx.job.replaces }),
      sourcesOf: sourceOf,
    })
    const { answer, expert_reasoning: expertReasoning } = answered.parse(endings[0]?.input)
    reply(ctx, 'The steps are performed.')
    return {
      answer,
      data: { expertAnswer: answer, expertReasoning },
      ...(sources.length === 0 ? {} : { sources }),
    }
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
