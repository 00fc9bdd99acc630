import { z } from 'zod'
import { definePrompt } from '../../../core/prompt.ts'
import { HEURISTIC_CONFIDENCE } from '../planning/plan-by-rules.ts'
import { standalone } from '../planning/understood.ts'

const candidate = z.object({
  name: z.string(),
  description: z.string(),
  useCases: z.array(z.string()),
  /** Context keys that it needs and the request lacks. */
  missingContext: z.array(z.string()),
  typicalLatencyMs: z.number().optional(),
  /** Words of the question that the topics of its sources have. */
  holds: z.array(z.string()).optional(),
})

const input = z.object({
  question: z.string(),
  contextKeys: z.array(z.string()),
  preferred: z.array(z.string()),
  disabled: z.array(z.string()),
  candidates: z.array(candidate),
  /** What agents of an earlier plan came back with, when the plan is made anew. */
  earlier: z.array(z.object({ agent: z.string(), status: z.string(), summary: z.string() })),
  systemPrompt: z.string().optional(),
})

const output = z.object({
  agents: z.array(z.string()).describe('names of the chosen agents, in the order they should run'),
  rationale: z.string().describe('one or two sentences: why these agents, in this order'),
  confidence: z.number().min(0).max(1),
  standalone,
})

const INSTRUCTIONS = `You choose which specialist agents work on a question, and in which order.
The proposed list begins with those that the words of the question speak for. Every part of the question needs an agent that can
answer it; leave out an agent that adds nothing. Keep the order unless there is a compelling reason to change it, for
instance that one agent needs what another one finds. Never name an agent that is not in the list.
An agent whose required context is missing can hardly work; drop it unless nothing else is left.
Of two agents that would do, prefer the quicker one.`

/** Stage three of planning: a model chooses among all who could work (SPEC P3). */
export const refinePlan = definePrompt({
  name: 'planner.refine',
  about: {
    purpose: 'Chooses agents and their order from those that can work.',
    when: 'the strategy pipeline begins, unless one agent alone can work; again when a plan led to nothing',
    fallback: 'agents are chosen by the words that they declare',
  },
  wording: INSTRUCTIONS,
  data: 'results of earlier agents',
  input,
  output,
  temperature: 0,
  maxOutputTokens: 500,
  render: (given) => ({
    user: [
      `Proposed agents, in order:\n${given.candidates.map(describe).join('\n')}`,
      `Context keys: ${given.contextKeys.join(', ') || 'none'}`,
      `Preferred agents: ${given.preferred.join(', ') || 'none'}`,
      `Disabled agents: ${given.disabled.join(', ') || 'none'}`,
      ...(given.earlier.length === 0
        ? []
        : [
            `An earlier plan did not lead to an answer:\n${given.earlier
              .map((result) => `- ${result.agent}: ${result.status}. ${result.summary}`)
              .join('\n')}`,
          ]),
      `Question: ${given.question}`,
    ].join('\n\n'),
  }),
  fallback: () => ({ agents: [], rationale: 'No agent fits.', confidence: HEURISTIC_CONFIDENCE, standalone: '' }),
})

function describe({
  name,
  description,
  useCases,
  missingContext,
  typicalLatencyMs,
  holds = [],
}: z.infer<typeof candidate>): string {
  return [
    `- ${name}: ${description}`,
    useCases.length === 0 ? '' : ` Good for: ${useCases.join('; ')}.`,
    holds.length === 0 ? '' : ` Has sources on these words of the question: ${holds.join(', ')}.`,
    missingContext.length === 0 ? '' : ` Missing context: ${missingContext.join(', ')}.`,
    typicalLatencyMs === undefined ? '' : ` Takes about ${typicalLatencyMs / 1000} s.`,
  ].join('')
}
