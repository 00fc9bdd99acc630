import { randomUUID } from 'node:crypto'
import { TuttiError } from '../domain/errors.ts'
import { insert, sql, type Script } from '../storage/sql/query.ts'
import { SqlStore } from '../storage/sql/sql-store.ts'
import { ACCOUNTS, personOf, userOf, type UserRow } from './account-changes.ts'
import { hashToken, newToken } from './account-tokens.ts'
import type { Person, Session } from './types.ts'

const MINUTE_MS = 60_000
/** A session ends a month after it began, or a week after it was used last. */
export const SESSION_MS = 30 * 24 * 60 * MINUTE_MS
const IDLE_MS = 7 * 24 * 60 * MINUTE_MS

/** One message for all causes, so that it does not reveal which names exist. */
export const INVALID_SIGN_IN =
  'Wrong name, password or code, or too many attempts. After five attempts, wait some minutes and try again.'

/** Sessions of signed-in users. Only the hashes of their tokens are stored. */
export class Sessions extends SqlStore {
  /**
   * Starts a session of an authenticated user.
   * @param passwordHash hash of the password that the user entered; the session is refused if it has changed meanwhile
   * @throws TuttiError `NotSignedIn` if the account is disabled
   */
  async start(userId: string, fromWhere: string, passwordHash?: string): Promise<string> {
    const { sql: runner, clock } = this
    const token = newToken()
    const sessionId = randomUUID()
    await runner.write(ACCOUNTS, function* (): Script<void> {
      const now = clock.now()
      const { isDisabled, password } = yield* userOf(userId)
      if (isDisabled === 1 || (passwordHash ?? password) !== password)
        throw new TuttiError('NotSignedIn', INVALID_SIGN_IN)
      yield sql`DELETE FROM sessions WHERE is_active = 0 OR started_at <= ${now - SESSION_MS}`
      const row = { sessionId, userId, hash: hashToken(token), isActive: 1, fromWhere: fromWhere.slice(0, 200) }
      yield sql`${insert('sessions', { ...row, startedAt: now, lastUsedAt: now })} ON CONFLICT (session_id) DO NOTHING`
    })
    return token
  }

  /** The user of a session; undefined if it has expired or was ended, or the account is disabled. */
  async find(token: string): Promise<{ person: Person; sessionId: string; startedAt: number } | undefined> {
    const now = this.clock.now()
    const [found] = await this.records<UserRow & { sessionId: string; startedAt: number; lastUsedAt: number }>(
      sql`SELECT u.*, s.session_id, s.started_at, s.last_used_at FROM sessions s JOIN users u ON u.user_id = s.user_id
        WHERE s.hash = ${hashToken(token)} AND s.is_active = 1 AND u.is_disabled = 0
          AND s.started_at > ${now - SESSION_MS} AND s.last_used_at > ${now - IDLE_MS}`,
    )
    if (found === undefined) return undefined
    if (found.lastUsedAt <= now - MINUTE_MS) {
      await this.sql.all(sql`UPDATE sessions SET last_used_at = ${now} WHERE session_id = ${found.sessionId}`)
    }
    return { person: personOf(found), sessionId: found.sessionId, startedAt: Number(found.startedAt) }
  }

  /** Sessions of a user, latest use first. */
  async list(userId: string): Promise<readonly Session[]> {
    const now = this.clock.now()
    return this.records<Session>(
      sql`SELECT session_id, from_where, started_at, last_used_at FROM sessions
        WHERE user_id = ${userId} AND is_active = 1 AND started_at > ${now - SESSION_MS} AND last_used_at > ${now - IDLE_MS}
        ORDER BY last_used_at DESC, session_id`,
    )
  }

  /** Ends one session of a user, or all but one. Returns false if there was none. */
  async end(
    userId: string,
    which: { readonly sessionId: string } | { readonly except: string | undefined },
  ): Promise<boolean> {
    const condition =
      'sessionId' in which ? sql`session_id = ${which.sessionId}` : sql`session_id <> ${which.except ?? ''}`
    const ended = sql`UPDATE sessions SET is_active = 0 WHERE user_id = ${userId} AND is_active = 1 AND ${condition}`
    return this.hasRows(sql`${ended} RETURNING session_id`)
  }
}
