import { z } from 'zod'
import { definePrompt } from '../../domain/prompt.ts'
import {
  dependencies,
  offeredSections,
  plannerInput,
  plannerMessage,
  NOT_POSSIBLE_RULE,
  notPossible,
  STANDALONE_RULE,
  standalone,
} from '../planning/planner-fields.ts'

const input = plannerInput.extend({ maxTasks: z.number().int() })

const output = z.object({
  intent: z.string().describe('what the user wants, in a few words'),
  entities: z.object({
    date_range: z
      .object({ from: z.string().nullable(), to: z.string().nullable() })
      .nullable()
      .describe('the period asked for, ISO dates, both ends included; null when none is'),
    doc_type: z.string().nullable().describe('pdf, docx, xlsx, csv, md, txt or html, when one is asked for'),
    metric: z.string().nullable(),
    names: z.array(z.string()).describe('proper names of people, companies, products and places'),
    others: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
  tasks: z.array(
    z.object({
      id: z.string().describe('short and unique: letters, digits, "_" and "-"'),
      agent: z.string(),
      text: z.string().describe('what this agent has to do, complete in itself'),
      tools: z.array(z.string()).nullable().describe('tools that it may use; null for all of its own'),
      dependsOn: dependencies.describe('ids of the tasks whose results it needs'),
    }),
  ),
  rationale: z.string().describe('one or two sentences: why these tasks'),
  confidence: z.number().min(0).max(1),
  not_possible: notPossible,
  standalone,
})

export type PlanInput = z.infer<typeof input>
export type ModelPlan = z.infer<typeof output>

const INSTRUCTIONS = `You plan how specialist agents answer a question together: what the user wants, which entities the question names, and
which tasks lead to the answer.
- Give each task to one agent, going by what it can do and what its sources hold. Use as few tasks as the question needs; afterwards the results are put into an answer.
- The agent sees its task, the user's own words and the results that the task depends on, not the conversation: write the task complete in itself, in the language of the question, with names, periods and filters.
- A task depends on exactly the tasks whose results it uses. All others start at once, side by side.
- What changes something comes before what reads the changed state, and after what it needs to know.
- Plan no task for a greeting, for general knowledge, and for what the conversation already holds: these are answered without an agent.
- Use the names of agents and tools exactly as given. Leave tools null unless a task should be allowed fewer than its agent has.
- Of two agents that would do, take a preferred one, then the quicker one.
${NOT_POSSIBLE_RULE}
${STANDALONE_RULE}`

/** The master planner's call: intent, entities and tasks that depend on each other. */
export const makePlan = definePrompt({
  name: 'planner.plan',
  about: {
    purpose: 'Plans tasks that depend on each other, and names what the question is about.',
    when: 'the strategy graph begins; again when a plan produced no result',
    failure: 'agents whose keywords occur in the question, otherwise the default agent, in parallel',
  },
  wording: INSTRUCTIONS,
  data: 'quotations in the question, and results of earlier tasks,',
  input,
  output,
  verbatim: ['about', 'agents', 'unusable', 'earlier'],
  temperature: 0,
  maxOutputTokens: 4_000,
  render: (given) => ({
    stable: [...offeredSections(given), `At most ${given.maxTasks} tasks.`].join('\n'),
    user: plannerMessage(given, 'Plan other tasks with new ids, or none.'),
  }),
})
