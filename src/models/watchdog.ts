import type { Clock } from '../shared/clock.ts'
import type { Timeouts } from './config.ts'

export interface Expired {
  /** The end of a sentence that begins with the provider's name. */
  readonly sentence: string
  /** Whether the provider had all its time; false when the caller had none left. */
  readonly isHang: boolean
}

export interface Watchdog {
  /** Aborted when the caller's signal is, or when a time limit is over. */
  readonly signal: AbortSignal
  /** Which limit was broken; undefined while none was. */
  readonly expired: () => Expired | undefined
  /** Something arrived. */
  readonly progress: () => void
  /** Ends the watch, and the request if it is still going on. */
  readonly stop: () => void
}

/** Limits of one request; `leftMs` is the remaining time for the answer. */
export type RequestLimits = Omit<Timeouts, 'answerMs'> & { readonly leftMs: number }

/**
 * Limits the time of one request, on the given clock: until its first event, between events, and in whole, so that a silent
 * connection is noticed long before the whole request would time out.
 */
export function startRequestWatchdog(clock: Clock, limits: RequestLimits, caller: AbortSignal): Watchdog {
  const controller = new AbortController()
  let expired: Expired | undefined
  const expire = (sentence: string, isHang = true): void => {
    if (controller.signal.aborted) return
    expired = { sentence, isHang }
    controller.abort(new Error(sentence))
  }
  const onCallerAbort = (): void => controller.abort(caller.reason)
  if (caller.aborted) onCallerAbort()
  else caller.addEventListener('abort', onCallerAbort, { once: true })

  const { firstChunkMs, idleMs, totalMs, leftMs } = limits
  const cancelTotal =
    leftMs < totalMs
      ? clock.timer(leftMs, () => expire('did not finish in the time that was left for it', false))
      : clock.timer(totalMs, () => expire(`did not finish within ${seconds(totalMs)}`))
  let cancelIdle = clock.timer(firstChunkMs, () => expire(`sent nothing for ${seconds(firstChunkMs)}`))
  return {
    signal: controller.signal,
    expired: () => expired,
    progress() {
      // A reader that has not noticed the end yet must not start a timer, since no caller would cancel it.
      if (controller.signal.aborted) return
      cancelIdle()
      cancelIdle = clock.timer(idleMs, () => expire(`fell silent for ${seconds(idleMs)}`))
    },
    stop() {
      cancelTotal()
      cancelIdle()
      caller.removeEventListener('abort', onCallerAbort)
      controller.abort()
    },
  }
}

function seconds(ms: number): string {
  return `${ms / 1000} s`
}
