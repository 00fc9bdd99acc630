import { bareAddress, addressKey, formatAddress, hasControl, parseAddress, printable } from './address.ts'
import type { MailMessage, OutgoingMail } from './types.ts'
import { invalidMail } from './errors.ts'
import { createHash } from 'node:crypto'

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
 * @throws TuttiError `InvalidRequest`, see `checkMail`
 */
export async function formatMail(
  mail: OutgoingMail,
  purpose: 'draft' | 'send',
  { from, key, date, original, headers = {} }: ComposeOptions,
): Promise<Composed> {
  const checked = checkMail(mail, purpose)
  const messageId = messageIdForKey(key, bareAddress(from))
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
  const shortened = chain.length <= MAX_REFERENCES ? chain : [chain[0]!, ...chain.slice(1 - MAX_REFERENCES)]
  return { inReplyTo: original.messageId, references: shortened }
}

/** Adds `Re: ` unless there is such a prefix in any language. */
export function replySubject(subject: string): string {
  return /^(re|aw|sv|antw|rép)\s*:/i.test(subject.trim()) ? subject.trim() : `Re: ${subject.trim()}`.trim()
}

const MAX_RECIPIENTS = 50
/** RFC 5322 allows 998 characters a line. */
const MAX_SUBJECT = 250
const MAX_TEXT = 500_000

/**
 * Checks a mail before anything is done with it, and returns it with each recipient once. A draft may lack recipients.
 * @throws TuttiError `InvalidRequest`: an address that is not valid, a line break in a header, too many recipients, too long
 */
export function checkMail(mail: OutgoingMail, purpose: 'draft' | 'send'): OutgoingMail {
  const keys = new Set<string>()
  const withoutRepeats = (list: readonly string[]): string[] =>
    list.flatMap((text) => {
      const address = parseAddress(text)
      const key = addressKey(address.address)
      if (keys.has(key)) return []
      keys.add(key)
      return [formatAddress(address)]
    })
  const to = withoutRepeats(mail.to)
  const cc = withoutRepeats(mail.cc)
  if (purpose === 'send' && to.length === 0) throw invalidMail('The mail has no recipient. Say who it is for.')
  if (keys.size > MAX_RECIPIENTS) {
    throw invalidMail(`The mail has ${keys.size} recipients; at most ${MAX_RECIPIENTS} are allowed at once.`)
  }
  if (hasControl(mail.subject)) {
    throw invalidMail(`The subject "${printable(mail.subject)}" has a line break in it. Write it on one line.`)
  }
  if (mail.subject.length > MAX_SUBJECT) {
    throw invalidMail(`The subject has ${mail.subject.length} characters; at most ${MAX_SUBJECT} are allowed.`)
  }
  if (mail.text.length > MAX_TEXT) {
    throw invalidMail(`The mail has ${mail.text.length} characters; at most ${MAX_TEXT} are allowed.`)
  }
  if (purpose === 'send' && mail.text.trim() === '') throw invalidMail('The mail has no text. Say what it should say.')
  return { to, cc, subject: mail.subject.trim(), text: mail.text }
}

/**
 * The Message-ID for an idempotency key. It is deterministic, so that a mail can be found after a crash while sending.
 * The domain is that of the sender's address.
 */
export function messageIdForKey(key: string, from: string): string {
  return `<tutti.${keyDigest(key)}@${from.split('@').at(-1) ?? 'localhost'}>`
}

/** A name for the mail of this key, fit for file names. */
export function keyDigest(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32)
}
