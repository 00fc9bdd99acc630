import type { Clock } from '../core/clock.ts'
import { SCOPES, type Caller } from '../core/caller.ts'
import { limited, recordOf, sql } from '../storage/sql/query.ts'
import type { SqlRunner } from '../storage/sql/script.ts'
import { Accounts } from './accounts.ts'
import { Groups } from './groups.ts'
import { ApiKeys } from './keys.ts'
import { Passwords } from './passwords.ts'
import { SignIn } from './sign-in.ts'
import type { AuditEntry, Seal } from './types.ts'

/** Who may do what here. */
export interface People {
  readonly accounts: Accounts
  readonly signIn: SignIn
  readonly keys: ApiKeys
  readonly groups: Groups
  /** What admins have changed, the latest first. */
  audit(limit?: number): Promise<readonly AuditEntry[]>
  /** Who shows this token of a session, or this key; undefined when it is good for nothing (any more). */
  caller(shown: { readonly session: string } | { readonly key: string }): Promise<Caller | undefined>
}

/** Nothing is opened or loaded before it is needed. */
export function createPeople(runner: SqlRunner, clock: Clock, seal: Seal): People {
  const passwords = new Passwords()
  const signIn = new SignIn({ sql: runner, clock, passwords, seal })
  const keys = new ApiKeys(runner, clock)
  const groups = new Groups(runner, clock)
  return {
    accounts: new Accounts({ sql: runner, clock, passwords }),
    signIn,
    keys,
    groups,
    async audit(limit = 100) {
      const rows = await runner.all(sql`SELECT * FROM audit ORDER BY id DESC ${limited(limit)}`)
      return rows.map((row) => recordOf<AuditEntry>(row, ['detail']))
    },
    async caller(shown) {
      const found =
        'key' in shown
          ? await keys.holder(shown.key)
          : await signIn.session(shown.session).then((session) => session && { ...session, scopes: SCOPES })
      if (found === undefined) return undefined
      const { person, scopes } = found
      const { userId, role } = person
      return { userId, role, groups: await groups.of(userId), scopes, kind: 'key' in shown ? 'key' : 'person' }
    },
  }
}
