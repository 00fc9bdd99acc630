import { composeAnswer } from '../agents/roles/composer-prompt.ts'
import { makePlan } from '../agents/roles/graph/master-planner-prompt.ts'
import { extractMemory } from '../agents/roles/memory-extractor-prompt.ts'
import { refinePlan } from '../agents/roles/pipeline/planner-prompt.ts'
import { reviewFinal, reviewJudge, reviewPlan } from '../agents/roles/review/prompts.ts'
import { routeAgents } from '../agents/roles/supervisor/supervisor-prompt.ts'
import { summariseConversation } from '../agents/roles/summarizer-prompt.ts'
import { designTeam, writeReport } from '../agents/teams/prompts.ts'
import { reflectOnResult } from '../agents/worker/reflect-prompt.ts'
import type { z } from 'zod'
import type { Prompt } from '../core/prompt.ts'
import { classifyInstructions } from '../engine/run/effective-task.ts'
import { judgeAnswer } from '../evaluation/judge-prompt.ts'
import { describeDocument } from '../knowledge/ingest/describe.ts'

/** A prompt whatever its input and output are. */
export type AnyPrompt = Omit<Prompt<never, never>, 'input' | 'output' | 'fallback'> & {
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
