import type { Role } from '../domain/caller.ts'
import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { erased } from '../storage/sql/erased.ts'
import { fixed, insert, rowRecord, sql, type Query } from '../storage/sql/query.ts'
import { queryRows, type Script, type SqlRunner } from '../storage/sql/script.ts'
import type { Grantee } from './permissions.ts'
import type { Audited, Person } from './types.ts'

/** Changes of accounts come one after the other: "the last admin" and "the name is free" hold while they are acted upon. */
export const ACCOUNTS = 'accounts'

/** Who makes a change at the command line. */
export const COMMAND_LINE = 'command line'

/** A row of `users`. */
export interface UserRow {
  readonly userId: string
  readonly username: string
  readonly displayName: string
  readonly email?: string
  readonly password?: string
  readonly role: Role
  readonly isDisabled: number
  readonly failures: number
  readonly lockedUntil: number
  readonly secondFactor?: string
  /** Absent while the secret was not confirmed by a first code. */
  readonly secondFactorStep?: number
  readonly createdAt: number
}

export const USERS = fixed('SELECT * FROM users')

export function* userWhere(condition: Query): Script<UserRow | undefined> {
  const [row] = yield* queryRows<object>(sql`${USERS} ${condition}`)
  return row === undefined ? undefined : rowRecord<UserRow>(row)
}

/** @throws TuttiError `NotFound` */
export function* userOf(userId: string): Script<UserRow> {
  const found = yield* userWhere(sql`WHERE user_id = ${userId}`)
  if (found === undefined) throw new TuttiError('NotFound', 'There is no such person.')
  return found
}

/** What the group of this id is called. @throws TuttiError `NotFound` */
export function* assertGroup(groupId: string): Script<string> {
  const [row] = yield* queryRows<{ name: string }>(sql`SELECT name FROM user_groups WHERE group_id = ${groupId}`)
  if (row === undefined) throw new TuttiError('NotFound', 'There is no such group.')
  return row.name
}

/** That there is whom something is given to, by id: a name that is kept as one gives nobody anything. @throws TuttiError `NotFound` */
export function* assertGrantee(to: Grantee): Script<void> {
  if (to.startsWith('user:')) yield* userOf(to.slice('user:'.length))
  if (to.startsWith('group:')) yield* assertGroup(to.slice('group:'.length))
}

/** What is taken away was given before; nothing is told as taken that was not. */
export function notGrantedError(what: string): TuttiError {
  return new TuttiError('NotFound', `${what} was not given to these, so there is nothing to take away.`)
}

/** Links for a new password that somebody was sent are good for nothing any more. */
export function withdrawResetLinks(userId: string): Query {
  return sql`DELETE FROM tickets WHERE user_id = ${userId}`
}

/** What others may know of a row. */
export function personOf(row: UserRow): Person {
  const { userId, username, displayName, email, role, isDisabled, password, secondFactorStep, createdAt } = row
  return {
    userId,
    username,
    displayName,
    ...(email === undefined ? {} : { email }),
    role,
    isDisabled: isDisabled === 1,
    hasPassword: password !== undefined,
    hasSecondFactor: secondFactorStep !== undefined,
    createdAt,
  }
}

/** Who changes what, as the audit keeps it. */
export interface Change {
  readonly by: string
  readonly action: Audited
  /** Whom or what it changes. */
  readonly target: string
  readonly detail?: Readonly<Record<string, unknown>>
}

/**
 * Whoever makes a change still may, in the transaction of the change itself: between the request and here they may have been
 * shut out. For nobody's id, as the command line's, there is nothing to look up.
 * @param isOwn whether everybody may who has an account; else admins alone
 * @throws TuttiError `NotAllowed`
 */
export function* assertStillMay(by: string, isOwn = false): Script<void> {
  const row = yield* userWhere(sql`WHERE user_id = ${by}`)
  const may = row === undefined ? !(yield* isUserErased(by)) : row.isDisabled === 0 && (isOwn || row.role === 'admin')
  if (!may) throw new TuttiError('NotAllowed', 'You may not do this any more.')
}

/** Whether somebody was erased, or is about to be: nothing of theirs is kept any more. */
export function* isUserErased(userId: string): Script<boolean> {
  return (yield erased(userId)).length > 0
}

/** Makes a change and its line of the audit, in one transaction. @throws TuttiError `NotAllowed`, see `assertStillMay` */
export function changeAccounts(
  { sql: runner, clock }: { readonly sql: SqlRunner; readonly clock: Clock },
  change: Change,
  script: () => Script<void>,
  { lock = ACCOUNTS, isOwn = false }: { readonly lock?: string; readonly isOwn?: boolean } = {},
): Promise<void> {
  return runner.write(lock, () =>
    (function* (): Script<void> {
      yield* assertStillMay(change.by, isOwn)
      yield* script()
      yield recordAudit(change, clock.now())
    })(),
  )
}

/** One line of the audit, in the transaction of the change itself. */
export function recordAudit({ by, action, target, detail = {} }: Change, at: number): Query {
  return insert('audit', { at, changedBy: by, action, target, detail: JSON.stringify(detail) })
}
