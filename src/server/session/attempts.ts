import { isIPv6 } from 'node:net'
import type { Clock } from '../../shared/clock.ts'
import { tooManyAttemptsError, type LoginRateLimit } from '../../accounts/login-rate-limit.ts'

const MINUTE_MS = 60_000
const MAX_ADDRESSES = 10_000
const PER_MINUTE = 30
/** Limit for signed-in users and known browsers, which do not share the limit of their address. */
export const KNOWN_PER_MINUTE = 5

/** Rate limit per client address, for actions that are expensive to check. Each process counts separately. */
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
    const place = rateLimitKey(from)
    const count = (this.counts.get(place) ?? this.makeRoom()) + 1
    this.counts.set(place, count)
    if (count > this.perMinute) throw tooManyAttemptsError(minute)
  }

  /** Undoes the count of a successful attempt. */
  takeBack(from: string): void {
    const place = rateLimitKey(from)
    const count = this.counts.get(place)
    if (count !== undefined) this.counts.set(place, Math.max(0, count - 1))
  }

  /**
   * Evicts the address with the fewest attempts and returns its count, with which the new address starts. An evicted
   * address that returns therefore never gets more attempts than the limit.
   */
  private makeRoom(): number {
    if (this.counts.size < MAX_ADDRESSES) return 0
    let fewest: readonly [place: string, count: number] = ['', Infinity]
    for (const one of this.counts) {
      if (one[1] < fewest[1]) fewest = one
      if (fewest[1] === 1) break
    }
    this.counts.delete(fewest[0])
    return fewest[1]
  }
}

/**
 * Rate limit for guessing secrets, shared by all processes. Attempts that one process refuses cause no database access.
 */
export class GuessLimit {
  private readonly own: Attempts
  private readonly tries: LoginRateLimit
  private readonly what: string
  private readonly perMinute: number

  /** @param what name of the counter; limits with the same name share it */
  constructor(clock: Clock, tries: LoginRateLimit, what: string, perMinute = PER_MINUTE) {
    this.own = new Attempts(clock, perMinute)
    this.tries = tries
    this.what = what
    this.perMinute = perMinute
  }

  /** @throws TuttiError `LimitReached` */
  async count(from: string): Promise<void> {
    this.own.count(from)
    await this.tries.count(`${this.what} ${rateLimitKey(from)}`, this.perMinute)
  }

  /** Runs an action, and counts it only if it fails. */
  async unlessRight<T>(from: string, act: () => Promise<T>): Promise<T> {
    await this.count(from)
    const done = await act()
    this.own.takeBack(from)
    await this.tries.takeBack(`${this.what} ${rateLimitKey(from)}`)
    return done
  }
}

/**
 * The address to count: for IPv6 the /64 network, which belongs to one client; an IPv4-mapped address counts as IPv4.
 */
function rateLimitKey(from: string): string {
  if (!isIPv6(from)) return from
  // `URL` normalises IPv6 addresses, with at most one `::`.
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
