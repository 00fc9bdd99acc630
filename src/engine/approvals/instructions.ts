import { stepOfPath } from '../../domain/effects.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Task } from '../../domain/plan.ts'
import { isQuestion } from '../../domain/approvals.ts'
import type { EffectiveTask } from '../../domain/result.ts'
import type { ApprovalState } from '../../domain/state.ts'
import type { ActorCall } from '../calls/actor-call.ts'
import { siteOf } from '../calls/call-site.ts'
import { classifyInstructions, effectiveTaskOf, type UserInstruction } from '../run/effective-task.ts'
import { askModel } from '../calls/model-calls.ts'

/** The classifier's actor name, by which it can be assigned a model. */
export const CLASSIFIER = 'approval-classifier'

/** A user's instructions for an agent, given with an approval. */
export interface Instruction {
  readonly approvalId: string
  readonly tool: string
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
  const { instructed = [], approvals: asked = [] } = jobs.get(job.key) ?? {}
  const ofTranscript = asked.filter((id) => stepOfPath(job.key, approvals.get(id)?.path ?? '') !== undefined)
  return [...instructed, ...ofTranscript].flatMap((id) => instructionIn(approvals.get(id)))
}

/** Instructions that the job has not been done with yet. */
export function newInstructions({ host, job, actor }: ActorCall): readonly Instruction[] {
  const { jobs, approvals, effects } = host.state
  if (actor.isRole || approvals.size === 0) return []
  const { approvals: asked = [], instructed: known = [] } = jobs.get(job.key) ?? {}
  return asked.flatMap((approvalId) => {
    const approval = approvals.get(approvalId)
    if (approval === undefined || known.includes(approvalId)) return []
    // In a transcript they are the result of the call.
    if (stepOfPath(approval.key, approval.path) !== undefined) return []
    // A completed call can no longer be changed.
    return effects.get(approval.path)?.state === 'done' ? [] : instructionIn(approval)
  })
}

function instructionIn(approval: ApprovalState | undefined): Instruction[] {
  if (approval?.decision !== 'approved' || approval.instructions === undefined || isQuestion(approval)) return []
  return [{ approvalId: approval.approvalId, tool: approval.tool, text: approval.instructions }]
}

/**
 * Creates the effective task from the planned task and the instructions. A model decides once per instruction whether
 * it changes or replaces the task; without a model it is added to the task.
 */
export async function instruct(call: ActorCall): Promise<EffectiveTask> {
  call.unheeded = undefined
  const task = plannedText(call)
  const given: UserInstruction[] = []
  for (const instruction of instructionsOf(call))
    given.push({ text: instruction.text, ...(await intentOf(call, instruction)) })
  const effective = effectiveTaskOf(task, given)
  call.effectiveTask = effective
  const isByModel = given.every(({ by }) => by === 'model')
  call.taskText = isByModel ? effective.text : [task, ...given.map(({ text }) => text)].join('\n')
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
  const asked = await site.attempt.working(() => askModel(site, classifyInstructions, input, { asActor: CLASSIFIER }))
  const intent = { intent: asked.value?.intent ?? 'enhance', by: asked.by }
  call.intents.set(approvalId, intent)
  return intent
}
