import type { Role } from '../core/caller.ts'
import type { Clock } from '../core/clock.ts'
import { TuttiError } from '../core/errors.ts'
import { fixed, insert, recordOf, sql, type Query } from '../storage/sql/query.ts'
import { rowsOf, type Script, type SqlRunner } from '../storage/sql/script.ts'
import type { Person } from './types.ts'

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
  const [row] = yield* rowsOf<object>(sql`${USERS} ${condition}`)
  return row === undefined ? undefined : recordOf<UserRow>(row)
}

/** @throws TuttiError `NotFound` */
export function* userOf(userId: string): Script<UserRow> {
  const found = yield* userWhere(sql`WHERE user_id = ${userId}`)
  if (found === undefined) throw new TuttiError('NotFound', 'There is no such person.')
  return found
}

/** Links for a new password that somebody was sent are good for nothing any more. */
export function withoutLinks(userId: string): Query {
  return sql`DELETE FROM tickets WHERE user_id = ${userId}`
}

/** What others may know of a row. */
export function personOf(row: UserRow): Person {
  const { userId, username, displayName, email, role, isDisabled, secondFactorStep, createdAt } = row
  return {
    userId,
    username,
    displayName,
    ...(email === undefined ? {} : { email }),
    role,
    isDisabled: isDisabled === 1,
    hasSecondFactor: secondFactorStep !== undefined,
    createdAt,
  }
}

/** Who changes what, as the audit keeps it. */
export interface Change {
  readonly by: string
  readonly action: string
  /** Whom or what it changes. */
  readonly target: string
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Makes a change and its line of the audit, in one transaction. */
export function changing(
  { sql: runner, clock }: { readonly sql: SqlRunner; readonly clock: Clock },
  change: Change,
  script: () => Script<void>,
  lock = ACCOUNTS,
): Promise<void> {
  return runner.write(lock, () =>
    (function* (): Script<void> {
      yield* script()
      yield audited(change, clock.now())
    })(),
  )
}

/** One line of the audit, in the transaction of the change itself. */
export function audited({ by, action, target, detail = {} }: Change, at: number): Query {
  return insert('audit', { at, changedBy: by, action, target, detail: JSON.stringify(detail) })
}
