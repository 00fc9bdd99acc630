import { z } from 'zod'
import type { RoleContext } from '../../core/actor.ts'

/** What a planner's model is asked for beside the plan: tasks without a text of their own are about this question. */
export const standalone = z
  .string()
  .default('')
  .describe('the question complete in itself, where it needs the conversation to be understood; else empty')

export const STANDALONE_RULE = `- Where the question needs the conversation to be understood, give it in standalone as a complete question in its own language.`

/** The question as a model has completed it; as it is where there is no conversation that it could go on from. */
export function completeQuestion({ request, recollection }: RoleContext, text: string): string {
  const isConversation = recollection.recent.length > 0 || recollection.summary !== undefined
  return (isConversation && text.trim()) || request.question
}
