import type { Clock } from '../../shared/clock.ts'
import type { EventBody, NewEvent } from '../../domain/events.ts'

/** Adds the current time to events. */
export function withTimestamp(clock: Clock, events: readonly EventBody[]): NewEvent[] {
  const at = new Date(clock.now()).toISOString()
  return events.map((event) => ({ at, ...event }))
}

/** The time as events carry it. Formatting a date costs more than all the rest of an event; many share a millisecond. */
export class Timestamps {
  private readonly clock: Clock
  private at = Number.NaN
  private text = ''

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** ISO 8601 in UTC. */
  now(): string {
    const now = this.clock.now()
    if (now !== this.at) {
      this.at = now
      this.text = new Date(now).toISOString()
    }
    return this.text
  }
}
