import type { Owner } from '../domain/events.ts'
import type { Mailbox } from '../domain/mailbox.ts'
import { omitUndefined } from '../shared/json.ts'
import { TuttiError } from '../domain/errors.ts'
import { insert, sql, type Script } from '../storage/sql/query.ts'
import { SealedSqlStore } from '../storage/sql/sql-store.ts'
import { recordAudit } from './account-changes.ts'
import type { Audited } from './types.ts'

export interface StoredMailbox extends Mailbox {
  /** Changes with each update. */
  readonly version: string
  /** Milliseconds since the epoch. */
  readonly changedAt: number
}

/** Users' own mailboxes. All fields are encrypted. */
export class Mailboxes extends SealedSqlStore {
  /** @throws TuttiError `StorageError` if it was encrypted with another key */
  async get(owner: Owner): Promise<StoredMailbox | undefined> {
    const query = sql`SELECT * FROM mailboxes WHERE owner = ${owner}`
    const [row] = await this.recordsOf<{ sealed: string; changedAt: number }>(owner, query)
    if (row === undefined) return undefined
    const { sealed, changedAt } = row
    const text = await this.seal.open(sealed, sealContext(owner))
    if (text !== undefined) return { ...(JSON.parse(text) as Mailbox), version: sealed, changedAt }
    throw new TuttiError(
      'StorageError',
      'The mailbox was encrypted with another key. Start with the key that was used then, or enter the mailbox again.',
    )
  }

  /** Stores the mailbox, replacing an earlier one. @param by admin who set it on behalf of the owner; audited */
  async set(owner: Owner, mailbox: Mailbox, by?: string): Promise<void> {
    const sealed = await this.seal.close(JSON.stringify(mailbox), sealContext(owner))
    const at = this.clock.now()
    const { imap, smtp } = mailbox
    await this.sql.write(owner, function* (): Script<void> {
      yield sql`${insert('mailboxes', { owner, sealed, changedAt: at })}
        ON CONFLICT (owner) DO UPDATE SET sealed = excluded.sealed, changed_at = excluded.changed_at`
      yield* lineOf('set mailbox', owner, by, at, omitUndefined({ imap, smtp }))
    })
  }

  /** @param by as for `set` @throws TuttiError `NotFound` if there is none */
  async remove(owner: Owner, by?: string): Promise<void> {
    const at = this.clock.now()
    await this.sql.write(owner, function* (): Script<void> {
      const deleted = yield sql`DELETE FROM mailboxes WHERE owner = ${owner} RETURNING owner`
      if (deleted.length === 0) throw new TuttiError('NotFound', 'Mailbox not found.')
      yield* lineOf('erase mailbox', owner, by, at)
    })
  }
}

function* lineOf(action: Audited, target: Owner, by: string | undefined, at: number, detail = {}): Script<void> {
  if (by !== undefined) yield recordAudit({ by, action, target, detail }, at)
}

function sealContext(owner: Owner): string {
  return `mailbox ${owner}`
}
