import type { Clock } from '../../core/clock.ts'
import { TuttiError } from '../../core/errors.ts'
import type { ApprovalDecision } from '../../core/events.ts'
import type { RunStore } from '../../core/store.ts'
import type { Inbox } from '../run/inbox.ts'
import { assertAnswered } from './instructions.ts'

interface Decision {
  readonly approvalId: string
  readonly choice: 'approved' | 'denied'
  readonly by: string
  readonly instructions: string | undefined
}

/** See `Engine.decide`. */
export async function decide(
  { store, clock, inbox }: { readonly store: RunStore; readonly clock: Clock; readonly inbox: Inbox },
  { approvalId, choice, by, instructions }: Decision,
): Promise<void> {
  const [approval] = await store.approvals({ approvalId })
  if (approval === undefined) throw new TuttiError('ApprovalNotPending', `There is no approval ${approvalId}.`)
  const late = approval.expiresAt <= clock.now()
  const decision: ApprovalDecision = late ? 'timed_out' : choice
  const decided = { type: 'approval.decided', approvalId, decision, by: late ? 'clock' : by } as const
  const said = instructions?.trim()
  if (choice === 'approved') assertAnswered(approval, said ?? '')
  const event = !said || late ? decided : { ...decided, instructions: said }
  const told = await inbox.tell(approval.runId, event)
  if (told && !late) return
  const [now] = await store.approvals({ approvalId })
  const status = (now ?? approval).status.replace('_', ' ')
  throw new TuttiError('ApprovalNotPending', `Too late: this approval is ${status}.`)
}
