import type { Role } from '../domain/caller.ts'
import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { erased, erasureLock } from '../storage/sql/erased.ts'
import { insert, rowRecord, sql, type Query, type Script, type SqlRunner } from '../storage/sql/query.ts'
import { addAccount, comparableUsername, prepareAccount, noAdminError, type NewAccount } from './new-accounts.ts'
import type { Passwords } from './passwords.ts'
import {
  ACCOUNTS,
  assertStillMay,
  recordAudit,
  changeAccounts,
  isUserErased,
  personOf,
  userOf,
  USERS,
  userWhere,
  withdrawResetLinks,
  type UserRow,
} from './account-changes.ts'
import {
  createAccountToken,
  openInvitations,
  consumeAccountToken,
  withdrawInvitation,
  type AccountToken,
  type AccountTokenParts,
} from './account-tokens.ts'
import { hashToken } from './tokens.ts'
import type { Audited, Invitation, Person, Registration } from './types.ts'

export interface AccountsParts {
  readonly sql: SqlRunner
  readonly clock: Clock
  readonly passwords: Passwords
  /** Who may register; default `invitation`. */
  readonly registration?: Registration
}

const NO_INVITATIONS =
  'Nobody could use this invitation: people.registration is "closed". Make the account yourself, with a name (`tutti people add NAME`). People who sign in with a provider need no invitation. Or set people.registration to "invitation".'

/** Accounts, and the changes that admins make to them. */
export class Accounts {
  private readonly sql: SqlRunner
  private readonly clock: Clock
  private readonly passwords: Passwords
  private readonly registration: Registration
  private readonly parts: AccountTokenParts

  constructor({ sql: runner, clock, passwords, registration = 'invitation' }: AccountsParts) {
    this.registration = registration
    this.sql = runner
    this.clock = clock
    this.passwords = passwords
    this.parts = { sql: runner, clock }
  }

  /** Whether any account exists. */
  async hasAny(): Promise<boolean> {
    return (await this.sql.all(sql`SELECT user_id FROM users LIMIT 1`)).length > 0
  }

  /** All accounts, by name. */
  async list(): Promise<readonly Person[]> {
    return (await this.sql.all(sql`${USERS} ORDER BY known_as`)).map((row) => personOf(rowRecord<UserRow>(row)))
  }

  async byId(userId: string): Promise<Person | undefined> {
    return this.where(sql`WHERE user_id = ${userId}`)
  }

  private async where(condition: Query): Promise<Person | undefined> {
    const [row] = await this.sql.all(sql`${USERS} ${condition}`)
    return row === undefined ? undefined : personOf(rowRecord<UserRow>(row))
  }

  /** Finds an account by ID or name. @throws TuttiError `NotFound` */
  async find(idOrName: string): Promise<Person> {
    // The name of one user may be the ID of another. The ID takes precedence.
    const condition = sql`WHERE user_id = ${idOrName} OR known_as = ${comparableUsername(idOrName)}
      ORDER BY CASE WHEN user_id = ${idOrName} THEN 0 ELSE 1 END`
    const person = await this.where(condition)
    if (person === undefined) throw new TuttiError('NotFound', `Nobody here is called "${idOrName}".`)
    return person
  }

  /**
   * Registers an account. The first one becomes admin and needs no invitation.
   * @throws TuttiError `NotAllowed` if registration is closed or the invitation is not valid; `InvalidRequest`
   */
  async register(
    account: NewAccount & { readonly password: string },
    mode: Registration,
    invitation?: string,
  ): Promise<Person> {
    const made = await prepareAccount(account, this.passwords, this.clock)
    const { clock } = this
    return this.sql.write(ACCOUNTS, function* (): Script<Person> {
      const repeated = yield* userWhere(sql`WHERE user_id = ${made.userId}`)
      if (repeated !== undefined) return personOf(repeated)
      const isFirst = (yield sql`SELECT user_id FROM users LIMIT 1`).length === 0
      if (mode === 'closed' && !isFirst) throw new TuttiError('NotAllowed', 'Ask an admin for an account.')
      const invited =
        invitation === undefined ? undefined : yield* consumeAccountToken('invitation', invitation, clock.now())
      if (mode === 'invitation' && !isFirst && invited === undefined) {
        throw new TuttiError('NotAllowed', 'This needs an invitation that is still good; ask an admin for one.')
      }
      return yield* addAccount({ ...made, role: isFirst ? 'admin' : (invited?.role ?? 'member') })
    })
  }

