import { bareAddress } from './address.ts'
import { checkMail } from './check-mail.ts'
import { messageIdOf } from './message-id.ts'
import type { MailMessage, OutgoingMail } from './types.ts'

/** A mail as it is sent. */
export interface Composed {
  readonly messageId: string
  readonly raw: Buffer
  /** Bare addresses for the envelope. */
  readonly recipients: readonly string[]
}

export interface ComposeOptions {
  readonly from: string
  readonly key: string
  readonly date: Date
  /** The mail that is answered. */
  readonly original?: Pick<MailMessage, 'messageId' | 'references'>
  readonly headers?: Readonly<Record<string, string>>
}

/** Hundreds of mails in a conversation would make a header that servers refuse; RFC 5322 allows it to be cut in the middle. */
const MAX_REFERENCES = 20

/**
 * Writes a mail as RFC 5322 text. Plain text only: what an assistant writes needs no HTML, and none can hide in it.
 * @throws TuttiError `MailError`, see `checkMail`
 */
export async function composeMail(
  mail: OutgoingMail,
  purpose: 'draft' | 'send',
  { from, key, date, original, headers = {} }: ComposeOptions,
): Promise<Composed> {
  const checked = checkMail(mail, purpose)
  const messageId = messageIdOf(key, bareAddress(from))
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const raw = await new MailComposer({
    from,
    to: [...checked.to],
    cc: [...checked.cc],
    subject: checked.subject,
    text: checked.text,
    messageId,
    date,
    headers: { ...headers },
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
    ...threadHeaders(original),
  })
    .compile()
    .build()
  return { messageId, raw, recipients: [...checked.to, ...checked.cc].map(bareAddress) }
}

/** In-Reply-To and References as RFC 5322, section 3.6.4 has them. */
function threadHeaders(original: ComposeOptions['original']): { inReplyTo?: string; references?: string[] } {
  if (original === undefined || original.messageId === '') return {}
  const chain = [...original.references.filter((id) => id !== original.messageId), original.messageId]
  const kept = chain.length <= MAX_REFERENCES ? chain : [chain[0]!, ...chain.slice(1 - MAX_REFERENCES)]
  return { inReplyTo: original.messageId, references: kept }
}

/** Adds `Re: ` unless there is such a prefix, in whatever language. */
export function replySubject(subject: string): string {
  return /^(re|aw|sv|antw|rép)\s*:/i.test(subject.trim()) ? subject.trim() : `Re: ${subject.trim()}`.trim()
}
