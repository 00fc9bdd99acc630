import type { Clock } from '../shared/clock.ts'
import { toTuttiError, TuttiError } from '../domain/errors.ts'
import type { Owner } from '../domain/events.ts'
import { assertSignsIn, personalAccount } from '../mail/personal.ts'
import type { MailAccount } from '../mail/types.ts'
import type { Mailboxes } from '../accounts/mailboxes.ts'
import type { Mailbox } from '../domain/mailbox.ts'

/** A user's mailbox for the mail agent. */
export interface OwnMailbox {
  /** Another one after each change. */
  readonly version: string
  /** Absent while the mailbox cannot be used; `lack` gives the reason. */
  readonly account?: MailAccount
  readonly lack?: string
}

/** Users' own mailboxes. */
export type OwnMailboxes = ReturnType<typeof openMailboxes>

/** @param servers that users may choose: `host` or `host:port`, as configured */
export function openMailboxes(stored: Mailboxes, servers: readonly string[], clock: Clock) {
  return {
    servers,
    /** Without its password. @throws TuttiError `StorageError` if it was encrypted with another key */
    async describe(owner: Owner) {
      const mailbox = await stored.get(owner)
      if (mailbox === undefined) return undefined
      const { password: _, version: _version, ...description } = mailbox
      return description
    },
    /** Undefined if the user has no mailbox. */
    async of(owner: Owner): Promise<OwnMailbox | undefined> {
      let version = 'not open'
      try {
        const mailbox = await stored.get(owner)
        if (mailbox === undefined) return undefined
        version = mailbox.version
        return { version, account: personalAccount(mailbox, servers, () => clock.now()) }
      } catch (thrown) {
        const { message } = toTuttiError(thrown)
        // The installation's mailbox is not used as a replacement.
        return { version: `${version} ${message}`, lack: `Your own mailbox cannot be used. ${message}` }
      }
    },
    /**
     * Stores a mailbox after both servers accepted the sign-in. The audit records changes by users other than the owner.
     * @throws TuttiError `InvalidRequest` for a server that no admin allows, and for a refused sign-in; `MailError` if a
     * server cannot be reached
     */
    async set(owner: Owner, mailbox: Mailbox, by?: string): Promise<void> {
      await assertSignsIn(mailbox, servers).catch((thrown: unknown) => {
        // A retry does not help if the server refuses the account.
        if (TuttiError.is(thrown, 'MailError') && !thrown.retryable)
          throw new TuttiError('InvalidRequest', `${thrown.message} Nothing was stored.`, { cause: thrown })
        throw thrown
      })
      await stored.set(owner, mailbox, by)
    },
    /** @throws TuttiError `NotFound` */
    remove: (owner: Owner, by?: string): Promise<void> => stored.remove(owner, by),
    /** Secrets of the mailbox, which are masked in the owner's runs. */
    async secretsOf(owner: Owner): Promise<readonly string[]> {
      const mailbox = await stored.get(owner).catch((thrown: unknown) => {
        // Who cannot open it cannot use it either.
        if (!TuttiError.is(thrown, 'StorageError')) throw thrown
      })
      return mailbox === undefined ? [] : [mailbox.password]
    },
  }
}
