import type { Clock } from '../core/clock.ts'
import { SCOPES, type Caller } from '../core/caller.ts'
import { TuttiError } from '../core/errors.ts'
import { LOCAL_OWNER, type Owner } from '../core/owner.ts'
import type { SourceName } from '../core/source-name.ts'
import { limited, recordOf, sql } from '../storage/sql/query.ts'
import type { SqlRunner } from '../storage/sql/script.ts'
import { Accounts } from './accounts.ts'
import { Groups } from './groups.ts'
import { ApiKeys } from './keys.ts'
import type { Grantee } from './may.ts'
import { Passwords } from './passwords.ts'
import { Quotas } from './quotas.ts'
import { Shares } from './shares.ts'
import { SignIn } from './sign-in.ts'
import { SingleSignOn, type OidcConfig } from './single-sign-on.ts'
import { UsageRecords } from './usage.ts'
import type { AuditEntry, Registration, Seal } from './types.ts'

/** Who may do what here. */
export interface People {
  readonly accounts: Accounts
  readonly signIn: SignIn
  readonly keys: ApiKeys
  readonly groups: Groups
  readonly quotas: Quotas
  readonly usage: UsageRecords
  readonly shares: Shares
  /** Where a provider is set up. */
  readonly singleSignOn?: SingleSignOn
  readonly registration: Registration
  /** Whom `everyone`, `group:…` or `user:…` with an id or name means. @throws TuttiError `InvalidRequest`, `NotFound` */
  grantee(whom: string): Promise<Grantee>
  /** What admins have changed, the latest first. */
  audit(limit?: number): Promise<readonly AuditEntry[]>
  /**
   * Those of the installation's sources that agents may use for somebody; undefined: all, for the one user of a machine, and
   * where nobody has an account. What is lost with an account or its end is lost at once.
   */
  sourcesOf(userId: Owner, all: readonly SourceName[]): Promise<readonly SourceName[] | undefined>
  /** Who shows this token of a session, or this key; undefined when it is good for nothing (any more). */
  caller(shown: { readonly session: string } | { readonly key: string }): Promise<Caller | undefined>
}

/** Nothing is opened or loaded before it is needed. */
export function createPeople(
  runner: SqlRunner,
  clock: Clock,
  seal: Seal,
  {
    registration = 'invitation',
    oidc,
  }: { readonly registration?: Registration; readonly oidc?: OidcConfig | undefined } = {},
): People {
  const passwords = new Passwords()
  const signIn = new SignIn({ sql: runner, clock, passwords, seal })
  const keys = new ApiKeys(runner, clock)
  const accounts = new Accounts({ sql: runner, clock, passwords })
  const groups = new Groups(runner, clock)
  return {
    accounts,
    signIn,
    keys,
    groups,
    quotas: new Quotas(runner, clock),
    usage: new UsageRecords(runner),
    shares: new Shares(runner, clock),
    registration,
    ...(oidc === undefined ? {} : { singleSignOn: new SingleSignOn(oidc, accounts, groups) }),
    async grantee(whom) {
      const [kind, ...rest] = whom.split(':')
      const name = rest.join(':')
      if (whom === 'everyone') return whom
      if (kind === 'group') return `group:${(await groups.find(name)).groupId}`
      if (kind === 'user') return `user:${(await accounts.find(name)).userId}`
      throw new TuttiError('InvalidRequest', `"${whom}" is nobody; write everyone, group:NAME or user:NAME.`)
    },
    async audit(limit = 100) {
      const rows = await runner.all(sql`SELECT * FROM audit ORDER BY id DESC ${limited(limit)}`)
      return rows.map((row) => recordOf<AuditEntry>(row, ['detail']))
    },
    async sourcesOf(userId, all) {
      if (userId === LOCAL_OWNER) return undefined
      const person = await accounts.byId(userId)
      if (person === undefined) return (await accounts.hasAny()) ? [] : undefined
      if (person.isDisabled) return []
      const { role } = person
      const caller: Caller = { userId, role, groups: await groups.of(userId), scopes: SCOPES, kind: 'person' }
      return groups.sourcesOf(caller, all)
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
