import { addressesIn, addressKey } from '../../mail/address.ts'
import type { MailHeader } from '../../mail/types.ts'

/** The operator's own list: addresses by name. */
export type Contacts = Readonly<Record<string, string>>

/** Where recipients may come from without a word of warning. */
export interface KnownAddresses {
  /** What the user wrote. */
  readonly words: string
  readonly contacts: Contacts
  /** The user's own address. */
  readonly own: string
  /** Mails that the job has found or read. */
  readonly mails: readonly MailHeader[]
  /** The mail that is answered. */
  readonly original?: MailHeader | undefined
}

/** Who gets an answer to a mail. Answering a mail of one's own means writing to the same people again. */
export function answerRecipients({ folder, from, to, replyTo }: MailHeader): readonly string[] {
  if (folder !== 'inbox') return to
  return replyTo.length > 0 ? replyTo : [from]
}

/** For the person who approves: recipients that neither the user nor the address book named. */
export function recipientWarning(recipients: readonly string[], known: KnownAddresses): string | undefined {
  const { words, contacts, own, mails, original } = known
  const written = mails.filter(({ folder }) => folder !== 'inbox').flatMap(({ to, cc }) => [...to, ...cc])
  const inOriginal = original === undefined ? [] : peopleOf(original)
  const trusted = new Set([
    ...addressesIn(words),
    ...[own, ...Object.values(contacts), ...written, ...inOriginal].map(addressKey),
  ])
  const doubtful = [...new Set(recipients.map(addressKey))].filter((key) => !trusted.has(key))
  const warnings = [...doubtful.map((key) => doubtAbout(key, mails)), ...elsewhere(recipients, original)]
  return warnings.length === 0 ? undefined : warnings.join(' ')
}

function peopleOf({ from, replyTo, to, cc }: MailHeader): readonly string[] {
  return [from, ...replyTo, ...to, ...cc]
}

function doubtAbout(key: string, mails: readonly MailHeader[]): string {
  const holding = mails.find((mail) => peopleOf(mail).some((text) => addressKey(text) === key))
  const where =
    holding === undefined
      ? 'where it got it from is not known'
      : `it stands in mail "${holding.subject.slice(0, 60)}" from ${holding.from.slice(0, 80)}`
  return `The recipient ${key} is not in your words or contacts. It was proposed by the model; ${where}.`
}

/** A sender can have answers go elsewhere, which is worth a look before anything leaves. */
function elsewhere(recipients: readonly string[], original: MailHeader | undefined): readonly string[] {
  if (original === undefined) return []
  const given = recipients.map(addressKey)
  const others = original.replyTo.filter((address) => {
    return addressKey(address) !== addressKey(original.from) && given.includes(addressKey(address))
  })
  if (others.length === 0) return []
  return [`The sender ${original.from} asks for answers to go to another address: ${others.join(', ')}.`]
}
