import type { Clock } from '../shared/clock.ts'
import { sql, insert, queryRows, type Script, type SqlRunner } from '../storage/sql/query.ts'
import { changeAccounts, userOf, revokeResetLinks } from './account-changes.ts'
import { createHash, randomBytes } from 'node:crypto'

/** Lifetime of password reset links, in milliseconds. */
export const RESET_LIFETIME_MS = 86_400_000

/** Dependencies of password reset links. */
export interface AccountTokenParts {
  readonly sql: SqlRunner
  readonly clock: Clock
}

/** Creates a password reset link. @returns its token; the database keeps only the hash */
export async function createResetToken(parts: AccountTokenParts, by: string, userId: string): Promise<string> {
  const token = newToken()
  const now = parts.clock.now()
  await changeAccounts(parts, { by, action: 'reset password', target: userId }, function* () {
    yield* userOf(userId)
    yield revokeResetLinks(userId)
    yield sql`DELETE FROM tickets WHERE expires_at <= ${now}`
    const row = { hash: hashToken(token), kind: 'reset', userId, madeBy: by, expiresAt: now + RESET_LIFETIME_MS }
    yield sql`${insert('tickets', row)} ON CONFLICT (hash) DO NOTHING`
  })
  return token
}

/** Redeems a token, which works once. Returns the user; undefined for a token that is unknown, used or expired. */
export function* consumeResetToken(token: string, now: number): Script<string | undefined> {
  const deletion = sql`DELETE FROM tickets WHERE kind = 'reset' AND hash = ${hashToken(token)} AND expires_at > ${now}`
  const [row] = yield* queryRows<{ readonly user_id: string }>(sql`${deletion} RETURNING user_id`)
  return row?.user_id
}

/** A token with 256 random bits, safe in URLs and headers. */
export function newToken(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** Hash of a token, as the database keeps it. Without salt or stretching: 256 random bits cannot be guessed. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
