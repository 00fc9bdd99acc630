/** The terms of this folder: what a mail is, and what can be done with an account. */

export const MAIL_FOLDERS = ['inbox', 'sent', 'drafts'] as const
export type MailFolder = (typeof MAIL_FOLDERS)[number]

/** A mail in a list. Everything in it was written by whoever sent the mail. */
export interface MailHeader {
  /** Names the mail within its account; opaque. */
  readonly id: string
  readonly folder: MailFolder
  /** `Name <address>`, or the address alone. */
  readonly from: string
  /** Where its sender wants answers to go; empty when they go to the sender. */
  readonly replyTo: readonly string[]
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly subject: string
  /** ISO 8601 in UTC; empty when the mail has no readable date. */
  readonly date: string
  /** The beginning of the text. */
  readonly snippet: string
  readonly hasAttachments: boolean
}

/** Listed, never opened. */
export interface MailAttachment {
  readonly name: string
  readonly type: string
  readonly bytes: number
}

/** A mail as it is read: its text, or its HTML turned into text; nothing remote is ever loaded. */
export interface MailMessage extends MailHeader {
  /** With angle brackets; empty when the mail has none. */
  readonly messageId: string
  /** Message-IDs of the conversation before this mail, oldest first. */
  readonly references: readonly string[]
  readonly text: string
  /** The text was longer than this. */
  readonly isCut: boolean
  readonly attachments: readonly MailAttachment[]
}

/** A mail to be saved or sent. Addresses are `Name <address>` or the address alone. */
export interface OutgoingMail {
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly subject: string
  readonly text: string
}

/** What happened to a mail that was saved or sent. */
export interface MailReceipt {
  /** The id of the stored mail, where the account tells it. */
  readonly id?: string
  readonly messageId: string
  /** What a person should know about it, such as that no copy could be kept. */
  readonly note?: string
  /** Addresses that the server refused while it accepted others. */
  readonly refused?: readonly string[]
}

/** Whether a mail with a given key has left. `unknown` means that there is no telling, so a person is asked. */
export type SendCheck =
  | { readonly state: 'done'; readonly receipt: MailReceipt }
  | { readonly state: 'not-done' }
  | { readonly state: 'unknown' }

/**
 * A mailbox. Connects when it is first used. `key` is an idempotency key: the Message-ID is derived from it, so a draft
 * is saved once however often it is asked for, and `check` can look for a mail after a crash. Every method throws
 * TuttiError `MailError`, retryable where trying again can help.
 */
export interface MailAccount {
  /** In words, without secrets: `IMAP mail.example.com as ada`. */
  describe(): string
  /** The address that mails are sent from. */
  readonly address: string
  /**
   * Newest first. The query holds from:, to:, subject:, since:, before:, has:attachment and words, see `parseMailQuery`.
   */
  search(folder: MailFolder, query: string, limit: number, signal?: AbortSignal): Promise<readonly MailHeader[]>
  read(id: string, signal?: AbortSignal): Promise<MailMessage>
  /** Saves to the drafts; with `replyTo` as an answer to that mail. */
  draft(mail: OutgoingMail, key: string, replyTo?: string): Promise<MailReceipt>
  send(mail: OutgoingMail, key: string): Promise<MailReceipt>
  /** Sends as an answer in the thread of the mail with this id; recipients and subject are those of `mail`. */
  reply(id: string, mail: OutgoingMail, key: string): Promise<MailReceipt>
  /** Says after an interruption whether `send` or `reply` with this key happened. */
  check(key: string): Promise<SendCheck>
  close(): Promise<void>
}
