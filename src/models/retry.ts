/** Requests made for one answer at most, the first included. */
export const MOST_REQUESTS = 3

/** A provider that asks to wait longer is not waited for: the fallback answers sooner. */
export const LONGEST_WAIT_MS = 60_000

const FIRST_BACKOFF_MS = 500

/**
 * Wait before the next request, in milliseconds: doubling, with half of it left to chance, so that many runs which
 * failed together do not come back together.
 * @param attempt the one that failed, from 1
 */
export function backoffMs(attempt: number, random: () => number): number {
  const full = FIRST_BACKOFF_MS * 2 ** (attempt - 1)
  return Math.round(full / 2 + (full / 2) * random())
}
