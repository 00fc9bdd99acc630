import { z } from 'zod'

export const ASSISTANT = 'assistant'

/** Strategies that the assistant can hand the whole question over to. */
export const OTHER_STRATEGIES = ['pipeline', 'graph', 'supervisor', 'review'] as const

/** The `data` of the assistant's result. */
export const assistantData = z.object({
  /** The strategy that should answer instead. */
  strategy: z.enum(OTHER_STRATEGIES).optional(),
  /** Tasks of the plan that calls of the last turn delegate, by index of the call. */
  delegated: z.array(z.object({ index: z.number(), tasks: z.array(z.string()) })).optional(),
})
export type AssistantData = z.infer<typeof assistantData>
