/** Runs a task when its turn comes; how many run at once was said when it was made. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>

/** Tasks that are too many at once wait, in the order in which they came. */
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
