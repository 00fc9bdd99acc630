import { z } from 'zod'
import { aboutRun } from './run-sections.ts'
import type { RoleContext } from '../../domain/actor.ts'

/** Input of both planners' prompts. */
export const plannerInput = z.object({
  about: aboutRun,
  preferred: z.array(z.string()),
  /** Declarations of the agents that can work. */
  agents: z.string(),
  /** `name: reason` of agents that cannot work. */
  unusable: z.array(z.string()),
})

/** Requested from a planner's model with the plan: the rewritten question, which applies to tasks without a text. */
export const standalone = z
  .string()
  .default('')
  .describe('the question complete in itself, where it needs the conversation to be understood; else empty')

export const STANDALONE_RULE = `- Where the question needs the conversation to be understood, give it in standalone as a complete question in its own language.`

/** The question as completed by a model; unchanged if there is no conversation that it could continue from. */
export function completeQuestion({ request, recollection }: RoleContext, text: string): string {
  const isConversation = recollection.recent.length > 0 || recollection.summary !== undefined
  return (isConversation && text.trim()) || request.question
}

/** Ids of the steps that a step depends on; a model may omit the field. */
export const dependencies = z.preprocess((given) => given ?? [], z.array(z.string()))

/** An object for which a model may return the text of one field only. */
export function objectOrText<S extends z.ZodType>(field: string, object: S) {
  return z.preprocess((given) => (typeof given === 'string' ? { [field]: given } : given), object)
}

/** Requested from planners and supervisor with the plan. */
export const notPossible = z
  .array(z.object({ part: z.string().describe('in the words of the question'), reason: z.string() }))
  .nullish()
  .describe('parts of the question that no agent can do; else null')

export const NOT_POSSIBLE_RULE = `- What needs the user's data or an action, and no agent can do, goes into not_possible with the reason. Plan the other parts all the same. List again what stands under <not_possible> and still cannot be done.`
