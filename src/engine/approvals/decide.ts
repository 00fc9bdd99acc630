import type { ApprovalDetails } from '../../core/approval-scope.ts'
import type { Clock } from '../../core/clock.ts'
import { TuttiError } from '../../core/errors.ts'
import type { ApprovalDecision } from '../../core/events.ts'
import { given } from '../../core/given.ts'
import { isQuestion } from '../../core/question.ts'
import type { ApprovalRecord, RunStore } from '../../core/store.ts'
import type { Inbox } from '../run/inbox.ts'
import { assertAnswered } from './instructions.ts'

interface Decision extends ApprovalDetails {
  readonly approvalId: string
  readonly choice: 'approved' | 'denied'
  readonly by: string
  readonly instructions: string | undefined
}

/** See `Engine.decide`. */
export async function decide(
  { store, clock, inbox }: { readonly store: RunStore; readonly clock: Clock; readonly inbox: Inbox },
  { approvalId, choice, by, instructions, scope = 'once', payload }: Decision,
): Promise<void> {
  const [approval] = await store.approvals({ approvalId })
  if (approval === undefined) throw new TuttiError('ApprovalNotPending', `There is no approval ${approvalId}.`)
  const late = approval.expiresAt <= clock.now()
  const decision: ApprovalDecision = late ? 'timed_out' : choice
  const decided = { type: 'approval.decided', approvalId, decision, by: late ? 'clock' : by } as const
  const said = instructions?.trim()
  if (choice === 'approved') assertAnswered(approval, said ?? '')
  assertPossible(approval, { scope, payload }, choice === 'approved' && !said)
  const more = { instructions: said || undefined, scope: scope === 'once' ? undefined : scope, payload }
  const event = late ? decided : { ...decided, ...given(more) }
  const told = await inbox.tell(approval.runId, event)
  if (told && !late) return
  const [now] = await store.approvals({ approvalId })
  const status = (now ?? approval).status.replace('_', ' ')
  throw new TuttiError('ApprovalNotPending', `Too late: this approval is ${status}.`)
}

/** @param isPlain whether the call is approved without instructions */
function assertPossible(
  approval: ApprovalRecord,
  { scope = 'once', payload }: ApprovalDetails,
  isPlain: boolean,
): void {
  const { scopes = ['once'] } = approval
  if (!scopes.includes(scope)) {
    const message = `This approval cannot have the scope "${scope}", only: ${scopes.join(', ')}.`
    throw new TuttiError('InvalidRequest', message)
  }
  if ((scope === 'once' && payload === undefined) || (isPlain && !isQuestion(approval))) return
  throw new TuttiError(
    'InvalidRequest',
    'A scope or an edited payload goes with the approval of a call, without instructions.',
  )
}
