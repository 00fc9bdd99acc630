import type { Clock } from '../shared/clock.ts'
import { SCOPES, type Caller } from '../domain/caller.ts'
import { TuttiError } from '../domain/errors.ts'
import { LOCAL_OWNER, type Owner } from '../domain/events.ts'
import type { SourceName } from '../shared/source-name.ts'
import { fixed, limited, rowRecord, sql, where, type SqlRunner } from '../storage/sql/query.ts'
import { Accounts } from './accounts.ts'
import { Groups } from './groups.ts'
import { Collections } from './collections.ts'
import { ApiKeys } from './keys.ts'
import { Mailboxes } from './mailboxes.ts'
import type { Grantee } from './permissions.ts'
import { Passwords } from './passwords.ts'
import { Quotas } from './quotas.ts'
import { Shares } from './shares.ts'
import { SignIn } from './sign-in.ts'
import { SingleSignOn, type OidcConfig } from './single-sign-on.ts'
import { recordAudit, type Change } from './account-changes.ts'
import { LoginRateLimit } from './login-rate-limit.ts'
import { UsageRecords } from './usage.ts'
import type { AuditEntry, AuditFilter, Person, Registration } from './types.ts'
import type { Seal } from '../storage/sql/sql-store.ts'

interface PeopleOptions {
  readonly registration?: Registration
  readonly oidc?: OidcConfig | undefined
  readonly send?: typeof fetch | undefined
}

/** Accounts, groups, permissions and quotas. */
export type People = ReturnType<typeof createPeople>

/** @param send fetch function for requests to the single sign-on provider */
export function createPeople(
  runner: SqlRunner,
  clock: Clock,
  seal: Seal,
  { registration = 'closed', oidc, send = fetch }: PeopleOptions = {},
) {
  const passwords = new Passwords()
  const signIn = new SignIn(runner, clock, seal, passwords)
  const keys = new ApiKeys(runner, clock)
  const accounts = new Accounts({ sql: runner, clock }, passwords)
  const groups = new Groups(runner, clock)
  /**
   * The current role and groups of the user, for work done on their behalf. Undefined if the account does not exist or
   * is disabled. The single local user is admin, and so is everybody if no accounts exist.
   */
  const callerOf = async (userId: Owner): Promise<Caller | undefined> => {
    const person = await accounts.byId(userId)
    if (person !== undefined) return toCaller(person, await groups.groupIdsOf(userId))
    const isMachine = userId === LOCAL_OWNER || !(await accounts.hasAny())
    return isMachine ? { userId, role: 'admin', groups: [], scopes: SCOPES, kind: 'demo' } : undefined
  }
  return {
    accounts,
    signIn,
    keys,
    groups,
    quotas: new Quotas(runner, clock),
    usage: new UsageRecords(runner, clock),
    shares: new Shares(runner, clock),
    /** Counts the attempts to sign in. */
    loginRateLimit: new LoginRateLimit(runner, clock),
    collections: new Collections(runner, clock),
    mailboxes: new Mailboxes(runner, clock, seal),
    registration,
    /** Present if a provider is configured. */
    singleSignOn: oidc && new SingleSignOn(oidc, accounts, groups, send),
    /**
     * Resolves `everyone`, `group:…` or `user:…` with an ID or a name.
     * @throws TuttiError `InvalidRequest`, `NotFound`
     */
    async resolveGrantee(text: string): Promise<Grantee> {
      const [kind, ...rest] = text.split(':')
      const name = rest.join(':')
      if (text === 'everyone') return text
      if (kind === 'group') return `group:${(await groups.find(name)).groupId}`
      if (kind === 'user') return `user:${(await accounts.find(name)).userId}`
      throw new TuttiError('InvalidRequest', `"${text}" is not valid. Use everyone, group:NAME or user:NAME.`)
    },
    /** Names of users and groups. */
    async granteeNames(grantees: readonly Grantee[]): Promise<ReadonlyMap<Grantee, string>> {
      const [all, persons] = await Promise.all([groups.list(), accounts.list()])
      const names = new Map<string, string>([
        ...all.map(({ groupId, name }) => [`group:${groupId}`, name] as const),
        ...persons.map(({ userId, username }) => [`user:${userId}`, username] as const),
      ])
      return new Map(grantees.flatMap((one) => (names.has(one) ? [[one, names.get(one)!] as const] : [])))
    },
    /** Adds an audit entry for an action that changed no account. */
    recordAudit: async (change: Change): Promise<void> => void (await runner.all(recordAudit(change, clock.now()))),
    /** Audit entries, latest first. */
    async audit(limit = 100, { before, changedBy, action, target }: AuditFilter = {}): Promise<readonly AuditEntry[]> {
      const conditions = where({ changed_by: changedBy, action, target })
      const older = before === undefined ? fixed('') : sql`AND id < ${before}`
      const rows = await runner.all(sql`SELECT * FROM audit ${conditions} ${older} ORDER BY id DESC ${limited(limit)}`)
      return rows.map((row) => rowRecord<AuditEntry>(row, ['detail']))
    },
    /**
     * The installation's sources that agents may use for this user. Undefined means all: for the single local user, and
     * if no accounts exist. A disabled or removed account loses its sources immediately.
     */
    async sourcesOf(userId: Owner, all: readonly SourceName[]): Promise<readonly SourceName[] | undefined> {
      if (userId === LOCAL_OWNER) return undefined
      const caller = await callerOf(userId)
      if (caller?.kind === 'demo') return undefined
      return caller === undefined ? [] : groups.sourcesOf(caller, all)
    },
    callerOf,
    /** Every user with an enabled account, as `callerOf` returns them. */
    async callers(): Promise<readonly Caller[]> {
      const [all, belongs] = await Promise.all([accounts.list(), groups.groupIdsByUser()])
      return all.flatMap((person) => toCaller(person, belongs.get(person.userId) ?? []) ?? [])
    },
    /** The user of a session token or API key; undefined if it is not valid or has expired. */
    async caller(credentials: { readonly session: string } | { readonly key: string }): Promise<Caller | undefined> {
      const found =
        'key' in credentials
          ? await keys.holder(credentials.key)
          : await signIn.sessions.find(credentials.session).then((session) => session && { ...session, scopes: SCOPES })
      if (found === undefined) return undefined
      const { person, scopes } = found
      const { userId, role } = person
      const credential =
        'keyId' in found
          ? ({ kind: 'key', keyId: found.keyId } as const)
          : ({ kind: 'person', sessionId: found.sessionId } as const)
      return { userId, role, groups: await groups.groupIdsOf(userId), scopes, ...credential }
    },
  }
}

function toCaller({ userId, role, isDisabled }: Person, groups: readonly string[]): Caller | undefined {
  return isDisabled ? undefined : { userId, role, groups, scopes: SCOPES, kind: 'person' }
}
