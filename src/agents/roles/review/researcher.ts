import type { LeadAgent } from '../../../core/actor.ts'
import { TuttiError } from '../../../core/errors.ts'
import { RESEARCHER } from '../../../strategies/review/types.ts'
import { outcomeOf } from '../../../tool-loop/outcome.ts'
import { runAgentLoop } from '../../agent-loop.ts'
import { RESEARCHER_INSTRUCTIONS } from './prompts.ts'
import { readingToolkit } from './toolkit.ts'

const MAX_TURNS = 30
const TIMEOUT_MS = 900_000

/** Does a research step with the tools of all agents (SPEC C4). What they do not hold it answers from general knowledge, and marks it. */
export const researcher = Object.freeze<LeadAgent>({
  name: RESEARCHER,
  label: 'the researcher',
  description: 'Does a research step with the tools of all agents, and with general knowledge.',
  capabilities: [],
  useCases: [],
  keywords: [],
  limits: { timeoutMs: TIMEOUT_MS, retries: 1 },
  async run(task, ctx) {
    if ((await ctx.transcript.model()) === undefined) {
      throw new TuttiError('ModelUnavailable', 'The researcher needs a language model. Connect one.')
    }
    const toolkit = await readingToolkit(ctx, task)
    const loop = { ...toolkit, rules: RESEARCHER_INSTRUCTIONS, ending: [], maxTurns: MAX_TURNS }
    return outcomeOf(ctx, await runAgentLoop(task, ctx, loop))
  },
})
