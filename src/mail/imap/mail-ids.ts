import type { ImapFlow } from 'imapflow'
import { invalidMail, mailError } from '../errors.ts'
import type { MailFolder } from '../types.ts'
import { withMailbox } from './connection.ts'

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

/** Special-use flags of RFC 6154. */
const SPECIAL = { sent: '\\Sent', drafts: '\\Drafts' } as const
const CREATED = { sent: 'Sent', drafts: 'Drafts' } as const

/** Finds a folder by its special-use flag, else by its usual names; undefined if there is none. */
export async function findFolder(client: Pick<ImapFlow, 'list'>, role: MailFolder): Promise<string | undefined> {
  if (role === 'inbox') return 'INBOX'
  const folders = await client.list()
  const fitting = folders.filter(({ specialUse, flags }) => specialUse === SPECIAL[role] && !flags.has('\\Noselect'))
  // imapflow knows the names in many languages, and says when it used one.
  return (fitting.find(({ specialUseSource }) => specialUseSource !== 'name') ?? fitting[0])?.path
}

/** Like `findFolder`; makes the folder where the account has none yet. */
export async function ensureFolder(client: ImapFlow, role: 'sent' | 'drafts'): Promise<string> {
  const found = await findFolder(client, role)
  if (found !== undefined) return found
  const { path } = await client.mailboxCreate(CREATED[role])
  if (path === '') throw mailError(`The account has no folder for ${role}, and none could be created.`)
  return path
}
