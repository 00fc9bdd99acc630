import type { ActorContext, AgentTask } from '../../domain/actor.ts'
import { truncate } from '../../shared/json.ts'
import type { Outcome } from '../../domain/result.ts'
import { noModelMessage } from '../../domain/model.ts'
import { readAddress } from '../../mail/address.ts'
import type { MailFolder, MailHeader, MailMessage, MailReceipt } from '../../mail/types.ts'
import type { MailParts } from '../../agents/mail/agent.ts'
import { row } from '../../agents/mail/data.ts'
import { answerRecipients, type Contacts } from '../../agents/mail/recipients.ts'
import { createMailTools, type MailTools } from '../../agents/mail/tools.ts'
import { userWords } from '../../agents/user-words.ts'
import { changeRequests } from '../language/change-requests.ts'
import { composeMail } from './compose.ts'
import { readMailRequest, type MailRequest, type MailSearch, type MailWish } from './read-request.ts'
import { resolveRecipients } from './recipients.ts'

const FOLDERS: Readonly<Record<MailFolder, string>> = {
  inbox: 'in the inbox',
  sent: 'among the sent mails',
  drafts: 'among the drafts',
}
const MAX_LISTED = 10
const MAX_READ = 1_500
const MAX_QUOTED = 200

/** What this does without a model: lists, reads, drafts, sends and answers mails that a task names in plain words. */
export async function performMailRequest(
  task: AgentTask,
  ctx: ActorContext,
  { account, contacts }: MailParts,
): Promise<Outcome> {
  const tools = createMailTools(account)
  const wishes = changeRequests(task)
  const text = task.planned ?? task.text
  const request = withinWords(readMailRequest(text), text, ctx)
  ctx.note('DECISION', 'Mail action planned', { plan: request, by: 'rules' })
  if (wishes.length > 0) {
    // Only what a person sees before it leaves is done once more without them.
    if (request.action !== 'send')
      return failed('Nothing was written or sent: instructions need a language model. Ask for the whole mail anew.')
    const quoted = wishes.map((text) => `“${truncate(text, MAX_QUOTED)}”`).join(', ')
    ctx.unheeded(
      `${quoted} cannot be followed without a language model; here it is without that. Deny it and ask for the whole mail anew.`,
    )
  }
  if (request.action === 'search') return listMails(request, task, ctx, tools)
  if (request.action === 'read') return readNewest(request, task, ctx, tools)
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

async function listMails(
  { folder, query, limit }: MailSearch,
  task: AgentTask,
  ctx: ActorContext,
  tools: MailTools,
): Promise<Outcome> {
  const tool = tools.search[folder]
  assertAllowed(tool, task, ctx)
  const { messages, sources } = await ctx.call(tool, { query, limit })
  const result = messages.length === 0 ? nothing(folder, query) : listing(messages, folder, query, limit)
  const rows = messages.map(row)
  return {
    answer: result,
    data: {
      action: `search_${folder}`,
      [folder === 'drafts' ? 'drafts' : 'messages']: rows,
      count: rows.length,
      query,
      result,
    },
    sources: sources.slice(0, MAX_LISTED),
  }
}

function listing(messages: readonly MailHeader[], folder: MailFolder, query: string, limit: number): string {
  const count = messages.length === 1 ? '1 mail' : `${messages.length} mails`
  const lines = messages.slice(0, MAX_LISTED).map(({ from, to, date, subject, hasAttachments, snippet }, i) => {
    const who = folder === 'inbox' ? from : `to ${to.join(', ') || 'nobody yet'}`
    const files = hasAttachments ? ' (with attachment)' : ''
    return `- ${date.slice(0, 10) || 'no date'}, ${who}: ${subject || '(no subject)'}${files}${snippet === '' ? '' : ` – ${snippet}`} [${i + 1}]`
  })
  const head = `${messages.length >= limit ? 'The newest ' : ''}${count} ${FOLDERS[folder]}${query === '' ? '' : ` for ${query}`}:`
  const omittedCount = messages.length - lines.length
  return [head, ...lines, ...(omittedCount > 0 ? [`and ${omittedCount} more.`] : [])].join('\n')
}

function nothing(folder: MailFolder, query: string): string {
  return `No mail ${FOLDERS[folder]} fits${query === '' ? '' : `: ${query}`}.`
}

async function readNewest(search: MailSearch, task: AgentTask, ctx: ActorContext, tools: MailTools): Promise<Outcome> {
  assertAllowed(tools.read, task, ctx)
  const { folder, query } = search
  const { messages } = await ctx.call(tools.search[folder], { query, limit: 2 })
  const [newest, ...others] = messages
  if (newest === undefined) {
    const result = nothing(folder, query)
    return { answer: result, data: { action: 'read', message: null, query, result } }
  }
  const { sources, ...mail } = await ctx.call(tools.read, { id: newest.id })
  const { from, to, cc, date, subject, attachments, text, isCut } = mail
  const result = [
    `From: ${from}`,
    `To: ${to.join(', ')}`,
    ...(cc.length === 0 ? [] : [`Cc: ${cc.join(', ')}`]),
    `Date: ${date}`,
    `Subject: ${subject}`,
    ...(attachments.length === 0
      ? []
      : [`Attachments (not opened): ${attachments.map(({ name }) => name).join(', ')}`]),
    '',
    `${text.slice(0, MAX_READ)}${isCut || text.length > MAX_READ ? '…' : ''} [1]`,
    ...(others.length === 0 ? [] : ['', 'This is the newest of several that fit.']),
  ].join('\n')
  return { answer: result, data: { action: 'read', message: mail, query, result }, sources }
}

/** Saves a draft; or sends a mail or an answer, after approval of exactly what leaves. */
async function writeMail(
  wish: Extract<MailRequest, MailWish>,
  task: AgentTask,
  ctx: ActorContext,
  tools: MailTools,
  own: string,
  contacts: Contacts,
): Promise<Outcome> {
  const isSent = wish.action === 'send'
  assertAllowed(isSent ? (wish.answers === undefined ? tools.send : tools.reply) : tools.draft, task, ctx)
  const original = wish.answers === undefined ? undefined : await newestOf(wish.answers, ctx, tools)
  const unsent = isSent ? 'Nothing was sent' : 'Nothing was written'
  if (wish.answers !== undefined && original === undefined)
    return failed(`${unsent}. ${nothing('inbox', wish.answers.query)}`)
  // A sender's name without an address is not looked up: it could match another person.
  const names =
    original === undefined ? wish.to : answerRecipients(original).filter((text) => readAddress(text) !== undefined)
  const knownAddresses = { words: userWords(task, ctx), contacts, own, mails: [], original }
  const { addresses, warnings, missing } = await resolveRecipients(names, ctx, tools, knownAddresses)
  const { subject, body, omitted } = composeMail(wish, task, ctx, { to: addresses, from: own, original })
  const mail = { to: [...addresses], cc: [], subject, body }
  if (!isSent) {
    const receipt = await ctx.call(tools.draft, {
      ...mail,
      ...(original === undefined ? {} : { replyTo: original.id }),
    })
    const notes = [
      ...missing.map((why) => `Not addressed yet: ${why}.`),
      ...warnings,
      ...(body === '' ? ['It has no text yet, since nothing says what to write.'] : []),
      ...omitted,
    ]
    return actionSummary('draft', mail, receipt, notes)
  }
  if (missing.length > 0) return failed(`Nothing was sent: ${missing.join('; ')}. Name the recipient's address.`)
  if (addresses.length === 0) return failed('Nothing was sent: the mail to be answered names no sender.')
  const isSaid = wish.said !== '' || (wish.content !== '' && body !== '')
  if (!isSaid)
    return failed(['Nothing was sent: the question does not say what the mail should say.', ...omitted].join(' '))
  const sent = { ...mail, ...(warnings.length === 0 ? {} : { warning: warnings.join(' ') }) }
  return original === undefined
    ? actionSummary('send', mail, await ctx.call(tools.send, sent), omitted)
    : actionSummary(
        'reply',
        { id: original.id, ...mail },
        await ctx.call(tools.reply, { ...sent, id: original.id }),
        omitted,
      )
}

async function newestOf(
  { folder, query }: MailSearch,
  ctx: ActorContext,
  tools: MailTools,
): Promise<MailMessage | undefined> {
  const { messages } = await ctx.call(tools.search[folder], { query, limit: 1 })
  return messages[0] === undefined ? undefined : ctx.call(tools.read, { id: messages[0].id })
}

const DONE = { draft: 'Saved as a draft, not sent', send: 'Sent', reply: 'Answered' } as const
const FIELDS = { draft: 'draft', send: 'sent', reply: 'reply' } as const

function actionSummary(
  action: keyof typeof DONE,
  mail: { readonly to: readonly string[]; readonly subject: string; readonly id?: string },
  receipt: MailReceipt,
  notes: readonly string[],
): Outcome {
  const { note, refused = [] } = receipt
  const whom = mail.to.length === 0 ? '' : ` to ${mail.to.join(', ')}`
  const result = [
    `${DONE[action]}${whom}: ${mail.subject === '' ? 'no subject' : `“${mail.subject}”`}.`,
    ...notes,
    ...(note === undefined ? [] : [`${note[0]!.toUpperCase()}${note.slice(1)}${/[.!]$/.test(note) ? '' : '.'}`]),
    ...(refused.length === 0 ? [] : [`The server did not take it for ${refused.join(', ')}.`]),
  ].join(' ')
  return { answer: result, data: { action, [FIELDS[action]]: { ...receipt, ...mail }, result } }
}

/** Nothing was done, and no other agent must try. */
function failed(message: string): Outcome {
  return { status: 'failed', error: { type: 'MailError', message } }
}
