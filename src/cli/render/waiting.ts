import type { Cli } from '../cli.ts'
import { duration } from './units.ts'

const PATIENCE_MS = 1_000

/**
 * Gives what the work gives. When it takes longer than a second, a line on the terminal says what is going on, counts the
 * seconds and goes away. Where standard error is no terminal, nothing is said: what it holds must not depend on how fast
 * the machine is.
 * @param what such as `Reading the database`
 */
export async function whileWaiting<T>(
  { err, clock }: Pick<Cli, 'err' | 'clock'>,
  what: string,
  work: Promise<T>,
): Promise<T> {
  if (!err.isLive) return work
  const since = clock.now()
  let cancel = clock.timer(PATIENCE_MS, function tell() {
    err.draw(`${what} … ${duration(clock.now() - since)}`)
    cancel = clock.timer(PATIENCE_MS, tell)
  })
  try {
    return await work
  } finally {
    cancel()
    err.draw('')
  }
}
