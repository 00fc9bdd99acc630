import { z } from 'zod'
import { aboutRun, runSections } from './run-sections.ts'
import type { RoleContext } from '../../domain/actor.ts'
import { latestAttempt } from '../../domain/job.ts'
import { tagged } from '../../domain/prompt-text.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { OfferedAgents } from './usable-agents.ts'

/** Input of both planners' prompts. */
export const plannerInput = z.object({
  about: aboutRun,
  preferred: z.array(z.string()),
  /** Declarations of the agents that can work. */
  agents: z.string(),
  /** `name: reason` of agents that cannot work. */
  unusable: z.array(z.string()),
  /** Results of an earlier plan, when replanning. */
  earlier: z.array(z.object({ id: z.string(), agent: z.string(), status: z.string(), summary: z.string() })),
  systemPrompt: z.string().optional(),
})
type PlannerInput = z.infer<typeof plannerInput>

export function plannerInputFor(ctx: RoleContext, { text, unusable }: OfferedAgents): PlannerInput {
  const { preferAgents, systemPrompt } = ctx.request
  const tried = ctx.state.plan?.plan.tasks ?? []
  return {
    about: runSections(ctx),
    preferred: preferAgents,
    agents: text,
    unusable: [...unusable],
    earlier: tried.map(({ id, agent }) => {
      const { status = 'skipped', error, answer = '' } = latestAttempt(ctx.state, id)?.result ?? {}
      return { id, agent, status, summary: error?.message ?? answer }
    }),
    ...omitUndefined({ systemPrompt }),
  }
}

/** The part of a planning prompt that stays the same within a conversation. */
export function offeredSections({ agents, unusable }: Pick<PlannerInput, 'agents' | 'unusable'>): string[] {
  return [
    tagged('agents', agents || 'none'),
    ...(unusable.length === 0 ? [] : [tagged('cannot_work', unusable.join('\n'))]),
  ]
}

/** The user message of a planner's prompt. @param again what to do after an earlier plan */
export function plannerMessage({ preferred, earlier, about }: PlannerInput, again: string): string {
  const results = earlier.map(({ id, agent, status, summary }) =>
    tagged('earlier', summary, { task: id, agent, status }),
  )
  return [
    ...(preferred.length === 0 ? [] : [`Preferred agents: ${preferred.join(', ')}`]),
    ...(earlier.length === 0 ? [] : [`An earlier plan did not lead to an answer. ${again}\n${results.join('\n')}`]),
    ...about,
  ].join('\n\n')
}

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
