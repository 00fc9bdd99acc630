import type { Cli } from '../cli.ts'
import { truncate } from './text.ts'
import { duration } from './units.ts'

const PATIENCE_MS = 1_000
const CLEAR_LINE = '\r\u001B[2K'

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
  let isDrawn = false
  let cancel = clock.timer(PATIENCE_MS, function tell() {
    err.write(CLEAR_LINE + truncate(`${what} … ${duration(clock.now() - since)}`, err.width() - 1))
    isDrawn = true
    cancel = clock.timer(PATIENCE_MS, tell)
  })
  try {
    return await work
  } finally {
    cancel()
    if (isDrawn) err.write(CLEAR_LINE)
  }
}
