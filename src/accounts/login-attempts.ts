import { sql, type Query, queryRows, type Script } from '../storage/sql/query.ts'
import { userWhere, type UserRow } from './account-changes.ts'

const MINUTE_MS = 60_000
/** Account lockout: consecutive failures without a delay. Each further one doubles the delay, up to an hour. */
const FREE_FAILURES = 5
const MAX_LOCK_MS = 60 * MINUTE_MS

/** Counts an attempt and returns the user; undefined if there is none, or the name is locked at present. */
export function* takeLoginAttempt(condition: Query, now: number, isKnown = false): Script<UserRow | undefined> {
  const row = yield* userWhere(condition)
  if (row === undefined || (row.lockedUntil > now && !isKnown)) {
    // A disk write takes measurable time. This update changes nothing, and makes an unknown name take as long.
    yield* queryRows(sql`UPDATE users SET failures = failures WHERE user_id = (SELECT min(user_id) FROM users)`)
    return undefined
  }
  const failures = row.failures + 1
  const lock = failures < FREE_FAILURES ? 0 : Math.min(MAX_LOCK_MS, MINUTE_MS * 2 ** (failures - FREE_FAILURES))
  yield* queryRows(
    sql`UPDATE users SET failures = ${failures}, locked_until = ${lock === 0 ? 0 : now + lock} WHERE user_id = ${row.userId}`,
  )
  return row
}
