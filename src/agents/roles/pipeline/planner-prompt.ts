import { z } from 'zod'
import { definePrompt } from '../../../core/prompt.ts'
import { tagged } from '../../../tool-loop/messages.ts'
import { plannerInput } from '../planner-input.ts'
import { STANDALONE_RULE, standalone } from '../standalone.ts'

const input = plannerInput.extend({
  /** What agents of an earlier plan came back with, when the plan is made anew. */
  earlier: z.array(z.object({ agent: z.string(), status: z.string(), summary: z.string() })),
  systemPrompt: z.string().optional(),
})

const output = z.object({
  agents: z.array(z.string()).describe('names of the chosen agents, in the order in which they run; may be empty'),
  rationale: z.string().describe('one or two sentences: why these agents, in this order'),
  confidence: z.number().min(0).max(1),
  standalone,
})

export type PipelinePlan = z.infer<typeof output>

const INSTRUCTIONS = `You choose which specialist agents work on a question, and in which order.
They run one after the other; each sees the question and what those before it found. Afterwards the findings are put into an answer.
- Choose the agents that the question needs, going by what they can do and what their sources hold.
- Choose none for a greeting, for general knowledge, and for what the conversation already holds: these are answered without an agent.
- An agent that works on results runs after those that find them.
- Use the names exactly as given. Of two agents that would do, take a preferred one, then the quicker one.
${STANDALONE_RULE}`

/** Chooses the agents of a pipeline among all that can work (SPEC P3). */
export const refinePlan = definePrompt({
  name: 'planner.refine',
  about: {
    purpose: 'Chooses agents and their order from those that can work.',
    when: 'the strategy pipeline begins; again when a plan led to nothing',
    fallback: 'agents whose keywords stand in the question, else the default one',
  },
  wording: INSTRUCTIONS,
  data: 'results of earlier agents',
  input,
  output,
  verbatim: ['agents', 'unusable', 'earlier'],
  temperature: 0,
  maxOutputTokens: 1_000,
  render: ({ question, context, preferred, agents, unusable, earlier }) => ({
    stable: [
      tagged('agents', agents || 'none'),
      ...(unusable.length === 0 ? [] : [tagged('cannot_work', unusable.join('\n'))]),
    ].join('\n'),
    user: [
      ...(context.length === 0 ? [] : [tagged('context', context.join('\n'))]),
      ...(preferred.length === 0 ? [] : [`Preferred agents: ${preferred.join(', ')}`]),
      ...(earlier.length === 0
        ? []
        : [
            `An earlier plan did not lead to an answer. Choose agents that may find more, or none.\n${earlier
              .map(({ agent, status, summary }) => tagged('earlier', summary, { agent, status }))
              .join('\n')}`,
          ]),
      `Question: ${question}`,
    ].join('\n\n'),
  }),
  // Whoever asks has the heuristic list.
  fallback: (): PipelinePlan => ({ agents: [], rationale: '', confidence: 0, standalone: '' }),
})
