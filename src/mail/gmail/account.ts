import type { HttpClient } from '../../http/client.ts'
import { bareAddress } from '../address.ts'
import { formatMail, messageIdForKey } from '../compose.ts'
import { invalidMail, mailError } from '../errors.ts'
import { parseMailQuery, type MailQuery } from '../query.ts'
import { headerOf, MAX_MAIL_BYTES, readMail, snippetOf } from '../read-mail.ts'
import type { MailAccount, MailFolder, MailHeader, MailMessage, MailReceipt, OutgoingMail } from '../types.ts'
import { gmailApi, type GmailApi, type ListedGmail, type RawGmail } from './api.ts'
import { tokenSource, type GmailCredentials } from './token.ts'

export interface GmailOptions {
  readonly credentials: GmailCredentials
  readonly http: HttpClient
  /** `Name <address>` or the address alone. */
  readonly address: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** `https://gmail.googleapis.com` unless another server replaces it. */
  readonly baseUrl?: string
  /** `https://oauth2.googleapis.com/token` unless another server replaces it. */
  readonly tokenUrl?: string
}

/** Mails fetched at once. */
const PARALLEL = 5

/**
 * A Gmail account over its API with OAuth. A mail is sent as a draft that Gmail sends: Gmail removes the draft in the same
 * step, so a draft that is still there has not left, and sending it a second time is impossible.
 */
export function gmailAccount(options: GmailOptions): MailAccount {
  const { credentials, http, address, now } = options
  const { baseUrl = 'https://gmail.googleapis.com', tokenUrl = 'https://oauth2.googleapis.com/token' } = options
  const api = gmailApi(http, baseUrl, tokenSource(credentials, { http, tokenUrl, now }))
  const read = async (id: string, signal?: AbortSignal): Promise<MailMessage> => messageOf(await rawOf(api, id, signal))

  const compose = async (
    purpose: 'draft' | 'send',
    mail: OutgoingMail,
    key: string,
    replyTo: string | undefined,
  ): Promise<{ messageId: string; draftId: string; id: string }> => {
    const original = replyTo === undefined ? undefined : await rawOf(api, replyTo)
    const thread = original === undefined ? {} : { original: await messageOf(original) }
    const { messageId, raw } = await formatMail(mail, purpose, {
      from: address,
      key,
      date: new Date(now()),
      ...thread,
    })
    const [earlier] = await api.drafts(`rfc822msgid:${withoutBrackets(messageId)}`)
    const draft = earlier ?? (await api.createDraft(raw, original?.threadId))
    return { messageId, draftId: draft.id, id: draft.message.id }
  }
  const send = async (mail: OutgoingMail, key: string, replyTo?: string): Promise<MailReceipt> => {
    const earlier = await findSent(api, messageIdForKey(key, bareAddress(address)))
    if (earlier !== undefined) return { ...earlier, note: 'It had been sent before; it was not sent again.' }
    const { messageId, draftId } = await compose('send', mail, key, replyTo)
    const sent = await api.sendDraft(draftId)
    if (sent === undefined)
      throw mailError('Gmail no longer has the draft, so it may have been sent. Look in the sent mails.')
    return { id: sent.id, messageId }
  }

  return {
    address,
    describe: () => `Gmail as ${bareAddress(address)}`,
    async search(folder, text, limit, signal) {
      const ids = await api.messages(gmailQuery(folder, parseMailQuery(text)), limit, signal)
      const found: MailHeader[] = []
      for (let start = 0; start < ids.length; start += PARALLEL) {
        const batch = await Promise.all(ids.slice(start, start + PARALLEL).map((id) => api.listed(id, signal)))
        // A mail that was deleted meanwhile is left out.
        for (const one of batch) if (one !== undefined) found.push(await listedHeader(one, folder))
      }
      return found
    },
    read,
    async draft(mail, key, replyTo) {
      const { messageId, id } = await compose('draft', mail, key, replyTo)
      return { messageId, id }
    },
    send: (mail, key) => send(mail, key),
    reply: (id, mail, key) => send(mail, key, id),
    async check(key) {
      const messageId = messageIdForKey(key, bareAddress(address))
      const receipt = await findSent(api, messageId)
      if (receipt !== undefined) return { state: 'done', receipt }
      // Found nowhere: it never became a draft, or it left and Gmail's search does not show it yet.
      const drafts = await api.drafts(`rfc822msgid:${withoutBrackets(messageId)}`)
      return { state: drafts.length > 0 ? 'not-done' : 'unknown' }
    },
    close: async () => undefined,
  }
}

/** The query in Gmail's search syntax. */
export function gmailQuery(folder: MailFolder, query: MailQuery): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', ' ')}"`
  const slashed = (day: string): string => day.replaceAll('-', '/')
  return [
    `in:${folder}`,
    ...query.from.map((text) => `from:${quoted(text)}`),
    ...query.to.map((text) => `{to:${quoted(text)} cc:${quoted(text)}}`),
    ...query.subject.map((text) => `subject:${quoted(text)}`),
    ...(query.since === undefined ? [] : [`after:${slashed(query.since)}`]),
    ...(query.before === undefined ? [] : [`before:${slashed(query.before)}`]),
    ...query.words.map(quoted),
  ].join(' ')
}

async function findSent(api: GmailApi, messageId: string): Promise<MailReceipt | undefined> {
  const [id] = await api.messages(`in:sent rfc822msgid:${withoutBrackets(messageId)}`, 1)
  return id === undefined ? undefined : { id, messageId }
}

async function rawOf(api: GmailApi, id: string, signal?: AbortSignal): Promise<RawGmail> {
  const found = await api.message(id, signal)
  if (found === undefined)
    throw invalidMail(`There is no mail "${id.slice(0, 60)}" in this Gmail account; search again.`)
  return found
}

function messageOf({ id, raw, labelIds }: RawGmail): Promise<MailMessage> {
  const folder = labelIds.includes('DRAFT') ? 'drafts' : labelIds.includes('SENT') ? 'sent' : 'inbox'
  return readMail(Buffer.from(raw, 'base64url').subarray(0, MAX_MAIL_BYTES), { id, folder })
}

/** Lists come with headers and Gmail's own snippet, in which five characters are written as in HTML. */
async function listedHeader(
  { id, snippet, payload, internalDate }: ListedGmail,
  folder: MailFolder,
): Promise<MailHeader> {
  const lines = payload.headers.map(({ name, value }) => `${name}: ${value.replaceAll(/[\r\n]+/g, ' ')}`)
  const read = headerOf(await readMail(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), { id, folder }))
  const arrived = internalDate === undefined ? '' : new Date(Number(internalDate)).toISOString()
  return {
    ...read,
    date: read.date || arrived,
    snippet: snippetOf(unescaped(snippet)),
    hasAttachments: payload.mimeType === 'multipart/mixed',
  }
}

function unescaped(text: string): string {
  const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => characters[name]!)
}

function withoutBrackets(messageId: string): string {
  return messageId.replaceAll(/[<>]/g, '')
}
