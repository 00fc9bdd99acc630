import { toTuttiError } from '../../domain/errors.ts'
import type { ActorCall } from '../calls/actor-call.ts'
import { newInstructions } from '../approvals/instructions.ts'
import type { Middleware } from './compose.ts'

/**
 * Runs a job again when a user approved one of its calls with instructions: the instructions change the task, and then
 * the call. After a restart between decision and repetition, the job starts with them.
 */
export const redoWithInstructions: Middleware = async (call, next) => {
  for (;;) {
    restartWithInstructions(call)
    try {
      return await next()
    } catch (thrown) {
      const isOurs = toTuttiError(thrown).code === 'ApprovalInstructed' && newInstructions(call).length > 0
      if (!isOurs || call.abandoned !== undefined) throw thrown
    }
  }
}

function restartWithInstructions(call: ActorCall): void {
  const { host, job } = call
  const given = newInstructions(call)
  if (given.length === 0) return
  call.attemptNumber++
  const reasons = given.map(({ tool, text }) => `with the approval of "${tool}": ${text}`)
  host.push({
    type: 'job.retrying',
    key: job.key,
    attempt: call.attemptNumber,
    error: { type: 'ApprovalInstructed', message: `Done anew with the instructions given ${reasons.join('; and ')}` },
    delayMs: 0,
    instructed: given.map(({ approvalId }) => approvalId),
  })
}
