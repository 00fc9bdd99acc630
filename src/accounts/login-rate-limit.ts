import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { sql } from '../storage/sql/query.ts'
import type { SqlRunner } from '../storage/sql/script.ts'
import { hashToken } from './tokens.ts'

const MINUTE_MS = 60_000
/** Longer than clocks differ: nobody forgets what counts for others still. */
const KEPT_MINUTES = 10

/** What somebody might guess, counted by the minute for all processes together: each of them would allow as much again. */
export class LoginRateLimit {
  private readonly sql: SqlRunner
  private readonly clock: Clock
  private sweptIn = 0

  constructor(runner: SqlRunner, clock: Clock) {
    this.sql = runner
    this.clock = clock
  }

  /**
   * @param what is tried, by whom or from where; its hash is kept for some minutes
   * @throws TuttiError `LimitReached`
   */
  async count(what: string, most: number): Promise<void> {
    const minute = Math.floor(this.clock.now() / MINUTE_MS)
    if (this.sweptIn < minute) await this.sql.all(sql`DELETE FROM tries WHERE minute < ${minute - KEPT_MINUTES}`)
    this.sweptIn = minute
    // Where clocks differ, the minute of the one that is ahead counts for both: none begins anew what another has counted.
    const [row] = await this.sql.all<{ minute: unknown; counted: unknown }>(
      sql`INSERT INTO tries (what, minute, counted) VALUES (${hashToken(what)}, ${minute}, 1)
        ON CONFLICT (what) DO UPDATE SET minute = CASE WHEN tries.minute < excluded.minute THEN excluded.minute ELSE tries.minute END,
          counted = CASE WHEN tries.minute < excluded.minute THEN 1 ELSE tries.counted + 1 END
        RETURNING minute, counted`,
    )
    if (Number(row!.counted) > most) throw tooManyAttemptsError(Number(row!.minute))
  }

  /** What was right was no guess. */
  async takeBack(what: string): Promise<void> {
    await this.sql.all(sql`UPDATE tries SET counted = counted - 1 WHERE what = ${hashToken(what)} AND counted > 0`)
  }
}

/** Until the minute is over. */
export function tooManyAttemptsError(minute: number): TuttiError<'LimitReached'> {
  const details = { endsAt: (minute + 1) * MINUTE_MS }
  return new TuttiError('LimitReached', 'Too many attempts. Try again in a minute.', { details })
}
