import { z } from 'zod'

/** What the prompts of both planners are given. */
export const plannerInput = z.object({
  question: z.string(),
  /** Lines `key: value`, the date among them. */
  context: z.array(z.string()),
  preferred: z.array(z.string()),
  /** Declarations of the agents that can work. */
  agents: z.string(),
  /** `name: reason` of those that cannot. */
  unusable: z.array(z.string()),
})
