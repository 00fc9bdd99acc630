import type { Owner } from '../domain/events.ts'
import { randomUUID } from 'node:crypto'
import { TuttiError } from '../domain/errors.ts'
import { insert, sql } from '../storage/sql/query.ts'
import { SqlStore } from '../storage/sql/sql-store.ts'
import { hashToken, newToken } from './account-tokens.ts'

/** A public link to a conversation, as it was when it was shared. */
export interface Share {
  readonly shareId: string
  readonly conversationId: string
  /** Title of the conversation at that time; absent for links that older versions made. */
  readonly title?: string
  /** Number of turns shown. */
  readonly turns: number
  readonly createdAt: number
  readonly expiresAt?: number
}

/** Links to conversations. They are deleted with their conversation, and with the account of their owner. */
export class Shares extends SqlStore {
  /**
   * Creates a link. Its token is returned only here.
   * @throws TuttiError `InvalidRequest` if it would have expired already
   */
  async create(
    owner: Owner,
    shared: Omit<Share, 'shareId' | 'createdAt'>,
  ): Promise<{ readonly token: string; readonly share: Share }> {
    const createdAt = this.clock.now()
    if (shared.expiresAt !== undefined && shared.expiresAt <= createdAt) {
      throw new TuttiError('InvalidRequest', 'The expiry date is in the past. Choose a later one.')
    }
    const token = newToken()
    const share: Share = { shareId: randomUUID(), ...shared, createdAt }
    const row = { ...share, owner, hash: hashToken(token) }
    await this.sql.all(sql`DELETE FROM conversation_shares WHERE expires_at <= ${createdAt}`)
    await this.sql.of(owner, sql`${insert('conversation_shares', row)} ON CONFLICT (share_id) DO NOTHING`)
    return { token, share }
  }

  /** Latest first. */
  async list(owner: Owner, conversationId: string): Promise<readonly Share[]> {
    const rows = await this.recordsOf<ShareRow>(
      owner,
      sql`SELECT * FROM conversation_shares WHERE owner = ${owner} AND conversation_id = ${conversationId}
        AND (expires_at IS NULL OR expires_at > ${this.clock.now()}) ORDER BY created_at DESC, share_id`,
    )
    return rows.map(shareOf)
  }

  /** @throws TuttiError `NotFound` */
  async revoke(owner: Owner, shareId: string): Promise<void> {
    const deletion = sql`DELETE FROM conversation_shares WHERE owner = ${owner} AND share_id = ${shareId} RETURNING share_id`
    if ((await this.sql.of(owner, deletion)).length === 0) throw new TuttiError('NotFound', 'Link not found.')
  }

  /** The share of a token; undefined if it was withdrawn or has expired, or its owner is disabled. */
  async find(token: string): Promise<(Share & { readonly owner: Owner }) | undefined> {
    const [row] = await this.records<ShareRow>(
      sql`SELECT * FROM conversation_shares s WHERE hash = ${hashToken(token)}
        AND (expires_at IS NULL OR expires_at > ${this.clock.now()})
        AND NOT EXISTS (SELECT 1 FROM users u WHERE u.user_id = s.owner AND u.is_disabled = 1)`,
    )
    return row === undefined ? undefined : { ...shareOf(row), owner: row.owner }
  }
}

interface ShareRow extends Share {
  readonly owner: Owner
  readonly hash: string
}

function shareOf({ owner: _owner, hash: _hash, ...share }: ShareRow): Share {
  return share
}
