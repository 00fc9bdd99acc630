import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { omitUndefined } from '../shared/omit-undefined.ts'
import type { Owner } from '../domain/owner.ts'
import { insert, rowRecord, sql } from '../storage/sql/query.ts'
import type { Script, SqlRunner } from '../storage/sql/script.ts'
import { recordAudit } from './tables.ts'
import type { Audited, Seal } from './types.ts'

/** A person's own mailbox, as they enter it. */
export interface Mailbox {
  /** `Name <address>` or the address alone, which mails are sent from. */
  readonly address: string
  /** `host` or `host:port`. */
  readonly imap: string
  /** `host` or `host:port`; without it mails are read and drafted, not sent. */
  readonly smtp?: string
  readonly user: string
  readonly password: string
}

export interface StoredMailbox extends Mailbox {
  /** Another one after each change. */
  readonly version: string
  /** Milliseconds since the epoch. */
  readonly changedAt: number
}

/** The mailboxes that people have of their own: all of each is sealed. */
export class Mailboxes {
  private readonly sql: SqlRunner
  private readonly clock: Clock
  private readonly seal: Seal

  constructor(runner: SqlRunner, clock: Clock, seal: Seal) {
    this.sql = runner
    this.clock = clock
    this.seal = seal
  }

  /** @throws TuttiError `StorageError` for one that was sealed with another key */
  async of(owner: Owner): Promise<StoredMailbox | undefined> {
    const [row] = await this.sql.of<object>(owner, sql`SELECT * FROM mailboxes WHERE owner = ${owner}`)
    if (row === undefined) return undefined
    const { sealed, changedAt } = rowRecord<{ sealed: string; changedAt: number }>(row)
    const text = await this.seal.open(sealed, placeOf(owner))
    if (text !== undefined) return { ...(JSON.parse(text) as Mailbox), version: sealed, changedAt }
    throw new TuttiError(
      'StorageError',
      'The mailbox was sealed with another key. Start with the key of that time, or enter the mailbox again.',
    )
  }

  /** Takes the place of the one before. @param by who did it, where it was not its owner: it is in the audit then */
  async set(owner: Owner, mailbox: Mailbox, by?: string): Promise<void> {
    const sealed = await this.seal.close(JSON.stringify(mailbox), placeOf(owner))
    const at = this.clock.now()
    const { imap, smtp } = mailbox
    await this.sql.write(owner, function* (): Script<void> {
      yield sql`${insert('mailboxes', { owner, sealed, changedAt: at })}
        ON CONFLICT (owner) DO UPDATE SET sealed = excluded.sealed, changed_at = excluded.changed_at`
      yield* lineOf('set mailbox', owner, by, at, omitUndefined({ imap, smtp }))
    })
  }

  /** @param by as of `set` @throws TuttiError `NotFound` where there is none */
  async remove(owner: Owner, by?: string): Promise<void> {
    const at = this.clock.now()
    await this.sql.write(owner, function* (): Script<void> {
      const gone = yield sql`DELETE FROM mailboxes WHERE owner = ${owner} RETURNING owner`
      if (gone.length === 0) throw new TuttiError('NotFound', 'There is no mailbox that could be erased.')
      yield* lineOf('erase mailbox', owner, by, at)
    })
  }
}

function* lineOf(action: Audited, target: Owner, by: string | undefined, at: number, detail = {}): Script<void> {
  if (by !== undefined) yield recordAudit({ by, action, target, detail }, at)
}

function placeOf(owner: Owner): string {
  return `mailbox ${owner}`
}
