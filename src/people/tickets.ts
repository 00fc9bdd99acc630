import type { Role } from '../core/caller.ts'
import type { Clock } from '../core/clock.ts'
import { TuttiError } from '../core/errors.ts'
import { insert, recordOf, sql } from '../storage/sql/query.ts'
import { rowsOf, type Script, type SqlRunner } from '../storage/sql/script.ts'
import { changing, userOf, withoutLinks } from './tables.ts'
import { hashOf, newToken } from './tokens.ts'
import type { Invitation } from './types.ts'

const DAY_MS = 86_400_000
/** How long each is good for. */
export const LASTS_MS = { invitation: 7 * DAY_MS, reset: DAY_MS }

type TicketKind = keyof typeof LASTS_MS

export interface Ticket {
  readonly userId?: string
  readonly role?: Role
}

/** Invitations and links for a new password. */
export interface TicketParts {
  readonly sql: SqlRunner
  readonly clock: Clock
}

/** Makes one. @returns its token, of which only the hash is kept */
export async function makeTicket(parts: TicketParts, by: string, kind: TicketKind, about: Ticket): Promise<string> {
  const token = newToken()
  const { userId, role } = about
  const now = parts.clock.now()
  const action = kind === 'reset' ? 'reset password' : 'invite'
  await changing(parts, { by, action, target: userId ?? invitationIdOf(token), detail: { role } }, function* () {
    if (userId !== undefined) {
      yield* userOf(userId)
      yield withoutLinks(userId)
    }
    yield sql`DELETE FROM tickets WHERE expires_at <= ${now}`
    const kept = { hash: hashOf(token), kind, userId, role, madeBy: by, expiresAt: now + LASTS_MS[kind] }
    yield sql`${insert('tickets', kept)} ON CONFLICT (hash) DO NOTHING`
  })
  return token
}

/** Each is good once. */
export function* takeTicket(kind: TicketKind, token: string, now: number): Script<Ticket | undefined> {
  const taken = sql`DELETE FROM tickets WHERE kind = ${kind} AND hash = ${hashOf(token)} AND expires_at > ${now}`
  const [row] = yield* rowsOf<object>(sql`${taken} RETURNING user_id, role`)
  return row === undefined ? undefined : recordOf<Ticket>(row)
}

/** What an invitation is called where it is not shown: the beginning of its hash, which leads to no token. */
export function invitationIdOf(token: string): string {
  return hashOf(token).slice(0, ID_LENGTH)
}
const ID_LENGTH = 16

/** Those that can be used still, the latest first. */
export async function openInvitations({ sql: runner, clock }: TicketParts): Promise<readonly Invitation[]> {
  const rows = await runner.all<object>(
    sql`SELECT substr(hash, 1, ${ID_LENGTH}) AS invitation_id, role, made_by, expires_at FROM tickets
      WHERE kind = 'invitation' AND expires_at > ${clock.now()} ORDER BY expires_at DESC, hash`,
  )
  return rows.map((row) => {
    const { role = 'member', ...kept } = recordOf<Omit<Invitation, 'madeAt'>>(row)
    return { ...kept, role, madeAt: kept.expiresAt - LASTS_MS.invitation }
  })
}

/** Its link is good for nothing any more. @throws TuttiError `NotFound` for one that was used, has ended, or never was */
export async function withdrawInvitation(parts: TicketParts, by: string, invitationId: string): Promise<void> {
  await changing(parts, { by, action: 'withdraw invitation', target: invitationId }, function* () {
    const withdrawn = yield sql`DELETE FROM tickets WHERE kind = 'invitation' AND expires_at > ${parts.clock.now()}
      AND substr(hash, 1, ${ID_LENGTH}) = ${invitationId} RETURNING role`
    if (withdrawn.length === 0) {
      throw new TuttiError(
        'NotFound',
        'There is no such invitation (any more): it was used or withdrawn, or is too old.',
      )
    }
  })
}
