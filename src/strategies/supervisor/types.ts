import { z } from 'zod'
import type { RoleType } from '../../domain/actor.ts'

/** The supervisor's decision: the next agents, each with a task of the plan. */
const choice = z.object({
  /** Empty: no agent. */
  route: z.array(z.object({ agent: z.string(), task: z.string() })),
  /** The number of the plan that it chose from, its own change included. */
  planRound: z.number().int(),
  /** Nothing is left to plan once all of these steps have succeeded. */
  isLast: z.boolean().optional(),
  /** The question to ask the user first. */
  question: z.string().optional(),
})
export type Choice = z.infer<typeof choice>

export const supervisorType: RoleType<null, Choice> = { name: 'supervisor', input: z.null(), data: choice }

const clarification = z.object({ question: z.string(), answer: z.string() })

/** The supervisor's question, or why the run got stuck. */
const asking = z.union([z.object({ question: z.string() }), z.object({ why: z.string() })])

/** Asks the user, and returns the reply. */
export const clarifierType: RoleType<z.infer<typeof asking>, z.infer<typeof clarification>> = {
  name: 'clarifier',
  input: asking,
  data: clarification,
}
