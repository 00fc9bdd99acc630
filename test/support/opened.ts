import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

interface Closable {
  close(): Promise<unknown>
}

/**
 * Opens something for the tests of a file or `describe` block, and closes it after them. It can be used within tests.
 * @param timeoutMs for opening
 */
export function openForAll<T extends Closable>(open: () => Promise<T>, timeoutMs?: number): T {
  return opened(open, (work) => beforeAll(work, timeoutMs), afterAll)
}

/** Opens something anew for each test. */
export function openForEach<T extends Closable>(open: () => Promise<T>): T {
  return opened(open, beforeEach, afterEach)
}

function opened<T extends Closable>(
  open: () => Promise<T>,
  before: (work: () => Promise<void>) => void,
  after: (work: () => Promise<void>) => void,
): T {
  let current: T | undefined
  before(async () => {
    current = await open()
  })
  after(async () => {
    await current?.close()
  })
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(current as T, name) as unknown,
    set: (_, name, value) => Reflect.set(current as T, name, value),
  })
}
