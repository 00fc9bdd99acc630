import { Attempt, CallPaths } from '../calls/attempt.ts'
import type { Middleware } from './retry.ts'

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
  call.emitted = []
  if (call.abandoned !== undefined) current.abort(call.abandoned)
  try {
    return await current.run(next)
  } finally {
    await current.effectsDone()
  }
}
