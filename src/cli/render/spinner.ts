import type { Cli } from '../cli.ts'
import { duration } from './units.ts'

const REFRESH_MS = 1_000

/**
 * Returns the result of the work. If it takes longer than a second, a temporary line on the terminal shows the activity
 * and counts the seconds. If standard error is not a terminal, nothing is printed: its content must not depend on the
 * speed of the machine.
 * @param what such as `Reading the database`
 */
export async function withSpinner<T>(
  { err, clock }: Pick<Cli, 'err' | 'clock'>,
  what: string,
  work: Promise<T>,
): Promise<T> {
  if (!err.isLive) return work
  const since = clock.now()
  let cancel = clock.timer(REFRESH_MS, function tell() {
    err.draw(`${what} … ${duration(clock.now() - since)}`)
    cancel = clock.timer(REFRESH_MS, tell)
  })
  try {
    return await work
  } finally {
    cancel()
    err.draw('')
  }
}
