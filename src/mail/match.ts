import type { MailQuery } from './query.ts'
import type { MailMessage } from './types.ts'

/** Whether a mail meets a query, for accounts whose server does not search. */
export function matches(mail: MailMessage, query: MailQuery): boolean {
  const recipients = [...mail.to, ...mail.cc].join(' ')
  const everything = [mail.subject, mail.text, mail.from, recipients].join('\n')
  return (
    query.from.every((text) => holds(mail.from, text)) &&
    query.to.every((text) => holds(recipients, text)) &&
    query.subject.every((text) => holds(mail.subject, text)) &&
    query.words.every((text) => holds(everything, text)) &&
    (!query.hasAttachment || mail.hasAttachments) &&
    (query.since === undefined || mail.date.slice(0, 10) >= query.since) &&
    (query.before === undefined || (mail.date !== '' && mail.date.slice(0, 10) < query.before))
  )
}

function holds(text: string, part: string): boolean {
  return fold(text).includes(fold(part))
}

/** Without accents, case and differences of white space: `Róisín` is found by `roisin`. */
function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ')
}
