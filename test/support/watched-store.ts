import type { RunStore } from '../../src/domain/store.ts'

let underWay = 0

/**
 * Maximum extra delay of each store call in milliseconds, before and after it. Finds tests and code that rely on a fast disk:
 * `TUTTI_TEST_SLOW_STORE=30 npx vitest run src/engine`.
 */
const slowest = Number(process.env['TUTTI_TEST_SLOW_STORE'] ?? 0)

/** The same store, with tracking of pending calls, so that the test clock does not advance during a call. */
export function watched(store: RunStore): RunStore {
  return through(store, async (call) => {
    underWay++
    try {
      await pause()
      const result = await call()
      await pause()
      return result
    } finally {
      underWay--
    }
  })
}

/** The same store, each of whose calls is made by `pass`. */
export function through(
  store: RunStore,
  pass: (call: () => Promise<unknown>, name: string) => Promise<unknown>,
): RunStore {
  return new Proxy(store, {
    get(target, name: keyof RunStore) {
      const value = target[name]
      if (typeof value !== 'function' || name === 'close') return value
      return (...args: never[]) => pass(async () => (value as (...given: never[]) => unknown).apply(target, args), name)
    },
  })
}

/** The same store with other or more methods. */
export function storeWith<M extends object>(store: RunStore, methods: M & Partial<RunStore>): RunStore & M {
  return new Proxy(store, {
    get: (target, name) => Reflect.get(name in methods ? methods : target, name),
  }) as RunStore & M
}

/** A store whose worker can die: after `crash` no call arrives, and none returns. */
export function mortal(store: RunStore): RunStore & { crash(): void } {
  let dead = false
  const never = (): Promise<never> => new Promise(() => undefined)
  const guarded = through(store, (call) => (dead ? never() : call().then((result) => (dead ? never() : result))))
  return storeWith(guarded, { crash: () => void (dead = true) })
}

function pause(): Promise<void> | undefined {
  return slowest === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, Math.random() * slowest))
}

/** Whether any watched store has a pending call. */
export function areStoresBusy(): boolean {
  return underWay > 0
}
