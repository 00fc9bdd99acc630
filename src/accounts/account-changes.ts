import type { Role } from '../domain/caller.ts'
import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { erased } from '../storage/sql/erased.ts'
import {
  fixed,
  insert,
  rowRecord,
  sql,
  type Query,
  queryRows,
  type Script,
  type SqlRunner,
} from '../storage/sql/query.ts'
import type { Grant, Grantee, Level } from './permissions.ts'
import type { Audited, Person } from './types.ts'

/**
 * Lock for all changes of accounts, so that checks such as "not the last admin" and "the name is free" hold until
 * commit.
 */
export const ACCOUNTS = 'accounts'

/** Author of changes made at the command line. */
export const COMMAND_LINE = 'command line'

/** A row of `users`. */
export interface UserRow {
  readonly userId: string
  readonly username: string
  readonly displayName: string
  readonly password?: string
  readonly role: Role
  readonly isDisabled: number
  readonly failures: number
  readonly lockedUntil: number
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
  if (found === undefined) throw new TuttiError('NotFound', 'User not found.')
  return found
}

/** The name of a group. @throws TuttiError `NotFound` */
export function* assertGroup(groupId: string): Script<string> {
  const [row] = yield* queryRows<{ name: string }>(sql`SELECT name FROM user_groups WHERE group_id = ${groupId}`)
  if (row === undefined) throw new TuttiError('NotFound', 'Group not found.')
  return row.name
}

/** Checks that the grantee exists. @throws TuttiError `NotFound` */
export function* assertGrantee(to: Grantee): Script<void> {
  if (to.startsWith('user:')) yield* userOf(to.slice('user:'.length))
  if (to.startsWith('group:')) yield* assertGroup(to.slice('group:'.length))
}

/** A row of `source_grants`. */
export interface GrantRow {
  readonly source: string
  readonly grantee: Grantee
  readonly level: Level
}

export const GRANTS = fixed('SELECT source, grantee, level FROM source_grants')

export function groupGrants(rows: readonly GrantRow[], keyOf: (row: GrantRow) => string): Map<string, Grant[]> {
  const grants = new Map<string, Grant[]>()
  for (const row of rows) {
    const { grantee: to, level } = row
    grants.set(keyOf(row), [...(grants.get(keyOf(row)) ?? []), { to, level }])
  }
  return grants
}

/** Sets the level of a grant, or removes the grant. @throws TuttiError `NotFound` if there is no grant to remove */
export function* replaceGrant(
  source: string,
  grantee: Grantee,
  level: Level | undefined,
  label = source,
): Script<void> {
  const before = yield sql`DELETE FROM source_grants WHERE source = ${source} AND grantee = ${grantee} RETURNING level`
  if (level !== undefined) yield insert('source_grants', { source, grantee, level })
  else if (before.length === 0) throw new TuttiError('NotFound', `There is no such grant of ${label}.`)
}

/** Deletes the reset links of a user. */
export function revokeResetLinks(userId: string): Query {
  return sql`DELETE FROM tickets WHERE user_id = ${userId}`
}

/** The public fields of a row. */
export function personOf(row: UserRow): Person {
  const { userId, username, displayName, role, password, createdAt } = row
  return {
    userId,
    username,
    displayName,
    role,
    createdAt,
    isDisabled: row.isDisabled === 1,
    hasPassword: password !== undefined,
  }
}

/** A change, as the audit log keeps it. */
export interface Change {
  readonly by: string
  readonly action: Audited
  /** ID of the changed object. */
  readonly target: string
  readonly detail?: Readonly<Record<string, unknown>>
}

/**
 * Checks, in the transaction of a change, that its author may still make it: they may have been disabled since the
 * request. IDs without an account, such as the command line, always may.
 * @param isOwn whether every enabled account may make the change; otherwise only admins
 * @throws TuttiError `NotAllowed`
 */
export function* assertStillMay(by: string, isOwn = false): Script<void> {
  const row = yield* userWhere(sql`WHERE user_id = ${by}`)
  const may = row === undefined ? !(yield* isUserErased(by)) : row.isDisabled === 0 && (isOwn || row.role === 'admin')
  if (!may) throw new TuttiError('NotAllowed', 'You no longer have permission to do this.')
}

/** Whether the user was erased or is being erased. Nothing is stored for them from then on. */
export function* isUserErased(userId: string): Script<boolean> {
  return (yield erased(userId)).length > 0
}

/**
 * Makes a change and writes its audit entry, in one transaction.
 * @throws TuttiError `NotAllowed`, see `assertStillMay`
 */
export function changeAccounts(
  { sql: runner, clock }: { readonly sql: SqlRunner; readonly clock: Clock },
  change: Change,
  script: () => Script<void>,
  { lock = ACCOUNTS, isOwn = false }: { readonly lock?: string; readonly isOwn?: boolean } = {},
): Promise<void> {
  return runner.write(lock, function* (): Script<void> {
    yield* assertStillMay(change.by, isOwn)
    yield* script()
    yield recordAudit(change, clock.now())
  })
}

/** The audit entry of a change, to be written in the same transaction. */
export function recordAudit({ by, action, target, detail = {} }: Change, at: number): Query {
  return insert('audit', { at, changedBy: by, action, target, detail: JSON.stringify(detail) })
}
