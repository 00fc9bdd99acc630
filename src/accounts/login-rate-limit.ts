import { TuttiError } from '../domain/errors.ts'
import { sql, type Query, queryRows, type Script } from '../storage/sql/query.ts'
import { SqlStore } from '../storage/sql/sql-store.ts'
import { hashToken } from './account-tokens.ts'
import { userWhere, type UserRow } from './account-changes.ts'

const MINUTE_MS = 60_000
/** Retention of the counts; longer than the clocks of processes differ. */
const RETENTION_MINUTES = 10

/** A rate limit per minute, shared by all processes: otherwise each of them would allow the full number of attempts. */
export class LoginRateLimit extends SqlStore {
  private sweptIn = 0
  /** What this process has refused in its current minute, with the minute of the count. Repetitions cause no database access. */
  private readonly refused = new Map<string, number>()

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
  async undoCount(what: string): Promise<void> {
    this.refused.delete(what)
    await this.sql.all(sql`UPDATE tries SET counted = counted - 1 WHERE what = ${hashToken(what)} AND counted > 0`)
  }
}

/** The error with the end of the minute. */
function tooManyAttemptsError(minute: number): TuttiError<'LimitReached'> {
  const details = { endsAt: (minute + 1) * MINUTE_MS }
  return new TuttiError('LimitReached', 'Too many attempts. Try again in a minute.', { details })
}

const LOCK_UNIT_MS = 60_000
/** Account lockout: consecutive failures without a delay. Each further one doubles the delay, up to an hour. */
const FREE_FAILURES = 5
const MAX_LOCK_MS = 60 * LOCK_UNIT_MS

/** Counts an attempt and returns the user; undefined if there is none, or the name is locked at present. */
export function* takeLoginAttempt(condition: Query, now: number, isKnown = false): Script<UserRow | undefined> {
  const row = yield* userWhere(condition)
  if (row === undefined || (row.lockedUntil > now && !isKnown)) {
    // A disk write takes measurable time. This update changes nothing, and makes an unknown name take as long.
    yield* queryRows(sql`UPDATE users SET failures = failures WHERE user_id = (SELECT min(user_id) FROM users)`)
    return undefined
  }
  const failures = row.failures + 1
  const lock = failures < FREE_FAILURES ? 0 : Math.min(MAX_LOCK_MS, LOCK_UNIT_MS * 2 ** (failures - FREE_FAILURES))
  yield* queryRows(
    sql`UPDATE users SET failures = ${failures}, locked_until = ${lock === 0 ? 0 : now + lock} WHERE user_id = ${row.userId}`,
  )
  return row
}
