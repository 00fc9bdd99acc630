/** Waits of tests: for I/O, for time on the test clock, for each other. */
import type { ManualClock } from '../../src/testing/manual-clock.ts'
import { areStoresBusy } from './watched-store.ts'

/** Number of checks of `eventually`, far more than any wait for I/O needs. */
const MAX_LOOKS = 50_000

/**
 * Waits for I/O, not for time: the test clock does not advance.
 * @throws Error that shows the condition when it does not become true
 */
export async function eventually<T>(look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (let looks = 0; ; looks++) {
    if (looks === MAX_LOOKS) throw new Error(`It did not come to this in ${MAX_LOOKS} looks: ${look.toString()}`)
    const found = await look()
    if (found !== undefined && found !== false) return found
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

/** Advances the clock until the promise has settled, but not while a store call is pending. */
export async function passing<T>(clock: ManualClock, promise: Promise<T>, stepMs = 100): Promise<T> {
  const progress = { isOver: false }
  const done = promise.finally(() => (progress.isOver = true))
  done.catch(() => undefined)
  while (!progress.isOver) {
    await clock.advance(stepMs)
    do await new Promise((resolve) => setTimeout(resolve, 1))
    while (areStoresBusy())
  }
  return done
}

/** A promise that the test settles. */
export function gate<T = void>(): {
  readonly promise: Promise<T>
  open(value: T): void
  readonly isOpen: () => boolean
} {
  let resolve!: (value: T) => void
  let opened = false
  const promise = new Promise<T>((done) => (resolve = done))
  return {
    promise,
    isOpen: () => opened,
    open(value) {
      opened = true
      resolve(value)
    },
  }
}
