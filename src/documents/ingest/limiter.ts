/** Runs a task when its turn comes; how many run at once is set when the limiter is made. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>

/** Tasks beyond the limit wait in the order in which they came. */
export function createLimiter(atOnce: number): Limiter {
  let running = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
