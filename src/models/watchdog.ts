import type { Clock } from '../core/clock.ts'
import type { Timeouts } from './config.ts'

export interface Watchdog {
  /** Aborted when the caller's signal is, or when a time limit is over. */
  readonly signal: AbortSignal
  /** Which limit was broken, as the end of a sentence; undefined while none was. */
  readonly expired: () => string | undefined
  /** Something arrived. */
  readonly progress: () => void
  /** Ends the watch, and whatever of the request may still be going on. */
  readonly stop: () => void
}

/**
 * Bounds one request in time, on the given clock. For a stream it also watches the time to its first event and between
 * events, so that a silent connection is noticed long before the whole request would time out.
 */
export function startWatchdog(clock: Clock, limits: Timeouts, isStream: boolean, caller: AbortSignal): Watchdog {
  const controller = new AbortController()
  let expired: string | undefined
  const expire = (sentence: string): void => {
    if (controller.signal.aborted) return
    expired = sentence
    controller.abort(new Error(sentence))
  }
  const onCallerAbort = (): void => controller.abort(caller.reason)
  if (caller.aborted) onCallerAbort()
  else caller.addEventListener('abort', onCallerAbort, { once: true })

  const cancelTotal = clock.timer(limits.totalMs, () => expire(`did not finish within ${seconds(limits.totalMs)}`))
  let cancelIdle = isStream
    ? clock.timer(limits.firstChunkMs, () => expire(`sent nothing for ${seconds(limits.firstChunkMs)}`))
    : (): void => {}
  return {
    signal: controller.signal,
    expired: () => expired,
    progress() {
      // A reader that has not noticed the end yet must not set a timer that nobody would cancel.
      if (!isStream || controller.signal.aborted) return
      cancelIdle()
      cancelIdle = clock.timer(limits.idleMs, () => expire(`fell silent for ${seconds(limits.idleMs)}`))
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
