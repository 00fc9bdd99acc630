import type { Source } from '../../domain/result.ts'
import type { MailHeader, MailMessage, MailReceipt, OutgoingMail } from '../../mail/types.ts'

export interface FoundMails {
  readonly messages: readonly MailHeader[]
  readonly sources: readonly Source[]
}

/** A mail that was saved or sent, with its receipt. */
export type WrittenMail = MailReceipt & Pick<OutgoingMail, 'to' | 'cc' | 'subject'> & { readonly body: string }

export type ReadMail = MailMessage & { readonly sources: readonly Source[] }

/** Found mails for the model, with their source ids. */
export function showFound({ messages }: FoundMails, ids: readonly string[]): string {
  if (messages.length === 0) return 'No mail fits.'
  return messages
    .map((mail, i) => `[${ids[i]}] ${headerLines(mail).join('\n')}${mail.snippet === '' ? '' : `\n${mail.snippet}`}`)
    .join('\n\n')
}

/** A whole mail for the model. */
export function showMail(mail: ReadMail, [id]: readonly string[]): string {
  const { attachments, isCut, text } = mail
  const files = attachments.map(({ name, type, bytes }) => `${name} (${type}, ${bytes} bytes)`).join(', ')
  return [
    `[${id}] ${headerLines(mail).join('\n')}`,
    ...(files === '' ? [] : [`Attachments, which cannot be opened: ${files}`]),
    '',
    text,
    ...(isCut ? ['[The mail goes on after this.]'] : []),
  ].join('\n')
}

function headerLines({ id, from, replyTo, to, cc, subject, date, hasAttachments }: MailHeader): readonly string[] {
  return [
    `Subject: ${subject}`,
    `Id: ${id}`,
    `From: ${from}`,
    ...(replyTo.length === 0 ? [] : [`Answers go to: ${replyTo.join(', ')}`]),
    `To: ${to.join(', ')}`,
    ...(cc.length === 0 ? [] : [`Cc: ${cc.join(', ')}`]),
    `Date: ${date || 'none'}`,
    ...(hasAttachments ? ['With attachments'] : []),
  ]
}

/** The receipt of a mail in one sentence. */
export function mailSummary(what: string, { to, subject, note, refused = [] }: WrittenMail): string {
  const whom = to.length === 0 ? '' : ` to ${to.join(', ')}`
  const notes = [...(note === undefined ? [] : [note]), ...refused.map((one) => `the server refused ${one}`)]
  return `${what}${whom}: “${subject}”.${notes.length === 0 ? '' : ` Note: ${notes.join('; ')}.`}`
}
