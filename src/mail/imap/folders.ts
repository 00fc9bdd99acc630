import type { ImapFlow } from 'imapflow'
import { mailError } from '../errors.ts'
import type { MailFolder } from '../types.ts'

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
