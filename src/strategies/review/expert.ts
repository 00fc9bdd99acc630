import { z } from 'zod'
import { isCutJson } from '../../domain/cut-json.ts'
import { defineRole, type AgentTask, type Role, type RoleContext } from '../../domain/actor.ts'
import { combine } from '../../domain/provenance.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Outcome } from '../../domain/result.ts'
import { userMessage, type ToolDefinition } from '../../domain/turn.ts'
import { expertType, type Instruction, type Opinion } from './types.ts'
import { runToolLoop } from '../../tool-loop/loop.ts'
import { conversationMessages, feedbackMessages, profileSection } from '../../tool-loop/messages.ts'
import { unknownRemarks } from '../../tool-loop/outcome.ts'
import { describeData, inputTables } from '../../tool-loop/input-tables.ts'
import { toolSources } from '../../tool-loop/tool-sources.ts'
import { noReplyError, mergeCitations, reply, researchOf, receiveInstruction } from './actors.ts'
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
  },
}
/** A reasoning under another name is sent back rather than lost. */
const answered = z.strictObject({ answer: z.string().trim().min(1), expert_reasoning: z.string().nullish() })

/**
 * Answers from all approved research, step by step, with the tools of the agents that read or compute.
 */
export const expertRole: Role<Instruction, Opinion> = defineRole({
  ...expertType,
  limits: { timeoutMs: 300_000 },
  async run(ctx) {
    const outcome = await answer(ctx)
    reply(ctx, 'The steps are performed.')
    return outcome
  },
})

async function answer(ctx: RoleContext<Instruction>): Promise<Outcome<Opinion>> {
  const { about, instruction, systemPrompt } = receiveInstruction(ctx)
  const { recollection, feedback, job } = ctx
  const task = taskOf(ctx, instruction)
  const toolkit = await readingToolkit(ctx, task)
  const jobs = ctx.inputs().flatMap(({ key }) => ctx.state.jobs.get(key) ?? [])
  const { citable, sections } = researchOf(ctx, jobs)
  const tables = inputTables(task)
  const rows = tables.length === 0 ? [] : [`Programs have all rows in data: ${describeData(tables)}`]
  const message = [...sections, ...rows, ...about, instruction].join('\n\n')
  const { endings, sources, text } = await runToolLoop(ctx, {
    instructions: [EXPERT_INSTRUCTIONS, toolkit.instructions, profileSection(recollection), systemPrompt]
      .filter(Boolean)
      .join('\n\n'),
    tools: toolkit.tools,
    sources: [...(toolkit.sources ?? []), ...citable.sources],
    provenance: combine([toolkit.provenance, ...jobs.map(({ result }) => result?.provenance)]),
    messages: [...conversationMessages(recollection), userMessage(message)],
    ending: [GIVE_ANSWER],
    problemWith: ({ input }) =>
      answered
        .safeParse(input)
        .error?.issues.map(({ path, message: wrong }) => [...path, wrong].join(': '))
        .join('; '),
    added: feedbackMessages(feedback),
    ...omitUndefined({ continues: job.replaces }),
    sourcesOf: toolSources,
  })
  if (endings.length === 0 && isCutJson(text)) throw noReplyError('an answer', 'it is JSON that was cut off')
  // An answer in plain text is one without a reasoning of its own.
  const { answer: own, expert_reasoning: reasoning } = answered.parse(endings[0]?.input ?? { answer: text })
  const { texts, cited, unknown } = mergeCitations(own, reasoning ?? '', sources)
  const [expertAnswer, expertReasoning] = texts
  return {
    answer: expertAnswer,
    data: { expertAnswer, expertReasoning },
    ...(cited.length === 0 ? {} : { sources: cited }),
    ...(unknown.length === 0 ? {} : { remarks: unknownRemarks({ unknown }) }),
  }
}

function taskOf({ job, feedback, inputs }: RoleContext, text: string): AgentTask {
  return { id: job.key, text, entities: {}, isOnly: false, inputs, ...omitUndefined({ feedback }) }
}
