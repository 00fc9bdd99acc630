import { Attempt } from '../attempt.ts'
import { CallPaths } from '../call-paths.ts'
import type { Middleware } from './compose.ts'

/** Gives each attempt its own signal, time limit and call paths. What a failed attempt emitted is forgotten. */
export const attempt: Middleware = (call, next) => {
  const current = new Attempt(call.attemptNumber, call.host.clock, call.actor.limits.timeoutMs)
  call.attempt = current
  call.paths = new CallPaths()
  call.emitted = []
  if (call.abandoned !== undefined) current.abort(call.abandoned)
  return current.run(next)
}
