import { toTuttiError } from '../../domain/errors.ts'
import type { ActorCall } from '../calls/actor-call.ts'
import { newInstructions } from '../approvals/instructions.ts'
import type { Middleware } from './retry.ts'
import { Attempt, CallPaths } from '../calls/attempt.ts'
import { EarlierEffects } from '../calls/earlier-effects.ts'

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
  const instructions = newInstructions(call)
  if (instructions.length === 0) return
  call.attemptNumber++
  const reasons = instructions.map(({ tool, text }) => `with the approval of "${tool}": ${text}`)
  host.push({
    type: 'job.retrying',
    key: job.key,
    attempt: call.attemptNumber,
    error: { type: 'ApprovalInstructed', message: `Done anew with the instructions given ${reasons.join('; and ')}` },
    delayMs: 0,
    instructed: instructions.map(({ approvalId }) => approvalId),
  })
}

/**
 * Gives each attempt its own signal, time limit and call paths. Events of a failed attempt are dropped. An irreversible
 * call that it left in progress is awaited; otherwise it would count as interrupted.
 */
export const attempt: Middleware = async (call, next) => {
  const { host } = call
  const { timeoutMs } = call.actor.limits
  const limit = timeoutMs === undefined ? undefined : timeoutMs * (host.models.patience ?? 1)
  const current = new Attempt(call.attemptNumber, host.clock, limit, {
    onIdle: () => host.onIdle(),
    enter: (begin) => host.slots.enter(begin),
  })
  call.attempt = current
  call.paths = new CallPaths()
  call.earlier = new EarlierEffects(host.state, call.job.key, call.attemptNumber)
  call.emitted = []
  if (call.abandoned !== undefined) current.abort(call.abandoned)
  try {
    return await current.run(next)
  } finally {
    await current.effectsDone()
  }
}
