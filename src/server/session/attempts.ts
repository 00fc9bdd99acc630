import { isIPv6 } from 'node:net'
import type { Clock } from '../../shared/clock.ts'
import { tooManyAttemptsError, type LoginRateLimit } from '../../accounts/login-rate-limit.ts'

const MINUTE_MS = 60_000
const MOST_PLACES = 10_000
const PER_MINUTE = 30
/** Of a browser that is known, and of whoever is signed in, who wait for no other's wrong attempts. */
export const KNOWN_PER_MINUTE = 5

/** How often somebody may try something from one place: it takes work to check, whoever sends it. Each process counts for itself. */
export class Attempts {
  private readonly clock: Clock
  private minute = 0
  private counts = new Map<string, number>()
  private readonly perMinute: number

  constructor(clock: Clock, perMinute = PER_MINUTE) {
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
    if (count > this.perMinute) throw tooManyAttemptsError(minute)
  }

  /** What was right was no guess. */
  takeBack(from: string): void {
    const place = placeOf(from)
    const count = this.counts.get(place)
    if (count !== undefined) this.counts.set(place, Math.max(0, count - 1))
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

/** The same for what might be guessed, with all processes together. What one of them refuses costs the database nothing. */
export class Guesses {
  private readonly own: Attempts
  private readonly tries: LoginRateLimit
  private readonly what: string
  private readonly perMinute: number

  /** @param what is counted: those of one name share their count */
  constructor(clock: Clock, tries: LoginRateLimit, what: string, perMinute = PER_MINUTE) {
    this.own = new Attempts(clock, perMinute)
    this.tries = tries
    this.what = what
    this.perMinute = perMinute
  }

  /** @throws TuttiError `LimitReached` */
  async count(from: string): Promise<void> {
    this.own.count(from)
    await this.tries.count(`${this.what} ${placeOf(from)}`, this.perMinute)
  }

  /** Does what a guess would be for; counted is one that fails. */
  async unlessRight<T>(from: string, act: () => Promise<T>): Promise<T> {
    await this.count(from)
    const done = await act()
    this.own.takeBack(from)
    await this.tries.takeBack(`${this.what} ${placeOf(from)}`)
    return done
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
