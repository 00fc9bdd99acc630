import type { FetchMessageObject, ImapFlow, MessageStructureObject, SearchObject } from 'imapflow'
import { mailError } from '../errors.ts'
import { type MailQuery } from '../query.ts'
import { headerOf, LIST_BYTES, readMail } from '../read-mail.ts'
import type { MailFolder, MailHeader } from '../types.ts'

/**
 * The newest mails of the selected mailbox that meet a query, by the server's own search.
 * @param idOf makes an id of a UID
 */
export async function searchSelected(
  client: ImapFlow,
  folder: MailFolder,
  query: MailQuery,
  limit: number,
  idOf: (uid: number) => string,
): Promise<MailHeader[]> {
  const uids = (await matchingUids(client, query)).sort((a, b) => b - a)
  const chosen = uids.slice(0, limit)
  if (chosen.length === 0) return []
  const fetched = await client.fetchAll(
    chosen.join(','),
    { uid: true, internalDate: true, bodyStructure: true, source: { start: 0, maxLength: LIST_BYTES } },
    { uid: true },
  )
  const mails = await Promise.all(fetched.map((message) => header(message, folder, idOf)))
  return mails.sort((a, b) => (a.date < b.date ? 1 : -1))
}

/** A search object holds each key only once, so a second word needs another search, and the results are intersected. */
async function matchingUids(client: ImapFlow, query: MailQuery): Promise<number[]> {
  let uids: Set<number> | undefined
  for (const search of imapSearches(query)) {
    const found = await client.search(search, { uid: true })
    if (!Array.isArray(found)) throw mailError('The IMAP server could not search.', { retryable: true })
    const previous = uids
    uids = new Set(previous === undefined ? found : found.filter((uid) => previous.has(uid)))
    if (uids.size === 0) break
  }
  return [...(uids ?? [])]
}

/** The query in IMAP's terms (RFC 3501, section 6.4.4), one search for each round of its texts. */
export function imapSearches(query: MailQuery): SearchObject[] {
  const { from, to, subject, words, since, before } = query
  const rounds = Math.max(1, from.length, to.length, subject.length, words.length)
  return Array.from({ length: rounds }, (_, i) => {
    const recipient = to[i]
    const found: SearchObject = {
      ...(from[i] === undefined ? {} : { from: from[i] }),
      ...(recipient === undefined ? {} : { or: [{ to: recipient }, { cc: recipient }] }),
      ...(subject[i] === undefined ? {} : { subject: subject[i] }),
      ...(words[i] === undefined ? {} : { text: words[i] }),
      ...(i > 0 || since === undefined ? {} : { sentSince: new Date(`${since}T00:00:00Z`) }),
      ...(i > 0 || before === undefined ? {} : { sentBefore: new Date(`${before}T00:00:00Z`) }),
    }
    return Object.keys(found).length === 0 ? { all: true } : found
  })
}

async function header(
  { uid, source, internalDate, bodyStructure }: FetchMessageObject,
  folder: MailFolder,
  idOf: (uid: number) => string,
): Promise<MailHeader> {
  const read = headerOf(await readMail(source ?? Buffer.alloc(0), { id: idOf(uid), folder }))
  const arrived = internalDate === undefined ? '' : new Date(internalDate).toISOString()
  return { ...read, date: read.date || arrived, hasAttachments: holdsAttachment(bodyStructure) }
}

function holdsAttachment(part: MessageStructureObject | undefined): boolean {
  if (part === undefined) return false
  return part.disposition === 'attachment' || (part.childNodes ?? []).some(holdsAttachment)
}
