import { readMail } from '../../mail/read-mail.ts'
import { DocumentText } from './document-text.ts'
import { parseIsoDay } from './properties.ts'
import type { Parsed, Source } from './source.ts'

/** Parses an email saved as a file. Attachments are listed but not read. */
export async function parseEml({ name, bytes, limits }: Source): Promise<Parsed> {
  const mail = await readMail(bytes, { id: name, folder: 'inbox' })
  const { from, to, cc, subject, date, text: body, isCut, attachments } = mail
  const text = new DocumentText(name, limits.characters)
  text.add('heading', subject, { level: 1 })
  const header = [
    ['From', from],
    ['To', to.join(', ')],
    ['Cc', cc.join(', ')],
    ['Date', date],
  ].flatMap(([label, value]) => (value === '' ? [] : [`${label}: ${value}`]))
  text.add('paragraph', header.join('\n'))
  for (const piece of body.split(/\n{2,}/)) text.add('paragraph', piece)
  const day = parseIsoDay(date)
  const attached = attachments.map((file) => file.name).join(', ')
  return {
    text: text.text(),
    blocks: text.blocks,
    ...(subject === '' ? {} : { title: subject }),
    ...(day === undefined ? {} : { date: day }),
    notes: [
      ...(attached === '' ? [] : [`Attachments were not read: ${attached}. Save them as files and add those.`]),
      ...(isCut ? ['Only the first part of the mail was read.'] : []),
    ],
  }
}
