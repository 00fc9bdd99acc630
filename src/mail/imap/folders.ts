import type { ImapFlow, ListResponse } from 'imapflow'
import { mailError } from '../errors.ts'
import type { MailFolder } from '../types.ts'

/** Special-use flags of RFC 6154, and what servers without them call these folders. */
const SPECIAL = { sent: '\\Sent', drafts: '\\Drafts' } as const
const NAMES = {
  sent: ['sent', 'sent items', 'sent messages', 'sent mail', 'gesendet', 'gesendete elemente', 'envoyés', 'enviados'],
  drafts: ['drafts', 'draft', 'entwürfe', 'brouillons', 'borradores'],
} as const
const CREATED = { sent: 'Sent', drafts: 'Drafts' } as const

/** Finds a folder by its flag, then by its name; undefined when there is none. */
export async function findFolder(client: ImapFlow, role: MailFolder): Promise<string | undefined> {
  if (role === 'inbox') return 'INBOX'
  const folders = (await client.list()).filter(({ flags }) => !flags.has('\\Noselect'))
  const byFlag = folders.find(({ specialUse, specialUseSource, flags }) => {
    return flags.has(SPECIAL[role]) || (specialUse === SPECIAL[role] && specialUseSource !== 'name')
  })
  return (byFlag ?? folders.find((folder) => isNamed(folder, role)))?.path
}

/** Like `findFolder`; makes the folder where the account has none yet. */
export async function ensureFolder(client: ImapFlow, role: 'sent' | 'drafts'): Promise<string> {
  const found = await findFolder(client, role)
  if (found !== undefined) return found
  const { path } = await client.mailboxCreate(CREATED[role])
  if (path === '') throw mailError(`The account has no folder for ${role}, and none could be made.`)
  return path
}

function isNamed({ name }: ListResponse, role: 'sent' | 'drafts'): boolean {
  return (NAMES[role] as readonly string[]).includes(name.toLowerCase())
}
