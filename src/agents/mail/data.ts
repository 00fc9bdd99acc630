import type { ActorContext } from '../../domain/actor.ts'
import { describeSource } from '../../domain/answer.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { MailFolder, MailHeader, MailMessage } from '../../mail/types.ts'
import { plainId } from '../../domain/transcript.ts'
import { toolName, type SucceededCall } from '../succeeded-calls.ts'
import type { FoundMails } from './mail-text.ts'

const FOLDERS: Readonly<Record<string, readonly [action: string, folder: MailFolder]>> = {
  search_messages: ['search_inbox', 'inbox'],
  search_sent_messages: ['search_sent', 'sent'],
  search_drafts: ['search_drafts', 'drafts'],
}
const WRITTEN: Readonly<Record<string, readonly [action: string, field: string]>> = {
  draft_email: ['draft', 'draft'],
  send_email: ['send', 'sent'],
  reply_to_message: ['reply', 'reply'],
}

const READ = 'get_message_by_id'

/** Mails that the job received or found, the latest ones last. */
export function mailsOf({ transcript }: ActorContext): readonly MailHeader[] {
  const calls = transcript.sources.flatMap(({ id, kind }) => (kind === 'mail' ? transcript.recall(id!) : []))
  return calls.flatMap(({ part, output }) => {
    if (part === undefined) return []
    const tool = toolName(part)
    if (tool in FOLDERS) return (output as FoundMails).messages
    return tool === READ ? [output as MailHeader] : []
  })
}

/** The mailbox's own id of a mail. @throws TuttiError `ToolError` for an id that means no mail */
export function messageIdOf({ transcript }: ActorContext, written: string): string {
  const id = plainId(written)
  const source = transcript.sources.find((one) => one.id === id)
  if (source === undefined && /^s\d+$/.test(id)) transcript.recall(id)
  if (source === undefined) return written
  const { kind, detail } = source
  if (kind === 'mail' && detail !== undefined) return detail
  throw new TuttiError('ToolError', `[${id}] is no mail but: ${describeSource(source, 80)}.`)
}

/** `data` of a result of the mail agent: of the last mail that was written, else of the last call. */
export function mailData(all: readonly SucceededCall[], result: string): Readonly<Record<string, unknown>> {
  const calls = all.filter(({ tool }) => tool in FOLDERS || tool in WRITTEN || tool === READ)
  const last = calls.findLast(({ tool }) => tool in WRITTEN) ?? calls.at(-1)
  if (last === undefined) return { action: 'none', result }
  const { tool, input, output } = last
  const [action, field] = WRITTEN[tool] ?? []
  if (field !== undefined) return { action, [field]: output, result }
  const [search, folder] = FOLDERS[tool] ?? []
  if (search === undefined) {
    const { sources: _cited, ...message } = output as MailMessage & { readonly sources: unknown }
    return { action: 'read', message, result }
  }
  const { messages } = output as FoundMails
  const { query = '' } = input as { readonly query?: string }
  return {
    action: search,
    [folder === 'drafts' ? 'drafts' : 'messages']: messages.map(row),
    count: messages.length,
    query,
    result,
  }
}

export function row({ id, from, to, subject, date, snippet, hasAttachments }: MailHeader) {
  return { id, from, to, subject, date: date.slice(0, 10), snippet, hasAttachments }
}
