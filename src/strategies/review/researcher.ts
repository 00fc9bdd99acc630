import type { LeadAgent } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import { RESEARCHER } from './types.ts'
import { loopOutcome } from '../../tool-loop/outcome.ts'
import { runAgentLoop } from '../../tool-loop/agent-loop.ts'
import { reply } from './actors.ts'
import { RESEARCHER_INSTRUCTIONS } from './prompts.ts'
import { readingToolkit } from './toolkit.ts'

const MAX_TURNS = 30
const TIMEOUT_MS = 900_000

/**
 * Does a research step with the tools of all agents. Without a source it answers from general knowledge, and marks it
 * as such.
 */
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
    const outcome = loopOutcome(ctx, await runAgentLoop(task, ctx, loop))
    reply(ctx, 'The research step is done.')
    return outcome
  },
})
