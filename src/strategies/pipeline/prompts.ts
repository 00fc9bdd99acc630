import { z } from 'zod'
import { definePrompt } from '../../domain/prompt.ts'
import {
  offeredSections,
  plannerInput,
  plannerMessage,
  NOT_POSSIBLE_RULE,
  notPossible,
  STANDALONE_RULE,
  standalone,
} from '../planning/planner-fields.ts'

const output = z.object({
  agents: z.array(z.string()).describe('names of the chosen agents, in the order in which they run; may be empty'),
  rationale: z.string().describe('one or two sentences: why these agents, in this order'),
  confidence: z.number().min(0).max(1),
  not_possible: notPossible,
  standalone,
})

const INSTRUCTIONS = `You choose which specialist agents work on a question, and in which order.
They run one after the other; each sees the question and what those before it found. Afterwards the findings are put into an answer.
- Choose the agents that the question needs, going by what they can do and what their sources hold.
- Choose none for a greeting, for general knowledge, and for what the conversation already holds: these are answered without an agent.
- An agent that works on results runs after those that find them.
- Use the names exactly as given. Of two agents that would do, take a preferred one, then the quicker one.
${NOT_POSSIBLE_RULE}
${STANDALONE_RULE}`

/** Chooses the agents of a pipeline among all that can work. */
export const refinePlan = definePrompt({
  name: 'planner.refine',
  about: {
    purpose: 'Chooses agents and their order from those that can work.',
    when: 'the strategy pipeline begins; again when a plan produced no result',
    failure: 'agents whose keywords occur in the question, otherwise the default agent',
  },
  wording: INSTRUCTIONS,
  data: 'results of earlier agents',
  input: plannerInput,
  output,
  verbatim: ['about', 'agents', 'unusable', 'earlier'],
  temperature: 0,
  maxOutputTokens: 1_000,
  render: (input) => ({
    stable: offeredSections(input).join('\n'),
    user: plannerMessage(input, 'Choose agents that may find more, or none.'),
  }),
})
