/** Types of this folder: mails and mail accounts. */

export type MailFolder = 'inbox' | 'sent' | 'drafts'

/** A mail in a list. All of its content is written by the sender and untrusted. */
export interface MailHeader {
  /** Opaque ID of the mail within its account. */
  readonly id: string
  readonly folder: MailFolder
  /** `Name <address>`, or only the address. */
  readonly from: string
  /** Reply-To addresses; empty if answers go to the sender. */
  readonly replyTo: readonly string[]
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly subject: string
  /** ISO 8601 in UTC; empty if the mail has no valid date. */
  readonly date: string
  /** The beginning of the text. */
  readonly snippet: string
  readonly hasAttachments: boolean
}

/** Attachments are listed but never opened. */
export interface MailAttachment {
  readonly name: string
  readonly type: string
  readonly bytes: number
}

/** A mail with its text, or its HTML converted to text; remote content is never loaded. */
export interface MailMessage extends MailHeader {
  /** With angle brackets; empty if the mail has none. */
  readonly messageId: string
  /** Message-IDs of the thread before this mail, oldest first. */
  readonly references: readonly string[]
  readonly text: string
  /** True if the text was truncated. */
  readonly isCut: boolean
  readonly attachments: readonly MailAttachment[]
}

/** A mail to save or send. Addresses are `Name <address>` or only the address. */
export interface OutgoingMail {
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly subject: string
  readonly text: string
}

/** The result of saving or sending a mail. */
export interface MailReceipt {
  /** The ID of the stored mail, if the account returns it. */
  readonly id?: string
  readonly messageId: string
  /** A note for the user, such as that no copy could be saved. */
  readonly note?: string
  /** Recipients that the server rejected while it accepted others. */
  readonly refused?: readonly string[]
}

/** Whether the mail with a key was sent. `unknown` requires a decision by the user. */
export type SendCheck =
  | { readonly state: 'done'; readonly receipt: MailReceipt }
  | { readonly state: 'not-done' }
  | { readonly state: 'unknown' }

/**
 * A mailbox. Connects on first use. `key` is an idempotency key: the Message-ID is derived from it, so a draft is saved
 * only once, and `check` can find a mail after a crash. Every method throws TuttiError `MailError`, retryable if a
 * retry can help.
 */
export interface MailAccount {
  /** Description without secrets: `IMAP mail.example.com as ada`. */
  describe(): string
  /** The address of the sender. */
  readonly address: string
  /**
   * Newest first. The query supports from:, to:, subject:, since:, before: and words, see
   * `parseMailQuery`.
   */
  search(folder: MailFolder, query: string, limit: number, signal?: AbortSignal): Promise<readonly MailHeader[]>
  read(id: string, signal?: AbortSignal): Promise<MailMessage>
  /** Saves to the drafts; with `replyTo` as an answer to that mail. */
  draft(mail: OutgoingMail, key: string, replyTo?: string): Promise<MailReceipt>
  send(mail: OutgoingMail, key: string): Promise<MailReceipt>
  /** Sends a reply in the thread of the mail with this ID; recipients and subject are those of `mail`. */
  reply(id: string, mail: OutgoingMail, key: string): Promise<MailReceipt>
  /** Returns after an interruption whether `send` or `reply` with this key succeeded. */
  check(key: string): Promise<SendCheck>
  close(): Promise<void>
}
