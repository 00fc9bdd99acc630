import { classifyInstructions } from '../engine/approvals/instructions.ts'
import { composeAnswer } from '../strategies/planning/composer-prompt.ts'
import { makePlan } from '../strategies/graph/prompts.ts'
import { extractMemory, summariseConversation } from '../memory/prompts.ts'
import { refinePlan } from '../strategies/pipeline/prompts.ts'
import { reviewFinal, reviewJudge, reviewPlan } from '../strategies/review/prompts.ts'
import { routeAgents } from '../strategies/supervisor/prompts.ts'
import { designTeam, writeReport } from '../agents/teams/prompts.ts'
import { reflectOnResult } from '../agents/agent-middleware/reflect-prompt.ts'
import type { z } from 'zod'
import type { Prompt } from '../domain/prompt.ts'
import { judgeAnswer } from '../evaluation/judge.ts'
import { describeDocument } from '../documents/ingest/describe.ts'

/** A prompt whatever its input and output are. */
export type AnyPrompt = Omit<Prompt<never, never>, 'input' | 'output'> & {
  readonly input: z.ZodType
  readonly output: z.ZodType
}

/** Every prompt of the product, in the order of docs/prompts.md. */
export const PROMPTS: readonly AnyPrompt[] = [
  refinePlan,
  makePlan,
  reviewPlan,
  reviewJudge,
  reviewFinal,
  routeAgents,
  composeAnswer,
  describeDocument,
  designTeam,
  writeReport,
  reflectOnResult,
  extractMemory,
  summariseConversation,
  classifyInstructions,
  judgeAnswer,
]
