/** The engine's clock. Tests inject one that they advance by hand, so that no test sleeps. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls back once after `ms`; the returned function cancels. */
  timer(ms: number, callback: () => void): () => void
}

/** `setTimeout` fires at once for more than 2^31-1 ms, so longer waits are cut into pieces. */
const MAX_TIMEOUT_MS = 2_147_483_647

export const systemClock: Clock = {
  now: () => Date.now(),
  timer(ms, callback) {
    let remaining = ms
    let handle: NodeJS.Timeout
    const step = (): void => {
      const wait = Math.min(remaining, MAX_TIMEOUT_MS)
      remaining -= wait
      handle = setTimeout(remaining > 0 ? step : callback, wait)
    }
    step()
    return () => clearTimeout(handle)
  },
}

/** Waits on the given clock; rejects with the signal's reason when aborted. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = (): void => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = clock.timer(ms, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** Resolves like `work`, but rejects with the signal's reason as soon as it is aborted, even if `work` continues. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
