import type { Clock } from '../shared/clock.ts'

export interface BreakerSettings {
  /** Failures in a row that open it. */
  readonly failures: number
  /** How long it stays open, in milliseconds. */
  readonly openMs: number
}

const BREAKER_SETTINGS: BreakerSettings = { failures: 5, openMs: 30_000 }

/** Probing a provider that hangs costs the caller the whole time limit, so probes become rarer, up to this pause. */
const MAX_OPEN_MS = 300_000

/** Permission to make one request. Exactly one of its functions must be called; later calls do nothing. */
export interface Permit {
  /** The provider answered, even if it refused. */
  ok(): void
  /** The provider is in trouble: 5xx, timeout, network, a broken answer. */
  trouble(reason: string): void
  /** The provider used up its whole time limit. */
  hang(reason: string): void
  /** The request was not made, or the caller aborted it: no information about the provider. */
  release(): void
}

export interface Refusal {
  /** Milliseconds until the next request may be tried; 0 while another one probes. */
  readonly waitMs: number
  readonly failures: number
  /** Why the last request failed. */
  readonly lastReason: string
}

export interface CircuitBreaker {
  enter(): Permit | Refusal
}

export function isPermit(entry: Permit | Refusal): entry is Permit {
  return 'release' in entry
}

/**
 * Blocks requests to a failing provider. Opens after a number of consecutive failures, or after two requests that hung,
 * since the next one would hang as long. After `openMs` one request may probe while others are still refused; its
 * outcome closes or reopens it.
 */
export function createCircuitBreaker(clock: Clock, settings: BreakerSettings = BREAKER_SETTINGS): CircuitBreaker {
  /** Counts towards opening; one hung request may be enough. */
  let weight = 0
  let failures = 0
  let openUntil = 0
  let isProbing = false
  let lastReason = ''
  /** Since the last answer. */
  let hangs = 0

  const isOpen = (): boolean => weight >= settings.failures

  function count(reason: string, min: number): void {
    failures++
    weight = Math.max(weight + 1, min)
    lastReason = reason
    const openMs = Math.max(settings.openMs, Math.min(MAX_OPEN_MS, settings.openMs * 2 ** (hangs - 1)))
    if (isOpen()) openUntil = clock.now() + openMs
  }

  function permit(isProbe: boolean): Permit {
    let isUsed = false
    const settle = (record: () => void) => (): void => {
      if (isUsed) return
      isUsed = true
      if (isProbe) isProbing = false
      record()
    }
    return {
      ok: settle(() => {
        failures = 0
        weight = 0
        hangs = 0
      }),
      trouble: (reason) => settle(() => count(reason, 1))(),
      hang: (reason) =>
        settle(() => {
          hangs++
          // It may simply have lost one request, which is made again once.
          count(reason, hangs === 1 ? 1 : settings.failures)
        })(),
      release: settle(() => {}),
    }
  }

  return {
    enter() {
      if (!isOpen()) return permit(false)
      const waitMs = Math.max(0, openUntil - clock.now())
      if (waitMs > 0 || isProbing) return { waitMs, failures, lastReason }
      isProbing = true
      return permit(true)
    },
  }
}
