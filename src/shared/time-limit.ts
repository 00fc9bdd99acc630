import type { Clock } from './clock.ts'

/** A timer that can be paused and resumed with its remaining time. */
export class TimeLimit {
  private readonly clock: Clock
  private readonly onEnd: () => void
  private leftMs: number
  private startedAt = 0
  private cancel: (() => void) | undefined

  constructor(clock: Clock, ms: number, onEnd: () => void) {
    this.clock = clock
    this.leftMs = ms
    this.onEnd = onEnd
  }

  get left(): number {
    return Math.max(0, this.leftMs - (this.cancel === undefined ? 0 : this.clock.now() - this.startedAt))
  }

  start(): void {
    if (this.cancel !== undefined) return
    this.startedAt = this.clock.now()
    this.cancel = this.clock.timer(Math.max(0, this.leftMs), this.onEnd)
  }

  /** At least so much of it is left from now on. */
  leave(ms: number): void {
    this.stop()
    this.leftMs = Math.max(this.leftMs, ms)
  }

  stop(): void {
    if (this.cancel === undefined) return
    this.cancel()
    this.cancel = undefined
    this.leftMs -= this.clock.now() - this.startedAt
  }
}
