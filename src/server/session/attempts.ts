import { isIPv6 } from 'node:net'
import type { Clock } from '../../core/clock.ts'
import { TuttiError } from '../../core/errors.ts'

const MINUTE_MS = 60_000
const MOST_PLACES = 10_000
/** Of a browser that is known, and of whoever is signed in, who wait for no other's wrong attempts. */
export const KNOWN_PER_MINUTE = 5

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
  count(from: string): void {
    const now = this.clock.now()
    const minute = Math.floor(now / MINUTE_MS)
    if (minute !== this.minute) this.counts = new Map()
    this.minute = minute
    const place = placeOf(from)
    const count = (this.counts.get(place) ?? this.makeRoom()) + 1
    this.counts.set(place, count)
    if (count <= this.perMinute) return
    const details = { endsAt: (minute + 1) * MINUTE_MS }
    throw new TuttiError('LimitReached', 'These are many attempts; try again in a minute.', { details })
  }

  /**
   * The place with the fewest attempts gives way, and its count goes to the new one, which has tried no more often than that if it
   * was here before: however many others come, nobody is let try more often than said.
   */
  private makeRoom(): number {
    if (this.counts.size < MOST_PLACES) return 0
    let fewest: readonly [place: string, count: number] = ['', Infinity]
    for (const one of this.counts) {
      if (one[1] < fewest[1]) fewest = one
      if (fewest[1] === 1) break
    }
    this.counts.delete(fewest[0])
    return fewest[1]
  }
}

/** Of IPv6 whoever has one address has the other 2^64 of its network, too; IPv4 in the form of IPv6 is IPv4. */
function placeOf(from: string): string {
  if (!isIPv6(from)) return from
  // A URL writes each address in one way, which leaves out at most one row of zeros.
  const { hostname } = new URL(`http://[${from.replace(/%.*/, '')}]`)
  const [before, after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((words) => words.split(':').filter(Boolean))
  const words = [...before!, ...Array<string>(8 - before!.length - after.length).fill('0'), ...after]
  if (words.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return words.slice(0, 4).join(':')
  return words
    .slice(6)
    .flatMap((word) => [parseInt(word, 16) >> 8, parseInt(word, 16) & 255])
    .join('.')
}
