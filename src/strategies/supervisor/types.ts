import { z } from 'zod'
import type { RoleType } from '../../core/actor.ts'

/** What the supervisor has decided: who is next, with which task of the plan each. */
const choice = z.object({
  /** Empty: nobody. */
  route: z.array(z.object({ agent: z.string(), task: z.string() })),
  /** Which plan of the run it chose from, its own change included. */
  planRound: z.number().int(),
})
export type Choice = z.infer<typeof choice>

export const supervisorType: RoleType<null, Choice> = { name: 'supervisor', input: z.null(), data: choice }

const clarification = z.object({ question: z.string(), answer: z.string() })

/** Asks the person, and comes back with the answer. */
export const clarifierType: RoleType<{ why: string }, z.infer<typeof clarification>> = {
  name: 'clarifier',
  input: z.object({ why: z.string() }),
  data: clarification,
}