  /** Creates an account for another person, on behalf of an admin. */
  async add(by: string, account: NewAccount & { readonly role?: Role; readonly subject?: string }): Promise<Person> {
    const made = await prepareAccount(account, this.passwords, this.clock)
    const { role = 'member', subject } = account
    return this.sql.write(ACCOUNTS, function* (): Script<Person> {
      const repeated = yield* userWhere(sql`WHERE user_id = ${made.userId}`)
      if (repeated !== undefined) return personOf(repeated)
      yield* assertStillMay(by)
      const isFirst = (yield sql`SELECT user_id FROM users LIMIT 1`).length === 0
      if (isFirst && subject !== undefined) throw noAdminError()
      const { userId, username, createdAt } = made
      yield recordAudit({ by, action: 'add person', target: userId, detail: { username, role } }, createdAt)
      return yield* addAccount({ ...made, role: isFirst ? 'admin' : role, subject })
    })
  }

  /**
   * Returns the account of a subject of the single sign-on provider. If there is none, creates one under the first free
   * name of `usernames`.
   */
  async ofSubject(
    subject: string,
    { usernames, ...known }: Pick<NewAccount, 'displayName' | 'email'> & { readonly usernames: readonly string[] },
  ): Promise<Person> {
    const bySubject = (): Promise<Person | undefined> => this.where(sql`WHERE subject = ${subject}`)
    const found = await bySubject()
    if (found !== undefined) return found
    for (const username of [...usernames, `user-${hashToken(subject).slice(0, 12)}`]) {
      const made = await this.add('oidc', { ...known, username, subject }).catch((thrown: unknown) => {
        if (!TuttiError.is(thrown, 'InvalidRequest')) throw thrown
      })
      // Another window may have created the account at the same time.
      const person = made ?? (await bySubject())
      if (person !== undefined) return person
    }
    throw new TuttiError('InvalidRequest', 'No name is free for this account; ask an admin.')
  }

  /**
   * Creates a token with which one person can register within a week.
   * @throws TuttiError `InvalidRequest` if registration is closed
   */
  async invite(by: string, role: Role = 'member'): Promise<string> {
    // Reject here: otherwise only the invited person would find out that the link does not work.
    if (this.registration === 'closed') throw new TuttiError('InvalidRequest', NO_INVITATIONS)
    return createAccountToken(this.parts, by, 'invitation', { role })
  }

  /** Invitations that are not used and have not expired, latest first. */
  async invitations(): Promise<readonly Invitation[]> {
    return openInvitations(this.parts)
  }

  /** Withdraws an invitation. @throws TuttiError `NotFound` if it does not exist, was used or has expired */
  async withdraw(by: string, invitationId: string): Promise<void> {
    await withdrawInvitation(this.parts, by, invitationId)
  }

  /** Creates a token with which the user can set a new password, once, within a day. @throws TuttiError `NotFound` */
  async resetToken(by: string, userId: string): Promise<string> {
    return createAccountToken(this.parts, by, 'reset', { userId })
  }

