import type { Role } from '../domain/caller.ts'
import { TuttiError } from '../domain/errors.ts'
import { erased, erasureLock } from '../storage/sql/erased.ts'
import { insert, sql, type Query, type Script } from '../storage/sql/query.ts'
import { SqlStore } from '../storage/sql/sql-store.ts'
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
  revokeResetLinks,
  type UserRow,
} from './account-changes.ts'
import { createResetToken, consumeResetToken, hashToken, type AccountTokenParts } from './account-tokens.ts'
import type { Audited, Person, Registration } from './types.ts'

/** Accounts, and the changes that admins make to them. */
export class Accounts extends SqlStore {
  private readonly passwords: Passwords

  constructor(parts: AccountTokenParts, passwords: Passwords) {
    super(parts.sql, parts.clock)
    this.passwords = passwords
  }

  private get parts(): AccountTokenParts {
    return { sql: this.sql, clock: this.clock }
  }

  /** Whether any account exists. */
  async hasAny(): Promise<boolean> {
    return this.hasRows(sql`SELECT user_id FROM users LIMIT 1`)
  }

  /** All accounts, by name. */
  async list(): Promise<readonly Person[]> {
    return (await this.records<UserRow>(sql`${USERS} ORDER BY known_as`)).map(personOf)
  }

  async byId(userId: string): Promise<Person | undefined> {
    return this.where(sql`WHERE user_id = ${userId}`)
  }

  private async where(condition: Query): Promise<Person | undefined> {
    const [row] = await this.records<UserRow>(sql`${USERS} ${condition}`)
    return row && personOf(row)
  }

  /** Finds an account by ID or name. @throws TuttiError `NotFound` */
  async find(idOrName: string): Promise<Person> {
    // The name of one user may be the ID of another. The ID takes precedence.
    const condition = sql`WHERE user_id = ${idOrName} OR known_as = ${comparableUsername(idOrName)}
      ORDER BY CASE WHEN user_id = ${idOrName} THEN 0 ELSE 1 END`
    const person = await this.where(condition)
    if (person === undefined) throw new TuttiError('NotFound', `User "${idOrName}" not found.`)
    return person
  }

  /**
   * Registers an account. The first one becomes admin, also if registration is closed.
   * @throws TuttiError `NotAllowed` if registration is closed; `InvalidRequest`
   */
  async register(account: NewAccount & { readonly password: string }, mode: Registration): Promise<Person> {
    return this.insertAccount(account, function* (made, isFirst): Script<Person> {
      if (mode === 'closed' && !isFirst)
        throw new TuttiError('NotAllowed', 'Registration is closed. Ask an admin for an account.')
      return yield* addAccount({ ...made, role: isFirst ? 'admin' : 'member' })
    })
  }

  /** Creates an account for another person, on behalf of an admin. */
  async add(by: string, account: NewAccount & { readonly role?: Role; readonly subject?: string }): Promise<Person> {
    const { subject } = account
    return this.insertAccount(account, function* (made, isFirst): Script<Person> {
      yield* assertStillMay(by)
      if (isFirst && subject !== undefined) throw noAdminError()
      const { userId, username, createdAt } = made
      const role = isFirst ? 'admin' : (account.role ?? 'member')
      yield recordAudit({ by, action: 'add person', target: userId, detail: { username, role } }, createdAt)
      return yield* addAccount({ ...made, role, subject })
    })
  }

  /** Runs a script with the validated account. A repeated transaction returns the account of the first one. */
  private async insertAccount(
    account: NewAccount,
    script: (made: Awaited<ReturnType<typeof prepareAccount>>, isFirst: boolean) => Script<Person>,
  ): Promise<Person> {
    const newAccount = await prepareAccount(account, this.passwords, this.clock)
    return this.sql.write(ACCOUNTS, function* (): Script<Person> {
      const repeated = yield* userWhere(sql`WHERE user_id = ${newAccount.userId}`)
      if (repeated !== undefined) return personOf(repeated)
      return yield* script(newAccount, (yield sql`SELECT user_id FROM users LIMIT 1`).length === 0)
    })
  }

  /**
   * Returns the account of a subject of the single sign-on provider. If there is none, creates one under the first free
   * name of `usernames`.
   */
  async findBySubject(
    subject: string,
    { usernames, ...known }: Pick<NewAccount, 'displayName'> & { readonly usernames: readonly string[] },
  ): Promise<Person> {
    const bySubject = (): Promise<Person | undefined> => this.where(sql`WHERE subject = ${subject}`)
    const found = await bySubject()
    if (found !== undefined) return found
    for (const username of [...usernames, `user-${hashToken(subject).slice(0, 12)}`]) {
      const added = await this.add('oidc', { ...known, username, subject }).catch((thrown: unknown) => {
        if (!TuttiError.is(thrown, 'InvalidRequest')) throw thrown
      })
      // Another window may have created the account at the same time.
      const person = added ?? (await bySubject())
      if (person !== undefined) return person
    }
    throw new TuttiError('InvalidRequest', 'All names for this account are taken. Ask an admin.')
  }

  /** Creates a token with which the user can set a new password, once, within a day. @throws TuttiError `NotFound` */
  async createResetToken(by: string, userId: string): Promise<string> {
    return createResetToken(this.parts, by, userId)
  }

  /** Sets a new password and ends all sessions of the user. @throws TuttiError `NotAllowed`, `InvalidRequest` */
  async reset(token: string, password: string): Promise<void> {
    const ticket = sql`SELECT user_id FROM tickets WHERE kind = 'reset' AND hash = ${hashToken(token)}`
    const [{ userId } = {}] = await this.records<{ readonly userId?: string }>(ticket)
    const { username } = userId === undefined ? { username: '?' } : await this.find(userId)
    const hash = await this.passwords.hash(password, username)
    const { clock } = this
    await this.sql.write(ACCOUNTS, function* (): Script<void> {
      const redeemedBy = yield* consumeResetToken(token, clock.now())
      if (redeemedBy === undefined) {
        throw new TuttiError('NotAllowed', 'This link was used or has expired. Ask an admin for a new one.')
      }
      yield sql`UPDATE users SET password = ${hash}, failures = 0, locked_until = 0 WHERE user_id = ${redeemedBy}`
      yield revokeResetLinks(redeemedBy)
      yield sql`UPDATE sessions SET is_active = 0 WHERE user_id = ${redeemedBy}`
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
    return this.hasRows(erased(userId))
  }

  /** Records in the audit log that the user was erased, and removes the user's name from earlier entries. */
  async recordErasure(by: string, userId: string): Promise<void> {
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
        throw new TuttiError('InvalidRequest', 'This account is being erased. Erase it again to finish.')
      }
      if (endsAdmin && role === 'admin' && isDisabled === 0) {
        const otherAdmins =
          yield sql`SELECT user_id FROM users WHERE role = 'admin' AND is_disabled = 0 AND user_id <> ${userId}`
        if (otherAdmins.length === 0) {
          throw new TuttiError('InvalidRequest', 'This is the last admin. Make another user an admin first.')
        }
      }
      yield sql`${update} WHERE user_id = ${userId}`
      // Delete the reset links that this admin made: they could be used to regain access.
      if (endsAdmin) yield sql`DELETE FROM tickets WHERE made_by = ${userId}`
    }
    // Disabling one's own account is the first step of erasing it.
    const isOwn = by === userId && action === 'disable person'
    await changeAccounts(this.parts, { by, action, target: userId, detail }, script, { isOwn })
  }
}
