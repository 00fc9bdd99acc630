import { addressKey, formatAddress, hasControl, parseAddress, printable } from './address.ts'
import { mailError } from './errors.ts'
import type { OutgoingMail } from './types.ts'

const MAX_RECIPIENTS = 50
/** RFC 5322 allows 998 characters a line. */
const MAX_SUBJECT = 250
const MAX_TEXT = 500_000

/**
 * Checks a mail before anything is done with it, and returns it with each recipient once. A draft may lack recipients.
 * @throws TuttiError `MailError`: an address that is not valid, a line break in a header, too many recipients, too long
 */
export function checkMail(mail: OutgoingMail, purpose: 'draft' | 'send'): OutgoingMail {
  const seen = new Set<string>()
  const once = (list: readonly string[]): string[] =>
    list.flatMap((text) => {
      const address = parseAddress(text)
      const key = addressKey(address.address)
      if (seen.has(key)) return []
      seen.add(key)
      return [formatAddress(address)]
    })
  const to = once(mail.to)
  const cc = once(mail.cc)
  if (purpose === 'send' && to.length === 0) throw mailError('The mail has no recipient. Say who it is for.')
  if (seen.size > MAX_RECIPIENTS) {
    throw mailError(`The mail has ${seen.size} recipients; at most ${MAX_RECIPIENTS} are allowed at once.`)
  }
  if (hasControl(mail.subject)) {
    throw mailError(`The subject "${printable(mail.subject)}" has a line break in it. Write it on one line.`)
  }
  if (mail.subject.length > MAX_SUBJECT) {
    throw mailError(`The subject has ${mail.subject.length} characters; at most ${MAX_SUBJECT} are allowed.`)
  }
  if (mail.text.length > MAX_TEXT) {
    throw mailError(`The mail has ${mail.text.length} characters; at most ${MAX_TEXT} are allowed.`)
  }
  if (purpose === 'send' && mail.text.trim() === '') throw mailError('The mail has no text. Say what it should say.')
  return { to, cc, subject: mail.subject.trim(), text: mail.text }
}
