import type { ActorContext, AgentTask } from '../../domain/actor.ts'
import { truncate } from '../../shared/json.ts'
import type { Outcome } from '../../domain/result.ts'
import { noModelMessage } from '../../domain/model.ts'
import type { MailFolder, MailHeader, MailMessage } from '../../mail/types.ts'
import type { MailParts } from '../../agents/mail/agent.ts'
import { mailData } from '../../agents/mail/data.ts'
import type { Contacts } from '../../agents/mail/recipients.ts'
import { mailSummary } from '../../agents/mail/mail-text.ts'
import { createMailTools, type MailTools } from '../../agents/mail/tools.ts'
import { userWords } from '../../agents/user-words.ts'
import { composeMail } from './compose.ts'
import { readMailRequest, type MailRequest, type MailSearch, type MailWish } from './read-request.ts'
import { resolveRecipients } from './recipients.ts'

const FOLDERS: Readonly<Record<MailFolder, string>> = {
  inbox: 'in the inbox',
  sent: 'among the sent mails',
  drafts: 'among the drafts',
}
const MAX_READ = 1_500

/** What this does without a model: lists, reads, drafts and sends mails that a task names in plain words. */
export async function performMailRequest(
  task: AgentTask,
  ctx: ActorContext,
  { account, contacts }: MailParts,
): Promise<Outcome> {
  const tools = createMailTools(account)
  const text = task.planned ?? task.text
  const request = withinWords(readMailRequest(text), text, ctx)
  ctx.note('DECISION', 'Mail action planned', { plan: request, by: 'rules' })
  if (request.action === 'search' || request.action === 'read') return findMails(request, task, ctx, tools)
  if (request.action !== 'none') return writeMail(request, task, ctx, tools, account.address, contacts)
  const unread = request.unread.slice(0, 5).map((word) => `“${truncate(word, 40)}”`)
  return ctx.decline(
    [
      noModelMessage(),
      ...(unread.length === 0 ? [] : [`Without one, this is not clear: ${unread.join(', ')}.`]),
      'Ask such as “Show the newest mails”, “Read the latest mail from NAME” or “Draft a mail to NAME about TOPIC: TEXT”.',
    ].join(' '),
  )
}

/** A mail is only sent if the question itself asks for it; otherwise it becomes a draft. */
function withinWords(request: MailRequest, text: string, ctx: ActorContext): MailRequest {
  if (request.action !== 'send' || ctx.request.question.includes(text)) return request
  return { ...request, action: 'draft' }
}

/** Declines when the plan leaves this tool out. */
function assertAllowed(tool: { readonly name: string }, { tools }: AgentTask, ctx: ActorContext): void {
  if (tools?.includes(tool.name) === false) ctx.decline(`The plan does not allow "${tool.name}" on the mailbox.`)
}

/** Lists the newest mails that fit, or shows the newest of them. */
async function findMails(
  { action, folder, query, limit }: MailSearch & { readonly action: 'search' | 'read' },
  task: AgentTask,
  ctx: ActorContext,
  tools: MailTools,
): Promise<Outcome> {
  const search = tools.search[folder]
  assertAllowed(action === 'read' ? tools.read : search, task, ctx)
  const found = await ctx.call(search, { query, limit })
  const { messages, sources } = found
  const [newest] = messages
  if (action === 'read' && newest !== undefined) {
    const mail = await ctx.call(tools.read, { id: newest.id })
    const text = mailText(mail, messages.length > 1)
    return {
      answer: text,
      data: mailData([{ tool: tools.read.name, input: {}, output: mail }], text),
      sources: mail.sources,
    }
  }
  const place = FOLDERS[folder]
  const count = `${messages.length >= limit ? 'The newest ' : ''}${messages.length} ${messages.length === 1 ? 'mail' : 'mails'}`
  const text =
    newest === undefined
      ? `No mail ${place} fits${query === '' ? '' : `: ${query}`}.`
      : [`${count} ${place}${query === '' ? '' : ` for ${query}`}:`, ...messages.map(mailLine)].join('\n')
  return { answer: text, data: mailData([{ tool: search.name, input: { query }, output: found }], text), sources }
}

function mailLine({ folder, from, to, date, subject, hasAttachments, snippet }: MailHeader, i: number): string {
  const who = folder === 'inbox' ? from : `to ${to.join(', ') || 'nobody yet'}`
  const files = hasAttachments ? ' (with attachment)' : ''
  return `- ${date.slice(0, 10) || 'no date'}, ${who}: ${subject || '(no subject)'}${files}${snippet === '' ? '' : ` – ${snippet}`} [${i + 1}]`
}

function mailText({ from, to, cc, date, subject, attachments, text, isCut }: MailMessage, hasOthers: boolean): string {
  const files = attachments.map(({ name }) => name).join(', ')
  return [
    `From: ${from}`,
    `To: ${[...to, ...cc].join(', ')}`,
    `Date: ${date}`,
    `Subject: ${subject}`,
    ...(files === '' ? [] : [`Attachments (not opened): ${files}`]),
    '',
    `${text.slice(0, MAX_READ)}${isCut || text.length > MAX_READ ? '…' : ''} [1]`,
    ...(hasOthers ? ['', 'This is the newest of several that fit.'] : []),
  ].join('\n')
}

/** Saves a draft; or sends a mail, after approval of exactly what leaves. */
async function writeMail(
  wish: Extract<MailRequest, MailWish>,
  task: AgentTask,
  ctx: ActorContext,
  tools: MailTools,
  own: string,
  contacts: Contacts,
): Promise<Outcome> {
  const isSent = wish.action === 'send'
  assertAllowed(isSent ? tools.send : tools.draft, task, ctx)
  const known = { words: userWords(task, ctx), contacts, own, mails: [] }
  const { addresses, warnings, missing } = await resolveRecipients(wish.to, ctx, tools, known)
  const { subject, body, omitted } = composeMail(wish, task, ctx, { to: addresses, from: own })
  const mail = { to: [...addresses], cc: [], subject, body }
  if (!isSent) {
    const saved = await ctx.call(tools.draft, mail)
    const notes = [
      ...missing.map((why) => `Not addressed yet: ${why}.`),
      ...warnings,
      ...(body === '' ? ['It has no text yet, since nothing says what to write.'] : []),
      ...omitted,
    ]
    return written(tools.draft.name, saved, [mailSummary('Saved as a draft, not sent', saved), ...notes])
  }
  if (missing.length > 0) return failed(`Nothing was sent: ${missing.join('; ')}. Name the recipient's address.`)
  const isSaid = wish.said !== '' || (wish.content !== '' && body !== '')
  if (!isSaid)
    return failed(['Nothing was sent: the question does not say what the mail should say.', ...omitted].join(' '))
  const warning = warnings.length === 0 ? {} : { warning: warnings.join(' ') }
  const sent = await ctx.call(tools.send, { ...mail, ...warning })
  return written(tools.send.name, sent, [mailSummary('Sent', sent), ...omitted])
}

function written(tool: string, output: unknown, sentences: readonly string[]): Outcome {
  const text = sentences.join(' ')
  return { answer: text, data: mailData([{ tool, input: {}, output }], text) }
}

/** Nothing was done, and no other agent must try. */
function failed(message: string): Outcome {
  return { status: 'failed', error: { type: 'MailError', message } }
}
