import ipaddr from 'ipaddr.js'
import type { LoginRateLimit } from '../../accounts/login-rate-limit.ts'

const PER_MINUTE = 30
/** Limit for signed-in users and known browsers, which do not share the limit of their address. */
export const MAX_PER_MINUTE_KNOWN = 5

/** Rate limit for guessing secrets and for actions that are expensive to check, shared by all processes. */
export class AttemptLimit {
  private readonly tries: LoginRateLimit
  private readonly what: string
  private readonly perMinute: number

  /** @param what name of the counter; limits with the same name share it */
  constructor(tries: LoginRateLimit, what: string, perMinute = PER_MINUTE) {
    this.tries = tries
    this.what = what
    this.perMinute = perMinute
  }

  /** @throws TuttiError `LimitReached` */
  async count(from: string): Promise<void> {
    await this.tries.count(this.keyOf(from), this.perMinute)
  }

  /** Runs an action, and counts it only if it fails. */
  async unlessRight<T>(from: string, act: () => Promise<T>): Promise<T> {
    await this.count(from)
    const done = await act()
    await this.tries.undoCount(this.keyOf(from))
    return done
  }

  private keyOf(from: string): string {
    return `${this.what} ${rateLimitKey(from)}`
  }
}

/**
 * The address to count: for IPv6 the /64 network, which belongs to one client; an IPv4-mapped address counts as IPv4.
 */
export function rateLimitKey(from: string): string {
  if (!ipaddr.isValid(from)) return from
  const address = ipaddr.process(from)
  return 'parts' in address ? address.parts.slice(0, 4).join(':') : address.toString()
}
