import { type ApprovalDetails, isQuestion } from '../../domain/approvals.ts'
import type { Clock } from '../../shared/clock.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { ApprovalDecision } from '../../domain/events.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { ApprovalRecord, RunStore } from '../../domain/store.ts'
import type { RunCommands } from '../run/commands.ts'
import { assertReply } from './instructions.ts'

interface Decision extends ApprovalDetails {
  readonly approvalId: string
  readonly choice: 'approved' | 'denied'
  readonly by: string
  readonly instructions: string | undefined
}

/** See `Engine.decide`. */
export async function decide(
  { store, clock, commands }: { readonly store: RunStore; readonly clock: Clock; readonly commands: RunCommands },
  { approvalId, choice, by, instructions, scope = 'once', payload }: Decision,
): Promise<void> {
  const [approval] = await store.approvals({ approvalId })
  if (approval === undefined) throw new TuttiError('ApprovalNotPending', `There is no approval ${approvalId}.`)
  const late = approval.expiresAt <= clock.now()
  const decision: ApprovalDecision = late ? 'timed_out' : choice
  const decided = { type: 'approval.decided', approvalId, decision, by: late ? 'clock' : by } as const
  const text = instructions?.trim()
  if (choice === 'approved') assertReply(approval, text ?? '')
  assertPossible(approval, { scope, payload }, choice === 'approved' && !text)
  const options = { instructions: text || undefined, scope: scope === 'once' ? undefined : scope, payload }
  const event = late ? decided : { ...decided, ...omitUndefined(options) }
  const accepted = await commands.send(approval.runId, event)
  if (accepted && !late) {
    const { runId, tool, destination } = approval
    // Calls that the scope covers, and that were requested before it was given.
    const open =
      scope === 'once'
        ? []
        : await store.approvals({ runId, status: 'pending', tool, ...omitUndefined({ destination }) })
    for (const { approvalId: id, scopes } of open) {
      if (scopes?.includes(scope) === true) await commands.send(runId, { ...decided, approvalId: id })
    }
    return
  }
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
