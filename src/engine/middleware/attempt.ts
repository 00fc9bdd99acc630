import { Attempt } from '../attempt.ts'
import { CallPaths } from '../call-paths.ts'
import type { Middleware } from './compose.ts'

/**
 * Gives each attempt its own signal, time limit and call paths. What a failed attempt emitted is forgotten; an
 * irreversible call that it left under way is waited for, or the next attempt would take it for one that was cut off.
 */
export const attempt: Middleware = async (call, next) => {
  const { clock, models } = call.host
  const { timeoutMs } = call.actor.limits
  const limit = timeoutMs === undefined ? undefined : timeoutMs * (models.patience ?? 1)
  const current = new Attempt(call.attemptNumber, clock, limit)
  call.attempt = current
  call.paths = new CallPaths()
  call.emitted = []
  if (call.abandoned !== undefined) current.abort(call.abandoned)
  try {
    return await current.run(next)
  } catch (thrown) {
    await current.effectsDone()
    throw thrown
  }
}
