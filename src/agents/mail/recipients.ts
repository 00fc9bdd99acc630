import { addressesIn, addressKey } from '../../mail/address.ts'
import type { MailHeader } from '../../mail/types.ts'

/** The operator's own list: addresses by name. */
export type Contacts = Readonly<Record<string, string>>

/** Known addresses, for which no warning is needed. */
export interface KnownAddresses {
  /** The user's own words. */
  readonly words: string
  readonly contacts: Contacts
  /** The user's own address. */
  readonly own: string
  /** Mails that the job has found or read. */
  readonly mails: readonly MailHeader[]
  /** The mail that is answered. */
  readonly original?: MailHeader | undefined
  /** Other texts that the model was given, with a name for users. */
  readonly given?: readonly { readonly name: string; readonly text: string }[]
}

/** Recipients of a reply. A reply to an own mail goes to the same recipients again. */
export function answerRecipients({ folder, from, to, replyTo }: MailHeader): readonly string[] {
  if (folder !== 'inbox') return to
  return replyTo.length > 0 ? replyTo : [from]
}

/**
 * A warning for approvals: recipients that neither the user nor the address book named, and that the mailbox does not
 * know as sender or recipient.
 */
export function recipientWarning(recipients: readonly string[], known: KnownAddresses): string | undefined {
  const { words, contacts, own, mails, original, given = [] } = known
  const people = mails.flatMap(({ folder, from, to, cc }) => (folder === 'inbox' ? [from] : [...to, ...cc]))
  const answered = original === undefined ? [] : peopleOf(original)
  const addresses = [own, ...Object.values(contacts), ...people, ...answered].map(addressKey)
  const trusted = new Set([...addressesIn(words), ...addresses])
  const strangers = [...new Set(recipients.map(addressKey))].filter((key) => !trusted.has(key))
  const warnings = [...strangers.map((key) => doubtAbout(key, mails, given)), ...elsewhere(recipients, original)]
  return warnings.length === 0 ? undefined : warnings.join(' ')
}

function peopleOf({ from, replyTo, to, cc }: MailHeader): readonly string[] {
  return [from, ...replyTo, ...to, ...cc]
}

function doubtAbout(
  key: string,
  mails: readonly (MailHeader & { readonly text?: string })[],
  given: NonNullable<KnownAddresses['given']>,
): string {
  const isIn = (...texts: readonly (string | undefined)[]): boolean => texts.join('\n').toLowerCase().includes(key)
  const holding = mails.find((mail) => isIn(...peopleOf(mail), mail.snippet, mail.text))
  const other = given.find(({ text }) => isIn(text))?.name
  const where =
    holding === undefined
      ? other === undefined
        ? 'where it got it from is not known'
        : `it is in ${other}`
      : `it is in mail "${holding.subject.slice(0, 60)}" from ${holding.from.slice(0, 80)}`
  return `The recipient ${key} is not in your words or contacts. It was proposed by the model; ${where}.`
}

/** A sender can have answers go elsewhere, which is worth a look before anything leaves. */
function elsewhere(recipients: readonly string[], original: MailHeader | undefined): readonly string[] {
  if (original === undefined) return []
  const addressKeys = new Set(recipients.map(addressKey))
  const replyAddresses = original.replyTo.filter((address) => {
    return addressKey(address) !== addressKey(original.from) && addressKeys.has(addressKey(address))
  })
  if (replyAddresses.length === 0) return []
  return [`The sender ${original.from} asks for answers to go to another address: ${replyAddresses.join(', ')}.`]
}
