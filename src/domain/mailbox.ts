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