  /** Sets a new password and ends all sessions of the user. @throws TuttiError `NotAllowed`, `InvalidRequest` */
  async reset(token: string, password: string): Promise<void> {
    const [ticket] = await this.sql.all<object>(
      sql`SELECT user_id FROM tickets WHERE kind = 'reset' AND hash = ${hashToken(token)}`,
    )
    const { userId } = ticket === undefined ? {} : rowRecord<AccountToken>(ticket)
    const { username } = userId === undefined ? { username: '?' } : await this.find(userId)
    const hash = await this.passwords.hash(password, username)
    const { clock } = this
    await this.sql.write(ACCOUNTS, function* (): Script<void> {
      const taken = yield* consumeAccountToken('reset', token, clock.now())
      if (taken?.userId === undefined) {
        throw new TuttiError('NotAllowed', 'This link was used or is too old; ask an admin for another.')
      }
      yield sql`UPDATE users SET password = ${hash}, failures = 0, locked_until = 0 WHERE user_id = ${taken.userId}`
      yield withdrawResetLinks(taken.userId)
      yield sql`UPDATE sessions SET is_active = 0 WHERE user_id = ${taken.userId}`
    })
  }

  /** @throws TuttiError `NotFound`; `InvalidRequest` for the last admin */
  async setRole(by: string, userId: string, role: Role): Promise<void> {
    await this.change(by, userId, 'set role', { role }, role !== 'admin', sql`UPDATE users SET role = ${role}`)
  }

  /** Disables or enables an account, with immediate effect. The user's data is kept. @throws TuttiError as `setRole` */
  async setDisabled(by: string, userId: string, isDisabled: boolean): Promise<void> {
    const update = sql`UPDATE users SET is_disabled = ${isDisabled ? 1 : 0}`
    await this.change(by, userId, isDisabled ? 'disable person' : 'enable person', {}, isDisabled, update)
  }

  /**
   * Disables an account permanently, before the user's data is erased. From now on the database rejects new rows of
   * this user from every process. Idempotent.
   * @throws TuttiError as `setRole`
   */
  async beginErasing(by: string, userId: string): Promise<void> {
    if (!(await this.isErased(userId))) await this.setDisabled(by, userId, true)
    const row = { person: userId, at: this.clock.now() }
    await this.sql.write(erasureLock(userId), function* (): Script<void> {
      yield* userOf(userId)
      yield sql`${insert('erased_people', row)} ON CONFLICT (person) DO NOTHING`
    })
  }

  /** Whether the user was erased, or is being erased. */
  async isErased(userId: string): Promise<boolean> {
    return (await this.sql.all(erased(userId))).length > 0
  }

  /** Records in the audit log that the user was erased, and removes the user's name from earlier entries. */
  async noteErased(by: string, userId: string): Promise<void> {
    const { clock } = this
    await this.sql.write(ACCOUNTS, function* (): Script<void> {
      yield sql`UPDATE audit SET detail = '{}' WHERE target = ${userId} AND detail LIKE '%username%'`
      yield sql`UPDATE audit SET detail = '{}' WHERE detail LIKE ${`%"owner":"${userId}"%`}`
      yield recordAudit({ by, action: 'erase person', target: userId }, clock.now())
    })
  }

  private async change(
    by: string,
    userId: string,
    action: Audited,
    detail: Readonly<Record<string, unknown>>,
    endsAdmin: boolean,
    update: Query,
  ): Promise<void> {
    const script = function* (): Script<void> {
      const { role, isDisabled } = yield* userOf(userId)
      if (yield* isUserErased(userId)) {
        throw new TuttiError('InvalidRequest', 'This person is being erased; erase them again to finish it.')
      }
      if (endsAdmin && role === 'admin' && isDisabled === 0) {
        const others =
          yield sql`SELECT user_id FROM users WHERE role = 'admin' AND is_disabled = 0 AND user_id <> ${userId}`
        if (others.length === 0) {
          throw new TuttiError('InvalidRequest', 'This is the last admin; make somebody else one first.')
        }
      }
      yield sql`${update} WHERE user_id = ${userId}`
      // Delete the invitations and reset links that this admin made: they could be used to regain access.
      if (endsAdmin) yield sql`DELETE FROM tickets WHERE made_by = ${userId}`
    }
    // Disabling one's own account is the first step of erasing it.
    const isOwn = by === userId && action === 'disable person'
    await changeAccounts(this.parts, { by, action, target: userId, detail }, script, { isOwn })
  }
}
