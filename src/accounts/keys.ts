import { randomUUID } from 'node:crypto'
import { SCOPES, scopesWith, type Scope } from '../domain/caller.ts'
import { TuttiError } from '../domain/errors.ts'
import { insert, sql, type Script } from '../storage/sql/query.ts'
import { SqlStore } from '../storage/sql/sql-store.ts'
import { ACCOUNTS, assertStillMay, personOf, type UserRow } from './account-changes.ts'
import { hashToken, newToken } from './account-tokens.ts'
import type { ApiKey, Person } from './types.ts'

/** Prefix by which people and secret scanners recognise a key. */
const PREFIX = 'tutti_'
const SHOWN = PREFIX.length + 6
const MINUTE_MS = 60_000

/** API keys with their scopes. A key never has more permissions than its user. */
export class ApiKeys extends SqlStore {
  /** Creates a key. It is returned only here. @throws TuttiError `InvalidRequest` */
  async create(
    userId: string,
    { name, scopes, expiresAt }: { name: string; scopes: readonly string[]; expiresAt?: number },
  ): Promise<{ readonly key: string; readonly record: ApiKey }> {
    const createdAt = this.clock.now()
    const strange = scopes.filter((scope) => !isScope(scope))
    if (scopes.length === 0 || strange.length > 0) {
      const problem = strange.length === 0 ? 'Choose at least one scope' : `Unknown scope "${strange.join('", "')}"`
      throw new TuttiError('InvalidRequest', `${problem}. Scopes: ${SCOPES.join(', ')}.`)
    }
    if (expiresAt !== undefined && !(expiresAt > createdAt)) {
      throw new TuttiError('InvalidRequest', 'The expiry date is in the past. Choose a later one.')
    }
    const key = newToken(PREFIX)
    const keyId = randomUUID()
    const view = { name: name.trim().slice(0, 100) || 'key', beginsWith: key.slice(0, SHOWN) }
    const secret = { hash: hashToken(key), scopes: JSON.stringify([...new Set(scopes)]) }
    const row = { keyId, userId, ...view, ...secret, createdAt, expiresAt }
    await this.sql.write(ACCOUNTS, function* (): Script<void> {
      yield* assertStillMay(userId, true)
      yield sql`${insert('api_keys', row)} ON CONFLICT (key_id) DO NOTHING`
    })
    return { key, record: (await this.list(userId)).find((one) => one.keyId === keyId)! }
  }

  /** Latest first. */
  async list(userId: string): Promise<readonly ApiKey[]> {
    return this.records<ApiKey>(
      sql`SELECT key_id, name, begins_with, scopes, created_at, expires_at, last_used_at FROM api_keys
        WHERE user_id = ${userId} ORDER BY created_at DESC, key_id`,
      ['scopes'],
    )
  }

  /** @throws TuttiError `NotFound` if the user has no such key */
  async revoke(userId: string, keyId: string): Promise<void> {
    const removed = sql`DELETE FROM api_keys WHERE user_id = ${userId} AND key_id = ${keyId} RETURNING key_id`
    if (!(await this.hasRows(removed))) throw new TuttiError('NotFound', 'Key not found.')
  }

  /** The user and scopes of a key; undefined if it was revoked or has expired, or the user is disabled. */
  async holder(key: string): Promise<{ person: Person; scopes: readonly Scope[]; keyId: string } | undefined> {
    const now = this.clock.now()
    const [found] = await this.records<UserRow & { keyId: string; scopes: string[]; lastUsedAt?: number }>(
      sql`SELECT u.*, k.key_id, k.scopes, k.last_used_at FROM api_keys k JOIN users u ON u.user_id = k.user_id
        WHERE k.hash = ${hashToken(key)} AND u.is_disabled = 0 AND (k.expires_at IS NULL OR k.expires_at > ${now})`,
      ['scopes'],
    )
    if (found === undefined) return undefined
    if ((found.lastUsedAt ?? 0) <= now - MINUTE_MS) {
      await this.sql.all(sql`UPDATE api_keys SET last_used_at = ${now} WHERE key_id = ${found.keyId}`)
    }
    return { person: personOf(found), scopes: scopesWith(found.scopes.filter(isScope)), keyId: found.keyId }
  }
}

function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text)
}
