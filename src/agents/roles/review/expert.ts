import { z } from 'zod'
import { defineRole, type AgentTask, type Role, type RoleContext } from '../../../core/actor.ts'
import { combine } from '../../../core/provenance.ts'
import { given } from '../../../core/given.ts'
import type { Outcome } from '../../../core/result.ts'
import type { ToolDefinition } from '../../../core/turn.ts'
import { factsOf } from '../../../language/facts.ts'
import { expertType, type Instruction, type Opinion } from '../../../strategies/review/types.ts'
import { runToolLoop } from '../../../tool-loop/loop.ts'
import { conversationMessages, feedbackMessages, profileSection, taskMessage } from '../../../tool-loop/messages.ts'
import { describeData, givenTables } from '../../python/given-data.ts'
import { sourceOf } from '../../tool-agent/tool-sources.ts'
import { conclude } from '../offline/review-expert.ts'
import { numberTogether, reply, researchOf, told } from './actors.ts'
import { EXPERT_INSTRUCTIONS } from './prompts.ts'
import { readingToolkit } from './toolkit.ts'

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
const answered = z.object({ answer: z.string().trim().min(1), expert_reasoning: z.string().nullish() })

/**
 * Answers from all approved research, step by step, with the tools of the agents that read or compute (SPEC C4). Without a model the
 * findings are the answer.
 */
export const expertRole: Role<Instruction, Opinion> = defineRole({
  ...expertType,
  limits: { timeoutMs: 300_000 },
  async run(ctx) {
    const outcome = (await ctx.transcript.model()) === undefined ? offline(ctx) : await answer(ctx)
    reply(ctx, 'The steps are performed.')
    return outcome
  },
})

function offline(ctx: RoleContext<Instruction>): Outcome<Opinion> {
  told(ctx)
  return conclude(ctx)
}

async function answer(ctx: RoleContext<Instruction>): Promise<Outcome<Opinion>> {
  const { question, instruction, context, systemPrompt } = told(ctx)
  const { recollection, feedback, job } = ctx
  const task = taskOf(ctx, instruction)
  const toolkit = await readingToolkit(ctx, task)
  const jobs = ctx.inputs().flatMap(({ key }) => ctx.state.jobs.get(key) ?? [])
  const { citable, sections } = researchOf(ctx, jobs, toolkit.sources)
  const tables = givenTables(task)
  const rows = tables.length === 0 ? [] : [`Programs have all rows in data: ${describeData(tables)}`]
  const message = [...sections, ...rows, `Question: ${question}`, instruction].join('\n\n')
  const { endings, sources, text } = await runToolLoop(ctx, {
    instructions: [EXPERT_INSTRUCTIONS, toolkit.instructions, profileSection(recollection), systemPrompt]
      .filter(Boolean)
      .join('\n\n'),
    tools: toolkit.tools,
    sources: citable.sources,
    provenance: combine([toolkit.provenance, ...jobs.map(({ result }) => result?.provenance)]),
    messages: [...conversationMessages(recollection), taskMessage(message, context)],
    ending: [GIVE_ANSWER],
    problemWith: ({ input }) =>
      answered
        .safeParse(input)
        .error?.issues.map(({ path, message: wrong }) => [...path, wrong].join(': '))
        .join('; '),
    added: feedbackMessages(feedback),
    ...given({ continues: job.replaces }),
    sourcesOf: sourceOf,
  })
  // An answer in plain text is one without a reasoning of its own.
  const { answer: own, expert_reasoning: reasoning } = answered.parse(endings[0]?.input ?? { answer: text })
  const { texts, cited } = numberTogether(own, reasoning ?? '', sources)
  const [expertAnswer, expertReasoning] = texts
  return {
    answer: expertAnswer,
    data: { expertAnswer, expertReasoning },
    ...(cited.length === 0 ? {} : { sources: cited }),
  }
}

function taskOf({ job, feedback, inputs }: RoleContext, text: string): AgentTask {
  return { id: job.key, text, entities: {}, facts: factsOf({}), isOnly: false, inputs, ...given({ feedback }) }
}
