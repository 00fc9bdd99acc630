import { bareAddress } from '../address.ts'
import { formatMail, type ComposeOptions, messageIdForKey } from '../compose.ts'
import { mailError } from '../errors.ts'
import type { MailReceipt, OutgoingMail, SendCheck } from '../types.ts'
import { withImap } from './connection.ts'
import { ensureFolder, deleteByMessageId, idByMessageId, mailId } from './mail-ids.ts'
import type { ServerSettings } from './settings.ts'
import { openSmtp } from './smtp.ts'

export interface ImapSendParts {
  readonly imap: ServerSettings
  readonly smtp: ServerSettings
  readonly address: string
}

/** Marks the copy for users who find it in the drafts after a crash. */
const MARKER_HEADERS = { 'X-Tutti-State': 'being sent; it may have left already' }

/**
 * Sends a mail such that its state is known after a crash. SMTP cannot be asked whether it accepted a mail, so the
 * account stores the state, under a Message-ID derived from the idempotency key:
 *
 * 1. a copy is saved to the drafts: from now on the mail may be sent;
 * 2. the SMTP server accepts it;
 * 3. a copy is saved to the sent mails;
 * 4. the copy in the drafts is removed.
 *
 * In the sent mails: it was sent. Only in the drafts: unknown. In neither: it did not reach SMTP.
 * @throws TuttiError `MailError`; its message says whether the mail may have been sent
 */
export async function sendMail(
  parts: ImapSendParts,
  mail: OutgoingMail,
  options: Omit<ComposeOptions, 'from' | 'headers'>,
): Promise<MailReceipt> {
  const { imap, smtp, address } = parts
  const composed = await formatMail(mail, 'send', { ...options, from: address })
  const { messageId } = composed
  const earlier = await withImap(imap, undefined, (client) => idByMessageId(client, 'sent', messageId))
  if (earlier !== undefined) return { id: earlier, messageId, note: 'It had been sent before; it was not sent again.' }

  const session = await openSmtp(smtp)
  try {
    const marker = await formatMail(mail, 'send', { ...options, from: address, headers: MARKER_HEADERS })
    await putMarker(imap, messageId, marker.raw)
    const delivery = await session.deliver(bareAddress(address), composed)
    if (delivery.state === 'refused') {
      await removeMarker(imap, messageId)
      throw delivery.error
    }
    if (delivery.state === 'lost') {
      throw mailError(
        `The connection broke while the mail was handed over, so it may have been sent. A copy is in the drafts. ${delivery.error.message}`,
        { cause: delivery.error },
      )
    }
    const refused = delivery.refused.length === 0 ? {} : { refused: delivery.refused }
    return { messageId, ...refused, ...(await keepCopy(imap, messageId, composed.raw)) }
  } finally {
    session.close()
  }
}

/** The state of the mail with this key, by the rules of `sendMail`. */
export function checkSent({ imap, address }: Omit<ImapSendParts, 'smtp'>, key: string): Promise<SendCheck> {
  const messageId = messageIdForKey(key, bareAddress(address))
  return withImap(imap, undefined, async (client): Promise<SendCheck> => {
    const id = await idByMessageId(client, 'sent', messageId)
    if (id !== undefined) return { state: 'done', receipt: { id, messageId } }
    const marker = await idByMessageId(client, 'drafts', messageId)
    return { state: marker === undefined ? 'not-done' : 'unknown' }
  })
}

function putMarker(imap: ServerSettings, messageId: string, raw: Buffer): Promise<void> {
  return withImap(imap, undefined, async (client) => {
    const path = await ensureFolder(client, 'drafts')
    if ((await idByMessageId(client, 'drafts', messageId)) !== undefined) return
    const added = await client.append(path, raw, ['\\Draft', '\\Seen'])
    if (added === false) throw mailError('The mail could not be saved as a draft first, so it was not sent.')
  })
}

/** The mail was not sent. Ignore errors: a copy that stays in the drafts must not hide the reason of the rejection. */
async function removeMarker(imap: ServerSettings, messageId: string): Promise<void> {
  await withImap(imap, undefined, (client) => deleteByMessageId(client, 'drafts', messageId)).catch(() => undefined)
}

/**
 * The mail was sent, so errors here are not thrown. Some servers store a copy themselves; it is found by its
 * Message-ID.
 */
async function keepCopy(imap: ServerSettings, messageId: string, raw: Buffer): Promise<{ id?: string; note?: string }> {
  try {
    return await withImap(imap, undefined, async (client) => {
      let id = await idByMessageId(client, 'sent', messageId)
      if (id === undefined) {
        const added = await client.append(await ensureFolder(client, 'sent'), raw, ['\\Seen'])
        if (added === false) throw mailError('The server did not take the copy.')
        if (added.uid !== undefined) id = mailId('sent', added.uidValidity, added.uid)
      }
      await deleteByMessageId(client, 'drafts', messageId)
      return id === undefined ? {} : { id }
    })
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    return { note: `The mail was sent, but keeping a copy among the sent mails failed: ${reason}` }
  }
}
