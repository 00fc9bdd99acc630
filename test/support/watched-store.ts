import type { RunStore } from '../../src/domain/store.ts'

let underWay = 0

/**
 * Milliseconds that a watched store takes at most for a call beside its own time, before it and after it. Finds tests, and
 * code, that count on a quick disk: `TUTTI_TEST_SLOW_STORE=30 npx vitest run src/engine`.
 */
const slowest = Number(process.env['TUTTI_TEST_SLOW_STORE'] ?? 0)

/** The same store; it is known when it has something to answer, so that a test's clock can stand still meanwhile. */
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

/** Whether any watched store has something to answer. */
export function areStoresBusy(): boolean {
  return underWay > 0
}
