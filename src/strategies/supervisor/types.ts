import { z } from 'zod'
import type { RoleType } from '../../domain/actor.ts'

/** What the supervisor has decided: who is next, with which task of the plan each. */
const choice = z.object({
  /** Empty: nobody. */
  route: z.array(z.object({ agent: z.string(), task: z.string() })),
  /** Which plan of the run it chose from, its own change included. */
  planRound: z.number().int(),
  /** Nothing is left to plan once all of these steps have succeeded. */
  isLast: z.boolean().optional(),
  /** What the user is to be asked first. */
  question: z.string().optional(),
})
export type Choice = z.infer<typeof choice>

export const supervisorType: RoleType<null, Choice> = { name: 'supervisor', input: z.null(), data: choice }

const clarification = z.object({ question: z.string(), answer: z.string() })

/** The supervisor's question, or why the run got stuck. */
const asking = z.union([z.object({ question: z.string() }), z.object({ why: z.string() })])

/** Asks the user, and returns the answer. */
export const clarifierType: RoleType<z.infer<typeof asking>, z.infer<typeof clarification>> = {
  name: 'clarifier',
  input: asking,
  data: clarification,
}
