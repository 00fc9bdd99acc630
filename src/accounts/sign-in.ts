import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { sql, type Query, type SqlRunner } from '../storage/sql/query.ts'
import { takeLoginAttempt } from './login-rate-limit.ts'
import { comparableUsername } from './new-accounts.ts'
import type { Passwords } from './passwords.ts'
import { ACCOUNTS, personOf, userWhere, revokeResetLinks, type UserRow } from './account-changes.ts'
import { hashToken } from './account-tokens.ts'
import { SealedSqlStore, type Seal } from '../storage/sql/sql-store.ts'
import { INVALID_SIGN_IN, Sessions } from './sessions.ts'
import type { Person } from './types.ts'

/** Users without a password confirm a sensitive change by a sign-in that is at most this old. */
const JUST_NOW_MS = 5 * 60_000
const NOT_JUST_NOW =
  'You have no password here. Sign in again with your provider in this browser, and confirm within five minutes.'
const NO_PASSWORD = 'You sign in with your provider. Change your password there.'

/** For signed-in users, whose name is no secret. */
const WRONG_PASSWORD = 'The password is wrong.'

export interface LogIn {
  readonly username: string
  readonly password: string
  readonly fromWhere?: string
  /**
   * Whether the user has signed in with this browser before, see `findByBrowser`. Such an attempt does not wait for failed
   * attempts from elsewhere.
   */
  readonly isKnown?: boolean
}

export interface SignedIn {
  readonly person: Person
  /** Kept by the browser; the database has only its hash. */
  readonly token: string
}

/**
 * Sign-in with a password. A signed-in user who confirms their password is not locked out by failed
 * attempts of others, who could otherwise keep them from changing it. The caller limits these attempts.
 */
export class SignIn extends SealedSqlStore {
  readonly sessions: Sessions
  private readonly passwords: Passwords

  constructor(runner: SqlRunner, clock: Clock, seal: Seal, passwords: Passwords) {
    super(runner, clock, seal)
    this.sessions = new Sessions(runner, clock)
    this.passwords = passwords
  }

  /**
   * Starts a session.
   * @throws TuttiError `NotSignedIn`, with the same message for an unknown name, a wrong password and a locked account
   */
  async logIn({ username, password, fromWhere = '', isKnown = false }: LogIn): Promise<SignedIn> {
    const row = await this.verifyCredentials(sql`WHERE known_as = ${comparableUsername(username)}`, password, {
      isKnown,
    })
    return { person: personOf(row), token: await this.sessions.start(row.userId, fromWhere, row.password) }
  }

  /** A token for a browser in which this user signed in, see `findByBrowser`; undefined for a user without a password. */
  async browserToken(userId: string): Promise<string | undefined> {
    const [{ password } = {}] = await this.records<Partial<UserRow>>(
      sql`SELECT password FROM users WHERE user_id = ${userId}`,
    )
    return password === undefined ? undefined : this.seal.close(hashToken(password), browserOf(userId))
  }

  /** The user of a name, if the browser shows a token of an earlier sign-in and the password has not changed since. */
  async findByBrowser(username: string, known: string): Promise<string | undefined> {
    const query = sql`SELECT user_id, password FROM users WHERE known_as = ${comparableUsername(username)}`
    const [{ userId, password = '' } = {}] = await this.records<Partial<UserRow>>(query)
    // Also for an unknown name, so that it takes as long as a known one.
    const browserHash = await this.seal.open(known, browserOf(userId ?? ''))
    return browserHash === hashToken(password) ? userId : undefined
  }

  /**
   * Changes the password and ends all other sessions.
   * @throws TuttiError `NotSignedIn` for a wrong password, `InvalidRequest` for a weak new password
   */
  async changePassword(
    userId: string,
    { before, after }: { readonly before: string; readonly after: string },
    sessionId?: string,
  ): Promise<void> {
    const { sql: runner, passwords } = this
    const { username, password } = await this.verifyCredentials(sql`WHERE user_id = ${userId}`, before, {
      isSignedIn: true,
    })
    const hash = await passwords.hash(after, username)
    // A reset link may have changed the password meanwhile. The condition then matches no row.
    const isStill = sql`user_id = ${userId} AND password = ${password}`
    const changed = await runner.all(sql`UPDATE users SET password = ${hash} WHERE ${isStill} RETURNING user_id`)
    if (changed.length === 0) throw new TuttiError('NotSignedIn', INVALID_SIGN_IN)
    await runner.all(revokeResetLinks(userId))
    await this.sessions.end(userId, { except: sessionId })
  }

  /**
   * Asks a signed-in user to confirm their identity: with the password or, without a password, by a session that began
   * less than five minutes ago.
   * @param session token of the browser
   * @throws TuttiError `NotSignedIn`
   */
  async confirmIdentity(
    userId: string,
    { password, session }: { readonly [Name in 'password' | 'session']?: string | undefined },
  ): Promise<void> {
    const condition = sql`WHERE user_id = ${userId}`
    const { clock } = this
    const [row] = await this.records<UserRow>(sql`SELECT password FROM users ${condition}`)
    if (row !== undefined && row.password === undefined) {
      const current = session === undefined ? undefined : await this.sessions.find(session)
      if (current?.person.userId === userId && current.startedAt > clock.now() - JUST_NOW_MS) return
      throw new TuttiError('NotSignedIn', NOT_JUST_NOW)
    }
    if (password === undefined) throw new TuttiError('NotSignedIn', 'Enter your password.')
    await this.verifyCredentials(condition, password, { isSignedIn: true })
  }

  /**
   * Verifies a password. The attempt is counted as failed before it is checked, so that parallel attempts do not
   * bypass the limit. Takes as long for an unknown name. Attempts of a signed-in user do not lock the name: callers
   * limit them.
   */
  private async verifyCredentials(
    condition: Query,
    password: string,
    { isSignedIn = false, isKnown = false }: { readonly isSignedIn?: boolean; readonly isKnown?: boolean },
  ): Promise<UserRow> {
    const { sql: runner, clock, passwords } = this
    const row = await runner.write(ACCOUNTS, () =>
      isSignedIn ? userWhere(condition) : takeLoginAttempt(condition, clock.now(), isKnown),
    )
    const isRight = await passwords.verify(password, row?.password)
    if (isSignedIn && row !== undefined && row.password === undefined) {
      throw new TuttiError('InvalidRequest', NO_PASSWORD)
    }
    if (row === undefined || !isRight || row.isDisabled === 1)
      throw new TuttiError('NotSignedIn', isSignedIn ? WRONG_PASSWORD : INVALID_SIGN_IN)
    if (!isSignedIn)
      await runner.all(sql`UPDATE users SET failures = 0, locked_until = 0 WHERE user_id = ${row.userId}`)
    return row
  }
}

/** Binds the token of a browser to the user. */
function browserOf(userId: string): string {
  return `browser of ${userId}`
}
