import type { Clock } from '../../core/clock.ts'
import { TuttiError } from '../../core/errors.ts'

const MINUTE_MS = 60_000
const MOST_PLACES = 10_000

/** How often somebody may try to get in from one place: a password takes work to check, whoever sends it. */
export class Attempts {
  private readonly clock: Clock
  private minute = 0
  private counts = new Map<string, number>()
  private readonly perMinute: number

  constructor(clock: Clock, perMinute = 30) {
    this.clock = clock
    this.perMinute = perMinute
  }

  /** @throws TuttiError `LimitReached` */
  count(place: string): void {
    const minute = Math.floor(this.clock.now() / MINUTE_MS)
    if (minute !== this.minute || this.counts.size > MOST_PLACES) this.counts = new Map()
    this.minute = minute
    const count = (this.counts.get(place) ?? 0) + 1
    this.counts.set(place, count)
    if (count > this.perMinute) throw new TuttiError('LimitReached', 'These are many attempts; try again in a minute.')
  }
}
