import { sleep } from '../../shared/clock.ts'
import { toTuttiError, type TuttiError } from '../../domain/errors.ts'
import type { ActorCall } from '../calls/actor-call.ts'
import { loggedError } from '../log/plain-json.ts'
import type { Outcome } from '../../domain/result.ts'

const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 30_000

/**
 * Makes further attempts while the error is retryable and the actor's limit allows it; waits with exponential backoff
 * and full jitter in between (AWS Architecture Blog, "Exponential Backoff And Jitter").
 */
export const retry: Middleware = async (call, next) => {
  for (;;) {
    try {
      return await next()
    } catch (thrown) {
      const error = toTuttiError(thrown)
      if (call.abandoned !== undefined) throw call.abandoned
      const isRetryable =
        (call.rejected !== undefined && error.code === 'ResultRejected') ||
        (call.attemptNumber < lastAttemptOf(call) && error.retryable)
      if (!isRetryable && !mayAnswerWithoutModels(call, error)) throw error
      await waitBeforeNext(call, error, isRetryable)
    }
  }
}

/** Attempts caused by a rejection do not count as the agent's own. */
function lastAttemptOf({ actor, host, job }: ActorCall): number {
  const { rejections = [] } = host.state.jobs.get(job.key) ?? {}
  return 1 + (actor.limits.retries ?? 0) + rejections.length
}

/**
 * A role that was stopped by the run's limit or its own gets one more attempt, in which fallbacks answer its model
 * calls.
 */
function mayAnswerWithoutModels(call: ActorCall, { code }: TuttiError): boolean {
  const isCutOff = code === 'BudgetExceeded' || code === 'Timeout'
  return call.actor.isRole && isCutOff && call.host.state.cancelling === undefined && !call.lastChance
}

async function waitBeforeNext(call: ActorCall, error: TuttiError, withDelay: boolean): Promise<void> {
  call.lastChance ||= !withDelay
  if (call.lastChance && error.code === 'Timeout') call.withoutModel = 'the time for it is over'
  const { rejected } = call
  const delayMs = withDelay && rejected === undefined ? jobBackoffMs(call.attemptNumber, call.host.random) : 0
  call.attemptNumber++
  call.rejected = undefined
  call.host.push({
    type: 'job.retrying',
    key: call.job.key,
    attempt: call.attemptNumber,
    error: loggedError(error),
    delayMs,
    ...(rejected === undefined ? {} : { rejected }),
  })
  if (delayMs > 0) await waitInBackground(call, delayMs)
}

/** Others work in the meantime. */
async function waitInBackground(call: ActorCall, ms: number): Promise<void> {
  const { host } = call
  call.isResting = true
  host.onIdle()
  await sleep(host.clock, ms, call.signal).finally(() => {
    if (call.abandoned !== undefined) call.isResting = false
  })
  await host.slots.enter(() => (call.isResting = false))
}

/** Milliseconds before the attempt after `attempt`. */
function jobBackoffMs(attempt: number, random: () => number): number {
  const ceiling = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
  return Math.round(random() * ceiling)
}

/** One layer around an actor. It may call `next` once, several times (retry) or not at all. */
export type Middleware = (call: ActorCall, next: () => Promise<Outcome>) => Promise<Outcome>

/** Puts layers around `core`, the first one outermost. */
export function compose(
  layers: readonly Middleware[],
  core: (call: ActorCall) => Promise<Outcome>,
): (call: ActorCall) => Promise<Outcome> {
  return layers.reduceRight<(call: ActorCall) => Promise<Outcome>>(
    (inner, layer) => (call) => layer(call, () => inner(call)),
    core,
  )
}
