import type { Clock } from '../shared/clock.ts'

/** A clock that only a test advances. Timers fire in order of their time. */
export class ManualClock implements Clock {
  private time: number
  private timers: { at: number; callback: () => void }[] = []

  constructor(start = Date.UTC(2026, 9, 31, 12)) {
    this.time = start
  }

  now(): number {
    return this.time
  }

  timer(ms: number, callback: () => void): () => void {
    const timer = { at: this.time + ms, callback }
    this.timers.push(timer)
    return () => {
      this.timers = this.timers.filter((other) => other !== timer)
    }
  }

  /** How many timers are set. */
  get pending(): number {
    return this.timers.length
  }

  /** Advances by `ms`, fires due timers in order and lets promises settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms
    for (;;) {
      await settled()
      const next = this.timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      this.timers = this.timers.filter((timer) => timer !== next)
      this.time = Math.max(this.time, next.at)
      next.callback()
    }
    this.time = end
    await settled()
  }
}

/** Lets everything that is ready run: a few turns of the event loop, no time. */
export async function settled(turns = 10): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve))
}
