import type { RunStore } from '../../src/domain/store.ts'

let underWay = 0

/**
 * Maximum extra delay of each store call in milliseconds, before and after it. Finds tests and code that rely on a fast disk:
 * `TUTTI_TEST_SLOW_STORE=30 npx vitest run src/engine`.
 */
const slowest = Number(process.env['TUTTI_TEST_SLOW_STORE'] ?? 0)

/** The same store, with tracking of pending calls, so that the test clock does not advance during a call. */
export function watched(store: RunStore): RunStore {
  return new Proxy(store, {
    get(target, name: keyof RunStore) {
      const value = target[name]
      if (typeof value !== 'function' || name === 'close') return value
      return async (...args: never[]): Promise<unknown> => {
        underWay++
        try {
          await pause()
          const result: unknown = await (value as (...given: never[]) => unknown).apply(target, args)
          await pause()
          return result
        } finally {
          underWay--
        }
      }
    },
  })
}

function pause(): Promise<void> | undefined {
  return slowest === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, Math.random() * slowest))
}

/** Whether any watched store has a pending call. */
export function areStoresBusy(): boolean {
  return underWay > 0
}
