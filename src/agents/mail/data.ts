import type { MailFolder, MailHeader, MailMessage } from '../../mail/types.ts'
import type { SucceededCall } from '../made-calls.ts'
import type { FoundMails } from './tools.ts'

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

/** Mails that calls found or read. */
export function mailsIn(calls: readonly SucceededCall[]): readonly MailHeader[] {
  return calls.flatMap(({ tool, output }) => {
    if (tool in FOLDERS) return (output as FoundMails).messages
    return tool === READ ? [output as MailHeader] : []
  })
}

/** `data` in the form of SPEC R6: of the last mail that was written, else of the last call. */
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
