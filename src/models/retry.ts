/** Requests made for one answer at most, the first included. */
export const MAX_REQUESTS = 3

/** If a provider asks for a longer wait, the call fails and the fallback answers. */
export const MAX_WAIT_MS = 60_000

const FIRST_BACKOFF_MS = 500

/**
 * Delay before the next request, in milliseconds: exponential, half of it random, so that runs that failed together do
 * not retry together.
 * @param attempt the one that failed, from 1
 */
export function backoffMs(attempt: number, random: () => number): number {
  const full = FIRST_BACKOFF_MS * 2 ** (attempt - 1)
  return Math.round(full / 2 + (full / 2) * random())
}
