import { z } from 'zod'
import type { RoleType } from '../../domain/actor.ts'
import type { Step } from './table.ts'

/** The orchestrator's instruction to an actor. `stepId` is the position of the research step, from 0. */
const instruction = z.object({
  sender: z.literal('orchestrator'),
  receiver: z.string(),
  type: z.literal('instruction'),
  content: z.string(),
  stepId: z.int().nullable(),
})
export type Instruction = Readonly<z.infer<typeof instruction>>

const plan = z.object({ researchSteps: z.array(z.string()), expertSteps: z.array(z.string()) })
const verdict = z.object({ decision: z.enum(['approve', 'reject']), feedback: z.string() })
const opinion = z.object({ expertAnswer: z.string(), expertReasoning: z.string() })
const final = z.object({ finalAnswer: z.string(), finalReasoningTrace: z.string() })

/**
 * Why it ended: the answer was approved; an error that a retry cannot fix; no turns or budget for the remaining
 * research; or rejected work that may not or need not be retried, so that there is no answer.
 */
const ending = z.enum(['approved', 'error', 'cut', 'unanswered'])
export type Ending = z.infer<typeof ending>
const lastInstruction = instruction.extend({ ending })

export type PlanSteps = z.infer<typeof plan>
export type Verdict = z.infer<typeof verdict>
export type Opinion = z.infer<typeof opinion>

export const plannerType: RoleType<Instruction, PlanSteps> = { name: 'review-planner', input: instruction, data: plan }
export const expertType: RoleType<Instruction, Opinion> = { name: 'review-expert', input: instruction, data: opinion }
export type LastInstruction = Readonly<z.infer<typeof lastInstruction>>
export type FinalAnswer = z.infer<typeof final>
export const finalizerType: RoleType<LastInstruction, FinalAnswer> = {
  name: 'finalizer',
  input: lastInstruction,
  data: final,
}
const critic = { input: instruction, data: verdict }
export const criticTypes = {
  critic_planner: { name: 'critic-planner', ...critic },
  critic_researcher: { name: 'critic-researcher', ...critic },
  critic_expert: { name: 'critic-expert', ...critic },
} satisfies Partial<Record<Step, RoleType<Instruction, Verdict>>>
export type CriticStep = keyof typeof criticTypes

/**
 * The actor of each step. Research is done by the agents that the plan names, or by the researcher if it names none.
 */
export const ACTORS: Readonly<Record<Exclude<Step, 'researcher'>, string>> = {
  planner: plannerType.name,
  critic_planner: criticTypes.critic_planner.name,
  critic_researcher: criticTypes.critic_researcher.name,
  expert: expertType.name,
  critic_expert: criticTypes.critic_expert.name,
  finalizer: finalizerType.name,
}

/** The agent of research steps for which the plan names no other. */
export const RESEARCHER = 'researcher'

/** Answer and reasoning if a question has used up its retries. */
export const NOT_ANSWERED = 'The question could not be answered.'
