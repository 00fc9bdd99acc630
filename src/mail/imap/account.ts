import { TuttiError } from '../../domain/errors.ts'
import { formatMail } from '../compose.ts'
import { invalidMail, mailError } from '../errors.ts'
import { parseMailQuery } from '../query.ts'
import { MAX_MAIL_BYTES, readMail } from '../read-mail.ts'
import type { MailAccount, MailMessage, MailReceipt, OutgoingMail } from '../types.ts'
import { withMailbox, withImap } from './connection.ts'
import { ensureFolder, findFolder, idByMessageId, mailId, parseMailId } from './mail-ids.ts'
import { searchSelected } from './search.ts'
import { checkSent, sendMail, type ImapSendParts } from './send.ts'
import type { ServerSettings } from './settings.ts'

export interface ImapOptions {
  readonly imap: ServerSettings
  /** Without it the account can read and draft, not send. */
  readonly smtp?: ServerSettings
  /** `Name <address>` or the address alone. */
  readonly address: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

const NO_SMTP =
  'No SMTP server is set up, so mails can be read and drafted but not sent. Set TUTTI_SMTP_URL, such as smtps://user:password@smtp.example.com.'

/** Any account that speaks IMAP, and SMTP for sending. */
export function imapAccount({ imap, smtp, address, now }: ImapOptions): MailAccount {
  const sending = (): ImapSendParts => {
    if (smtp === undefined) throw new TuttiError('ConfigurationError', NO_SMTP)
    return { imap, smtp, address }
  }
  const read = async (id: string, signal?: AbortSignal): Promise<MailMessage> => readById(imap, id, signal)
  return {
    address,
    describe() {
      const out = smtp === undefined ? 'sending is not set up' : `SMTP ${smtp.host}`
      return `IMAP ${imap.host} as ${imap.user}, ${out}`
    },
    async search(folder, text, limit, signal) {
      const query = parseMailQuery(text)
      return withImap(imap, signal, async (client) => {
        const path = await findFolder(client, folder)
        if (path === undefined) return []
        return withMailbox(client, path, true, () => {
          const uidValidity = client.mailbox === false ? undefined : client.mailbox.uidValidity
          return searchSelected(client, folder, query, limit, (uid) => mailId(folder, uidValidity, uid))
        })
      })
    },
    read,
    draft: (mail, key, replyTo) => saveDraft({ imap, address, now }, read, mail, key, replyTo),
    send: async (mail, key) => sendMail(sending(), mail, { key, date: new Date(now()) }),
    async reply(id, mail, key) {
      const parts = sending()
      return sendMail(parts, mail, { key, date: new Date(now()), original: await read(id) })
    },
    check: (key) => checkSent({ imap, address }, key),
    close: async () => undefined,
  }
}

function readById(imap: ServerSettings, id: string, signal?: AbortSignal): Promise<MailMessage> {
  const { folder, uidValidity, uid } = parseMailId(id)
  return withImap(imap, signal, async (client) => {
    const path = await findFolder(client, folder)
    if (path === undefined) throw notFound(id)
    return withMailbox(client, path, true, async () => {
      if (client.mailbox === false || client.mailbox.uidValidity !== uidValidity) throw notFound(id)
      const query = { uid: true, source: { start: 0, maxLength: MAX_MAIL_BYTES } }
      const message = await client.fetchOne(String(uid), query, { uid: true })
      if (!message || message.source === undefined) throw notFound(id)
      return readMail(message.source, { id, folder })
    })
  })
}

async function saveDraft(
  { imap, address, now }: Pick<ImapOptions, 'imap' | 'address' | 'now'>,
  read: (id: string) => Promise<MailMessage>,
  mail: OutgoingMail,
  key: string,
  replyTo: string | undefined,
): Promise<MailReceipt> {
  const original = replyTo === undefined ? {} : { original: await read(replyTo) }
  const options = { from: address, key, date: new Date(now()), ...original }
  const { messageId, raw } = await formatMail(mail, 'draft', options)
  return withImap(imap, undefined, async (client) => {
    const path = await ensureFolder(client, 'drafts')
    const earlier = await idByMessageId(client, 'drafts', messageId)
    if (earlier !== undefined) return { id: earlier, messageId }
    const added = await client.append(path, raw, ['\\Draft', '\\Seen'])
    if (added === false) throw mailError('The server did not take the draft.', { retryable: true })
    const id = added.uid === undefined ? undefined : mailId('drafts', added.uidValidity, added.uid)
    return { messageId, ...(id === undefined ? {} : { id }) }
  })
}

function notFound(id: string): TuttiError {
  return invalidMail(`The mail ${id} is no longer where it was; search again.`)
}
