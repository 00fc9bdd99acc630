import { TuttiError } from '../../domain/errors.ts'
import type { Task } from '../../domain/plan.ts'
import { isQuestion } from '../../domain/approvals.ts'
import type { EffectiveTask } from '../../domain/result.ts'
import type { ApprovalState } from '../../domain/state.ts'
import type { ActorCall } from '../calls/actor-call.ts'
import { siteOf } from '../calls/call-site.ts'
import { askModel } from '../calls/model-calls.ts'
import { z } from 'zod'
import { definePrompt } from '../../domain/prompt.ts'
import { quoteLines } from '../../domain/prompt-text.ts'

type Intent = EffectiveTask['intent']

const input = z.object({ task: z.string(), instructions: z.string() })
const output = z.object({ intent: z.enum(['enhance', 'override']) })

const RULES = `A user approved an action of an assistant and added instructions. Say how they relate to the task:
- "enhance": they add to the task, narrow it or say how it should be done. The task is still to be done.
- "override": they ask for something else in place of the task.
In doubt, say "enhance".`

/** Classifies instructions: an addition to the task, or a replacement. */
export const classifyInstructions = definePrompt<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'approval.classify',
  about: {
    purpose: 'Decides whether instructions given with an approval add to the task or replace it.',
    when: 'an approval came with instructions',
    failure: 'the instructions come on top of the task',
  },
  wording: RULES,
  data: 'the task and the instructions',
  input,
  output,
  temperature: 0,
  maxOutputTokens: 500,
  withoutMemory: true,
  render: ({ task, instructions }) => ({
    user: `Task:\n${quoteLines([task])}\n\nInstructions:\n${quoteLines([instructions])}`,
  }),
})

/** One instruction of a user. */
interface UserInstruction {
  readonly text: string
  readonly intent: Intent
  readonly by?: 'model' | 'fallback'
}

/**
 * The task for the agent. Of several instructions, the last one that overrides replaces those before it; later ones are
 * added to it.
 */
export function effectiveTaskOf(original: string, given: readonly UserInstruction[]): EffectiveTask {
  const last = given.findLastIndex((one) => one.intent === 'override')
  const textFrom = (from: number): string =>
    given
      .slice(from)
      .map(({ text }) => text)
      .join('\n')
  return last === -1
    ? { intent: 'enhance', text: enhanced(original, textFrom(0)) }
    : { intent: 'override', text: overridden(original, textFrom(last)) }
}

function enhanced(original: string, instructions: string): string {
  return [
    'Complete BOTH the original task AND the additional user instructions below.',
    `### Original Task\n${original}`,
    `### User Enhanced Instructions\n${instructions}`,
  ].join('\n\n')
}

function overridden(original: string, instructions: string): string {
  return [
    'IMPORTANT — The user wants you to follow these override instructions\nINSTEAD of the original task.',
    `### User Override Instructions\n${instructions}`,
    `### Original Task (for reference only)\n${original}`,
  ].join('\n\n')
}

/** The classifier's actor name, by which it can be assigned a model. */
export const CLASSIFIER = 'approval-classifier'

/** A user's instructions for an agent, given with an approval. */
interface Instruction {
  readonly approvalId: string
  readonly text: string
}

/** The agent's task as planned. */
export function plannedText({ job, host }: ActorCall): string {
  return (job.input as Task).text ?? host.state.request.question
}

/** @throws TuttiError `InvalidRequest` for a question without an answer */
export function assertReply(approval: Pick<ApprovalState, 'tool'>, reply: string): void {
  if (!isQuestion(approval) || reply !== '') return
  throw new TuttiError('InvalidRequest', 'This is a question: answer it in words, or deny to leave it unanswered.')
}

/** Instructions that are part of the job's task by now, in their order. */
export function instructionsOf({ host, job }: ActorCall): readonly Instruction[] {
  const { jobs, approvals } = host.state
  return (jobs.get(job.key)?.approvals ?? []).flatMap((id) => instructionIn(approvals.get(id)))
}

function instructionIn(approval: ApprovalState | undefined): Instruction[] {
  if (approval?.decision !== 'approved' || approval.instructions === undefined || isQuestion(approval)) return []
  return [{ approvalId: approval.approvalId, text: approval.instructions }]
}

/**
 * Creates the effective task from the planned task and the instructions. A model decides once per instruction whether
 * it changes or replaces the task; without a model it is added to the task.
 */
export async function instruct(call: ActorCall): Promise<EffectiveTask> {
  const task = plannedText(call)
  const instructions: UserInstruction[] = []
  for (const instruction of instructionsOf(call))
    instructions.push({ text: instruction.text, ...(await intentOf(call, instruction)) })
  const effective = effectiveTaskOf(task, instructions)
  call.effectiveTask = effective
  const isByModel = instructions.every(({ by }) => by === 'model')
  call.taskText = isByModel ? effective.text : [task, ...instructions.map(({ text }) => text)].join('\n')
  return effective
}

async function intentOf(
  call: ActorCall,
  { approvalId, text }: Instruction,
): Promise<Pick<UserInstruction, 'intent' | 'by'>> {
  const known = call.intents.get(approvalId)
  if (known !== undefined) return known
  const site = siteOf(call)
  const input = { task: plannedText(call), instructions: text }
  const classified = await site.attempt.working(() =>
    askModel(site, classifyInstructions, input, { asActor: CLASSIFIER }),
  )
  const intent = { intent: classified.value?.intent ?? 'enhance', by: classified.by }
  call.intents.set(approvalId, intent)
  return intent
}
