import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { sql, type SqlRunner } from '../storage/sql/query.ts'
import { hashToken } from './tokens.ts'

const MINUTE_MS = 60_000
/** Retention of the counts; longer than the clocks of processes differ. */
const RETENTION_MINUTES = 10

/** A rate limit per minute, shared by all processes: otherwise each of them would allow the full number of attempts. */
export class LoginRateLimit {
  private readonly sql: SqlRunner
  private readonly clock: Clock
  private sweptIn = 0
  /** What this process has refused in its current minute, with the minute of the count. Repetitions cause no database access. */
  private readonly refused = new Map<string, number>()

  constructor(runner: SqlRunner, clock: Clock) {
    this.sql = runner
    this.clock = clock
  }

  /**
   * @param what the action with its user or address; its hash is kept for some minutes
   * @throws TuttiError `LimitReached`
   */
  async count(what: string, max: number): Promise<void> {
    const minute = Math.floor(this.clock.now() / MINUTE_MS)
    if (this.sweptIn < minute) this.refused.clear()
    const refusedIn = this.refused.get(what)
    if (refusedIn !== undefined) throw tooManyAttemptsError(refusedIn)
    if (this.sweptIn < minute) await this.sql.all(sql`DELETE FROM tries WHERE minute < ${minute - RETENTION_MINUTES}`)
    this.sweptIn = minute
    // If clocks differ, the latest minute counts for all processes, so that none starts again at zero.
    const [row] = await this.sql.all<{ minute: unknown; counted: unknown }>(
      sql`INSERT INTO tries (what, minute, counted) VALUES (${hashToken(what)}, ${minute}, 1)
        ON CONFLICT (what) DO UPDATE SET minute = CASE WHEN tries.minute < excluded.minute THEN excluded.minute ELSE tries.minute END,
          counted = CASE WHEN tries.minute < excluded.minute THEN 1 ELSE tries.counted + 1 END
        RETURNING minute, counted`,
    )
    if (Number(row!.counted) <= max) return
    this.refused.set(what, Number(row!.minute))
    throw tooManyAttemptsError(Number(row!.minute))
  }

  /** Undoes the count of a successful attempt. */
  async takeBack(what: string): Promise<void> {
    this.refused.delete(what)
    await this.sql.all(sql`UPDATE tries SET counted = counted - 1 WHERE what = ${hashToken(what)} AND counted > 0`)
  }
}

/** The error with the end of the minute. */
function tooManyAttemptsError(minute: number): TuttiError<'LimitReached'> {
  const details = { endsAt: (minute + 1) * MINUTE_MS }
  return new TuttiError('LimitReached', 'Too many attempts. Try again in a minute.', { details })
}
