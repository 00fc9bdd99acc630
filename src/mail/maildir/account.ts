import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { bareAddress } from '../address.ts'
import { formatMail, keyDigest, messageIdForKey } from '../compose.ts'
import { invalidMail, mailError } from '../errors.ts'
import { parseMailQuery, type MailQuery } from '../query.ts'
import { headerOf, readMail } from '../read-mail.ts'
import type { MailAccount, MailFolder, MailHeader, MailMessage, MailReceipt, OutgoingMail } from '../types.ts'
import { listMaildir, readEntry, writeEntry, type MaildirEntry } from './folder.ts'

export interface MaildirOptions {
  /** Contains `cur`, `new` and `tmp` of the inbox, and the folders `.Sent` and `.Drafts` (Maildir++). */
  readonly folder: string
  readonly address: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

const KEPT_LOCALLY = 'kept in the local mailbox; nothing leaves this machine'

/** Folders below the root, by role. Sent mails go to a separate outbox, which counts as sent in searches. */
const PLACES: Readonly<Record<MailFolder, readonly string[]>> = {
  inbox: ['.'],
  sent: ['.Outbox', '.Sent'],
  drafts: ['.Drafts'],
}

/** A mailbox in a folder of this machine, for the demo, for tests, and for mail fetched by another program. */
export function maildirAccount({ folder, address, now }: MaildirOptions): MailAccount {
  const list = async (role: MailFolder): Promise<MaildirEntry[]> => {
    await assertMaildir(folder)
    const parts = await Promise.all(PLACES[role].map((place) => listMaildir(join(folder, place))))
    return parts.flat().sort((a, b) => b.deliveredAt - a.deliveredAt)
  }
  const read = async (id: string): Promise<MailMessage> => {
    const [, role, unique] = /^(inbox|sent|drafts)\/([^/]+)$/.exec(id) ?? []
    const found = role === undefined ? undefined : await findUnique(role as MailFolder, unique!)
    if (found === undefined) throw invalidMail(`There is no mail "${id}" in the local mailbox; search again.`)
    return readMail(await readEntry(found), { id, folder: role as MailFolder })
  }
  const findUnique = async (role: MailFolder, unique: string): Promise<MaildirEntry | undefined> =>
    (await list(role)).find((entry) => entry.unique === unique)
  const findKey = async (role: MailFolder, key: string): Promise<MaildirEntry | undefined> =>
    (await list(role)).find((entry) => entry.unique.endsWith(keyPart(key)))

  const store = async (
    role: 'sent' | 'drafts',
    mail: OutgoingMail,
    key: string,
    original?: MailMessage,
  ): Promise<MailReceipt> => {
    const isDraft = role === 'drafts'
    const options = { from: address, key, date: new Date(now()), ...(original === undefined ? {} : { original }) }
    const { messageId, raw } = await formatMail(mail, isDraft ? 'draft' : 'send', options)
    const existing = await findKey(role, key)
    const unique = existing?.unique ?? `${Math.floor(now() / 1000)}.${keyPart(key)}`
    if (existing === undefined) await writeEntry(join(folder, PLACES[role][0]!), unique, raw, isDraft ? 'DS' : 'S')
    return { id: `${role}/${unique}`, messageId, note: KEPT_LOCALLY }
  }

  return {
    address,
    describe: () => `local mailbox ${folder} (what is sent is ${KEPT_LOCALLY})`,
    async search(role, text, limit, signal) {
      const query = parseMailQuery(text)
      const found: MailHeader[] = []
      for (const entry of await list(role)) {
        signal?.throwIfAborted()
        if (found.length >= limit) break
        const mail = await readMail(await readEntry(entry), { id: `${role}/${entry.unique}`, folder: role })
        if (matches(mail, query)) found.push(headerOf(mail))
      }
      return found
    },
    read,
    async draft(mail, key, replyTo) {
      return store('drafts', mail, key, replyTo === undefined ? undefined : await read(replyTo))
    },
    send: (mail, key) => store('sent', mail, key),
    reply: async (id, mail, key) => store('sent', mail, key, await read(id)),
    async check(key) {
      const entry = await findKey('sent', key)
      if (entry === undefined) return { state: 'not-done' }
      const messageId = messageIdForKey(key, bareAddress(address))
      return { state: 'done', receipt: { id: `sent/${entry.unique}`, messageId, note: KEPT_LOCALLY } }
    },
    close: async () => undefined,
  }
}

function keyPart(key: string): string {
  return `tutti-${keyDigest(key)}`
}

async function assertMaildir(folder: string): Promise<void> {
  const found = await stat(join(folder, 'cur')).catch(() => undefined)
  if (found?.isDirectory() !== true) {
    throw mailError(`${folder} is not a Maildir: it has no folder "cur". Check the address of the mailbox.`)
  }
}

/** Whether a mail matches a query, for accounts whose server does not search. */
function matches(mail: MailMessage, query: MailQuery): boolean {
  const recipients = [...mail.to, ...mail.cc].join(' ')
  const everything = [mail.subject, mail.text, mail.from, recipients].join('\n')
  return (
    query.from.every((text) => holds(mail.from, text)) &&
    query.to.every((text) => holds(recipients, text)) &&
    query.subject.every((text) => holds(mail.subject, text)) &&
    query.words.every((text) => holds(everything, text)) &&
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
