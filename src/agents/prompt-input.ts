import { z } from 'zod'

/** What the prompts of specialists that plan or write something are told of their task. */
export const promptInput = {
  question: z.string(),
  /** Today and what else the caller gave, as `key: value`. */
  context: z.array(z.string()),
  /** What earlier agents found. */
  findings: z.array(z.string()),
  systemPrompt: z.string().optional(),
}
