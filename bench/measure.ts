import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

/**
 * Runs some work and returns the longest time in milliseconds that it blocked the event loop. The monitor measures from one of
 * its ticks to the next: it has to tick before the work, or it does not see a block with which the work begins.
 */
export async function longestBlock<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly blockedMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  try {
    while (delay.count === 0) await sleep(1)
    const value = await work()
    await sleep(5)
    return { value, blockedMs: delay.max / 1e6 }
  } finally {
    delay.disable()
  }
}
