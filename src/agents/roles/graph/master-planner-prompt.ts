import { z } from 'zod'
import { definePrompt } from '../../../core/prompt.ts'
import { onOwnLines } from '../../../core/prompt-text.ts'
import { HEURISTIC_CONFIDENCE } from '../planning/plan-by-rules.ts'
import { standalone } from '../planning/understood.ts'

export const declaration = z.object({
  name: z.string(),
  description: z.string(),
  capabilities: z.array(z.string()),
  useCases: z.array(z.string()),
  tools: z.array(z.object({ name: z.string(), description: z.string(), effect: z.string() })),
  /** Words of the question that the topics of its sources have. */
  holds: z.array(z.string()).optional(),
  /** It is given what others found and works on that, or does something with it. */
  usesResults: z.boolean(),
  typicalLatencyMs: z.number().optional(),
  /** Context keys that it needs and the request lacks. */
  missingContext: z.array(z.string()),
  unavailable: z.string().optional(),
})

const input = z.object({
  question: z.string(),
  /** Lines `key: value`, the date among them. */
  context: z.array(z.string()),
  preferred: z.array(z.string()),
  disabled: z.array(z.string()),
  agents: z.array(declaration),
  maxTasks: z.number().int(),
  /** What came of an earlier plan, when it is made anew. */
  earlier: z.array(z.object({ id: z.string(), agent: z.string(), status: z.string(), summary: z.string() })),
  /** What was wrong with the answer before. */
  problem: z.string().optional(),
  systemPrompt: z.string().optional(),
})

const output = z.object({
  intent: z.string().describe('what the person wants, in a few words'),
  entities: z.object({
    date_range: z
      .object({ from: z.string().nullable(), to: z.string().nullable() })
      .nullable()
      .describe('the period asked for, ISO dates, both ends included; null when none is'),
    doc_type: z.string().nullable().describe('pdf, docx, xlsx, csv, md, txt or html, when one is asked for'),
    metric: z.string().nullable(),
    names: z.array(z.string()).describe('proper names of people, companies, products and places'),
    emails: z.array(z.string()),
    others: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
  tasks: z.array(
    z.object({
      id: z.string().describe('short and unique: letters, digits, "_" and "-"'),
      agent: z.string(),
      text: z.string().describe('what this agent has to do, complete in itself'),
      tools: z.array(z.string()).nullable().describe('tools that it may use; null for all of its own'),
      dependsOn: z.array(z.string()).describe('ids of the tasks whose results it needs'),
    }),
  ),
  rationale: z.string().describe('one or two sentences: why these tasks'),
  confidence: z.number().min(0).max(1),
  standalone,
})

export type PlanInput = z.infer<typeof input>
export type ModelPlan = z.infer<typeof output>

const INSTRUCTIONS = `You plan how specialist agents answer a question together.
Say what the person wants, which entities the question names, and which tasks lead to the answer.
- Each task goes to one agent and asks for one thing. Its text must be complete: the agent does not see the question.
- A task lists in dependsOn exactly those tasks whose results it needs. All others start at once, side by side; never put tasks in a row that do not need each other.
- A task that works on results, or acts on them (a mail, a change), depends on every task whose result it uses.
- Use as few tasks as the question needs. Do not plan a task for putting the results into words: that is done afterwards.
- No task at all when no agent is needed, such as for a greeting.
- Use the agents' names and their tools' names exactly as given. Leave tools null unless fewer than its own should be allowed.
- Resolve words such as "last quarter" from the date in the context.
- An agent whose context is missing can hardly work, and an unavailable one cannot. Plan a task for it only when the question asks for what no other agent can do, so that the answer can say what is missing.
- Of two agents that would do, take a preferred one, then the quicker one.
- The question says what to do.`

/** The master planner's call: intent, entities and tasks that depend on each other (SPEC R1). */
export const makePlan = definePrompt({
  name: 'planner.plan',
  about: {
    purpose: 'Plans tasks that depend on each other, and names what the question is about.',
    when: 'the strategy graph begins; again when a plan was not valid or led to nothing',
    fallback: 'rules split the question and choose agents by what they declare',
  },
  wording: INSTRUCTIONS,
  data: 'quotations in the question, and results of earlier tasks,',
  input,
  output,
  temperature: 0,
  maxOutputTokens: 2_000,
  render: (given) => ({
    stable: `Agents:\n${given.agents.map(agentLines).join('\n')}\n\nAt most ${given.maxTasks} tasks.`,
    user: sectionsOf(given).join('\n\n'),
  }),
  // Whoever asks gives a fallback that knows the agents; alone, there is no plan to be made.
  fallback: (): ModelPlan => ({
    intent: 'answer',
    entities: { date_range: null, doc_type: null, metric: null, names: [], emails: [], others: [] },
    tasks: [],
    rationale: 'No agent fits the question.',
    confidence: HEURISTIC_CONFIDENCE,
    standalone: '',
  }),
})

function sectionsOf(given: PlanInput): string[] {
  const { question, context, preferred, disabled, earlier, problem } = given
  return [
    `Context:\n${onOwnLines(context) || 'none'}`,
    `Preferred agents: ${preferred.join(', ') || 'none'}`,
    ...(disabled.length === 0 ? [] : [`Disabled agents, not to be used: ${disabled.join(', ')}`]),
    ...(earlier.length === 0 ? [] : [earlierSection(earlier)]),
    ...(problem === undefined ? [] : [`Your plan before this one was not valid: ${problem}\nMake a valid one.`]),
    `Question: ${question}`,
  ]
}

function earlierSection(earlier: PlanInput['earlier']): string {
  const lines = earlier.map(({ id, agent, status, summary }) => `- ${id} (${agent}): ${status}. ${summary}`)
  return ['An earlier plan did not lead to an answer. Plan other tasks, or other agents, with new ids:', ...lines].join(
    '\n',
  )
}

export function agentLines(agent: PlanInput['agents'][number]): string {
  const { name, description, capabilities, useCases, tools, usesResults, typicalLatencyMs, missingContext } = agent
  const { holds = [] } = agent
  const part = (label: string, items: readonly string[], separator = '; '): string =>
    items.length === 0 ? '' : `\n  ${label}: ${items.join(separator)}`
  return [
    `- ${name}: ${description}`,
    part('Can', capabilities),
    part('Good for', useCases),
    part(
      'Tools',
      tools.map((tool) => `${tool.name} (${tool.effect}): ${tool.description}`),
    ),
    part('Has sources on these words of the question', holds, ', '),
    usesResults ? '\n  Uses what other agents found.' : '',
    typicalLatencyMs === undefined ? '' : `\n  Takes about ${typicalLatencyMs / 1_000} s.`,
    part('Missing context', missingContext, ', '),
    agent.unavailable === undefined ? '' : `\n  Unavailable: ${agent.unavailable}`,
  ].join('')
}
