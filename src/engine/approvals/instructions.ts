import { stepOfPath } from '../../core/effect-state.ts'
import { TuttiError } from '../../core/errors.ts'
import { cut } from '../../core/outside.ts'
import type { Task } from '../../core/plan.ts'
import { isQuestion } from '../../core/question.ts'
import type { ApprovalState } from '../../core/state.ts'
import type { ActorCall } from '../calls/actor-call.ts'
import { siteOf } from '../calls/call-site.ts'
import { classifyInstructions, contests, effectiveTaskOf, plainTaskOf, refuses } from '../run/effective-task.ts'
import { askModel } from '../calls/model-calls.ts'

/** The name by which the classifier is given a model of its own. */
export const CLASSIFIER = 'approval-classifier'

/** What a person told the agent when approving one of its calls. */
export interface Instruction {
  readonly approvalId: string
  readonly tool: string
  readonly text: string
}

/** What the plan gives the agent to do. */
export function plannedText({ job, host }: ActorCall): string {
  return (job.input as Task).text ?? host.state.request.question
}

/** @throws TuttiError `InvalidRequest` for a question without an answer, and for words that refuse what they approve */
export function assertApproves(approval: Pick<ApprovalState, 'tool'>, said: string): void {
  if (isQuestion(approval)) {
    if (said !== '') return
    throw new TuttiError('InvalidRequest', 'This is a question: answer it in words, or deny to leave it unanswered.')
  }
  if (!refuses(said)) return
  const message = `“${cut(said, 200)}” speaks against what it would approve, so nothing was decided: deny it instead, or say how it is to be done.`
  throw new TuttiError('InvalidRequest', message)
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
    // What is done already cannot be done otherwise any more.
    return effects.get(approval.path)?.state === 'done' ? [] : instructionIn(approval)
  })
}

function instructionIn(approval: ApprovalState | undefined): Instruction[] {
  if (approval?.decision !== 'approved' || approval.instructions === undefined || isQuestion(approval)) return []
  return [{ approvalId: approval.approvalId, tool: approval.tool, text: approval.instructions }]
}

/**
 * Makes the task of an attempt from the plan and the instructions. A model is asked once for all attempts whether they
 * change the task or replace it; where none answers, the agent is given plain words, since its rules will read them.
 */
export async function instruct(call: ActorCall): Promise<void> {
  const site = siteOf(call)
  const { attempt } = site
  call.unheeded = undefined
  const task = plannedText(call)
  const instructions = instructionsOf(call)
  const answers = await Promise.all(
    instructions.map(({ text }) =>
      attempt.working(() =>
        askModel(site, classifyInstructions, { task, instructions: text }, { asActor: CLASSIFIER }),
      ),
    ),
  )
  const given = instructions.map(({ text }, i) => ({ text, intent: answers[i]!.value.intent }))
  for (const [i, { approvalId }] of instructions.entries()) if (contests(given[i]!)) call.contested.push(approvalId)
  call.effectiveTask = effectiveTaskOf(task, given)
  call.taskText = answers.every(({ by }) => by === 'model') ? call.effectiveTask.text : plainTaskOf(task, given)
}
