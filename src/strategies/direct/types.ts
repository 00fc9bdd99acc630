import { z } from 'zod'

export const ASSISTANT = 'assistant'

/** Strategies to which the assistant can hand the whole question over. */
export const OTHER_STRATEGIES = ['pipeline', 'graph', 'supervisor', 'review'] as const

/** The `data` of the assistant's result. */
export const assistantData = z.object({
  /** The strategy that should answer instead. */
  strategy: z.enum(OTHER_STRATEGIES).optional(),
  /** Tasks of the plan that a call of the last turn asks for, by index of the call. */
  delegated: z.array(z.object({ index: z.number(), tasks: z.array(z.string()) })).optional(),
})
export type AssistantData = z.infer<typeof assistantData>
