import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { omitUndefined } from '../shared/json.ts'
import type { Owner } from '../domain/events.ts'
import { insert, rowRecord, sql, type Script, type SqlRunner } from '../storage/sql/query.ts'
import { recordAudit } from './account-changes.ts'
import type { Audited, Seal } from './types.ts'

/** A user's own mailbox, as entered. */
export interface Mailbox {
  /** Sender: `Name <address>` or only the address. */
  readonly address: string
  /** `host` or `host:port`. */
  readonly imap: string
  /** `host` or `host:port`; without it mails are read and drafted, but not sent. */
  readonly smtp?: string
  readonly user: string
  readonly password: string
}

export interface StoredMailbox extends Mailbox {
  /** Changes with each update. */
  readonly version: string
  /** Milliseconds since the epoch. */
  readonly changedAt: number
}

/** Users' own mailboxes. All fields are encrypted. */
export class Mailboxes {
  private readonly sql: SqlRunner
  private readonly clock: Clock
  private readonly seal: Seal

  constructor(runner: SqlRunner, clock: Clock, seal: Seal) {
    this.sql = runner
    this.clock = clock
    this.seal = seal
  }

  /** @throws TuttiError `StorageError` if it was encrypted with another key */
  async of(owner: Owner): Promise<StoredMailbox | undefined> {
    const [row] = await this.sql.of<object>(owner, sql`SELECT * FROM mailboxes WHERE owner = ${owner}`)
    if (row === undefined) return undefined
    const { sealed, changedAt } = rowRecord<{ sealed: string; changedAt: number }>(row)
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
      if (deleted.length === 0) throw new TuttiError('NotFound', 'There is no mailbox to remove.')
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
