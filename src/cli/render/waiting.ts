import type { Cli } from '../cli.ts'
import { truncate } from './text.ts'
import { duration } from './units.ts'

const PATIENCE_MS = 1_000
const CLEAR_LINE = '\r\u001B[2K'

/**
 * Gives what the work gives. When it takes longer than a second, standard error says what is going on: a line that counts
 * the seconds and goes away on a terminal, one plain line elsewhere.
 * @param what such as `Reading the database`
 */
export async function whileWaiting<T>(
  { err, clock }: Pick<Cli, 'err' | 'clock'>,
  what: string,
  work: Promise<T>,
): Promise<T> {
  const since = clock.now()
  let isDrawn = false
  let cancel = clock.timer(PATIENCE_MS, function tell() {
    if (!err.isLive) return err.line(`${what} …`)
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
