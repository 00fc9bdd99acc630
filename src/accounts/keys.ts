import { randomUUID } from 'node:crypto'
import { SCOPES, scopesWith, type Scope } from '../domain/caller.ts'
import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { insert, rowRecord, sql, type Script, type SqlRunner } from '../storage/sql/query.ts'
import { ACCOUNTS, assertStillMay, personOf, type UserRow } from './account-changes.ts'
import { hashToken, newToken } from './tokens.ts'
import type { ApiKey, Person } from './types.ts'

/** Prefix by which people and secret scanners recognise a key. */
const PREFIX = 'tutti_'
const SHOWN = PREFIX.length + 6
const MINUTE_MS = 60_000

/** API keys with their scopes. A key never has more permissions than its user. */
export class ApiKeys {
  private readonly sql: SqlRunner
  private readonly clock: Clock

  constructor(runner: SqlRunner, clock: Clock) {
    this.sql = runner
    this.clock = clock
  }

  /** Creates a key. It is returned only here. @throws TuttiError `InvalidRequest` */
  async create(
    userId: string,
    {
      name,
      scopes,
      expiresAt,
    }: { readonly name: string; readonly scopes: readonly string[]; readonly expiresAt?: number },
  ): Promise<{ readonly key: string; readonly record: ApiKey }> {
    const createdAt = this.clock.now()
    const strange = scopes.filter((scope) => !isScope(scope))
    if (scopes.length === 0 || strange.length > 0) {
      const what =
        strange.length === 0 ? 'Name what the key is good for' : `There is no scope "${strange.join('", "')}"`
      throw new TuttiError('InvalidRequest', `${what}: ${SCOPES.join(', ')}.`)
    }
    if (expiresAt !== undefined && !(expiresAt > createdAt)) {
      throw new TuttiError('InvalidRequest', 'The key would have expired already; name a later day.')
    }
    const key = newToken(PREFIX)
    const kept = { keyId: randomUUID(), name: name.trim().slice(0, 100) || 'key', beginsWith: key.slice(0, SHOWN) }
    const row = {
      ...kept,
      userId,
      hash: hashToken(key),
      scopes: JSON.stringify([...new Set(scopes)]),
      createdAt,
      expiresAt,
    }
    await this.sql.write(ACCOUNTS, function* (): Script<void> {
      yield* assertStillMay(userId, true)
      yield sql`${insert('api_keys', row)} ON CONFLICT (key_id) DO NOTHING`
    })
    return { key, record: (await this.list(userId)).find(({ keyId }) => keyId === kept.keyId)! }
  }

  /** Latest first. */
  async list(userId: string): Promise<readonly ApiKey[]> {
    const rows = await this.sql.all(
      sql`SELECT key_id, name, begins_with, scopes, created_at, expires_at, last_used_at FROM api_keys
        WHERE user_id = ${userId} ORDER BY created_at DESC, key_id`,
    )
    return rows.map((row) => rowRecord<ApiKey>(row, ['scopes']))
  }

  /** @throws TuttiError `NotFound` if the user has no such key */
  async revoke(userId: string, keyId: string): Promise<void> {
    const removed = sql`DELETE FROM api_keys WHERE user_id = ${userId} AND key_id = ${keyId} RETURNING key_id`
    if ((await this.sql.all(removed)).length === 0) throw new TuttiError('NotFound', 'There is no such key.')
  }

  /** The user and scopes of a key; undefined if it was revoked or has expired, or the user is disabled. */
  async holder(
    key: string,
  ): Promise<{ readonly person: Person; readonly scopes: readonly Scope[]; readonly keyId: string } | undefined> {
    const now = this.clock.now()
    const [row] = await this.sql.all<object>(
      sql`SELECT u.*, k.key_id, k.scopes, k.last_used_at FROM api_keys k JOIN users u ON u.user_id = k.user_id
        WHERE k.hash = ${hashToken(key)} AND u.is_disabled = 0 AND (k.expires_at IS NULL OR k.expires_at > ${now})`,
    )
    if (row === undefined) return undefined
    const found = rowRecord<UserRow & { keyId: string; scopes: string[]; lastUsedAt?: number }>(row, ['scopes'])
    if ((found.lastUsedAt ?? 0) <= now - MINUTE_MS) {
      await this.sql.all(sql`UPDATE api_keys SET last_used_at = ${now} WHERE key_id = ${found.keyId}`)
    }
    return { person: personOf(found), scopes: scopesWith(found.scopes.filter(isScope)), keyId: found.keyId }
  }
}

function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text)
}
