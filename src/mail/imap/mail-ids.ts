import type { ImapFlow } from 'imapflow'
import { invalidMail, mailError } from '../errors.ts'
import type { MailFolder } from '../types.ts'
import { withMailbox } from './connection.ts'
import { findFolder } from './folders.ts'

/** Names a mail for good: UIDs are reused once UIDVALIDITY changes (RFC 3501, section 2.3.1.1). */
export function mailId(folder: MailFolder, uidValidity: bigint | undefined, uid: number): string {
  return `${folder}.${uidValidity ?? 0}.${uid}`
}

/** @throws TuttiError `InvalidRequest` for an id that is not of this account */
export function parseMailId(id: string): { folder: MailFolder; uidValidity: bigint; uid: number } {
  const [, folder, uidValidity, uid] = /^(inbox|sent|drafts)\.(\d{1,12})\.(\d{1,10})$/.exec(id) ?? []
  if (folder === undefined)
    throw invalidMail(`"${id.slice(0, 60)}" is not the id of a mail in this account; search first.`)
  return { folder: folder as MailFolder, uidValidity: BigInt(uidValidity!), uid: Number(uid) }
}

/** UIDs of the mails in a folder with exactly this Message-ID. */
async function uidsOf(
  client: ImapFlow,
  folder: MailFolder,
  messageId: string,
): Promise<{ path: string; uids: readonly number[]; uidValidity: bigint } | undefined> {
  const path = await findFolder(client, folder)
  if (path === undefined) return undefined
  return withMailbox(client, path, true, async () => {
    const found = await client.search({ header: { 'message-id': messageId } }, { uid: true })
    if (!Array.isArray(found)) throw mailError('The IMAP server could not search.', { retryable: true })
    const uidValidity = client.mailbox === false ? 0n : client.mailbox.uidValidity
    if (found.length === 0) return { path, uids: [], uidValidity }
    const envelopes = await client.fetchAll(found.join(','), { uid: true, envelope: true }, { uid: true })
    const exact = envelopes.filter(({ envelope }) => envelope?.messageId === messageId)
    return { path, uids: exact.map(({ uid }) => uid), uidValidity }
  })
}

/** The id of the mail with this Message-ID, if the folder holds it. */
export async function idByMessageId(
  client: ImapFlow,
  folder: MailFolder,
  messageId: string,
): Promise<string | undefined> {
  const found = await uidsOf(client, folder, messageId)
  const uid = found?.uids[0]
  return uid === undefined ? undefined : mailId(folder, found!.uidValidity, uid)
}

export async function deleteByMessageId(client: ImapFlow, folder: MailFolder, messageId: string): Promise<void> {
  const found = await uidsOf(client, folder, messageId)
  if (found === undefined || found.uids.length === 0) return
  await withMailbox(client, found.path, false, () => client.messageDelete(found.uids.join(','), { uid: true }))
}
