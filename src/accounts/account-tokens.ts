import type { Role } from '../domain/caller.ts'
import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { insert, rowRecord, sql, queryRows, type Script, type SqlRunner } from '../storage/sql/query.ts'
import { changeAccounts, userOf, revokeResetLinks } from './account-changes.ts'
import type { Invitation } from './types.ts'
import { createHash, randomBytes } from 'node:crypto'

const DAY_MS = 86_400_000
/** Lifetimes, in milliseconds. */
export const TOKEN_LIFETIME_MS = { invitation: 7 * DAY_MS, reset: DAY_MS }

type TicketKind = keyof typeof TOKEN_LIFETIME_MS

export interface AccountToken {
  readonly userId?: string
  readonly role?: Role
}

/** Dependencies of invitations and password reset links. */
export interface AccountTokenParts {
  readonly sql: SqlRunner
  readonly clock: Clock
}

/** Creates an invitation or a reset link. @returns its token; the database keeps only the hash */
export async function createAccountToken(
  parts: AccountTokenParts,
  by: string,
  kind: TicketKind,
  about: AccountToken,
): Promise<string> {
  const token = newToken()
  const { userId, role } = about
  const now = parts.clock.now()
  const action = kind === 'reset' ? 'reset password' : 'invite'
  await changeAccounts(parts, { by, action, target: userId ?? invitationIdOf(token), detail: { role } }, function* () {
    if (userId !== undefined) {
      yield* userOf(userId)
      yield revokeResetLinks(userId)
    }
    yield sql`DELETE FROM tickets WHERE expires_at <= ${now}`
    const row = { hash: hashToken(token), kind, userId, role, madeBy: by, expiresAt: now + TOKEN_LIFETIME_MS[kind] }
    yield sql`${insert('tickets', row)} ON CONFLICT (hash) DO NOTHING`
  })
  return token
}

/** Redeems a token, which works once. Returns undefined for a token that is unknown, used or expired. */
export function* consumeAccountToken(kind: TicketKind, token: string, now: number): Script<AccountToken | undefined> {
  const deletion = sql`DELETE FROM tickets WHERE kind = ${kind} AND hash = ${hashToken(token)} AND expires_at > ${now}`
  const [row] = yield* queryRows<object>(sql`${deletion} RETURNING user_id, role`)
  return row === undefined ? undefined : rowRecord<AccountToken>(row)
}

/** The public ID of an invitation: the beginning of the hash of its token. The token cannot be derived from it. */
export function invitationIdOf(token: string): string {
  return hashToken(token).slice(0, ID_LENGTH)
}
const ID_LENGTH = 16

/** Invitations that are not used and have not expired, latest first. */
export async function openInvitations({ sql: runner, clock }: AccountTokenParts): Promise<readonly Invitation[]> {
  const rows = await runner.all<object>(
    sql`SELECT substr(hash, 1, ${ID_LENGTH}) AS invitation_id, role, made_by, expires_at FROM tickets
      WHERE kind = 'invitation' AND expires_at > ${clock.now()} ORDER BY expires_at DESC, hash`,
  )
  return rows.map((row) => {
    const { role = 'member', ...kept } = rowRecord<Omit<Invitation, 'madeAt'>>(row)
    return { ...kept, role, madeAt: kept.expiresAt - TOKEN_LIFETIME_MS.invitation }
  })
}

/** Withdraws an invitation. @throws TuttiError `NotFound` if it does not exist, was used or has expired */
export async function withdrawInvitation(parts: AccountTokenParts, by: string, invitationId: string): Promise<void> {
  await changeAccounts(parts, { by, action: 'withdraw invitation', target: invitationId }, function* () {
    const withdrawn = yield sql`DELETE FROM tickets WHERE kind = 'invitation' AND expires_at > ${parts.clock.now()}
      AND substr(hash, 1, ${ID_LENGTH}) = ${invitationId} RETURNING role`
    if (withdrawn.length === 0) {
      throw new TuttiError('NotFound', 'Invitation not found. It was used or withdrawn, or has expired.')
    }
  })
}

/** A token with 256 random bits, safe in URLs and headers. */
export function newToken(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** Hash of a token, as the database keeps it. Without salt or stretching: 256 random bits cannot be guessed. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
