import type { ActorContext, AgentTask } from '../../../core/actor.ts'
import type { Outcome } from '../../../core/result.ts'
import type { MailFolder, MailHeader, MailMessage } from '../../../mail/types.ts'
import { row } from '../data.ts'
import type { MailPlan } from './plan.ts'
import { type MailTools } from '../tools.ts'
import { assertAllowed } from './allowed.ts'

const FOLDER_NAMES: Readonly<Record<MailFolder, string>> = {
  inbox: 'in the inbox',
  sent: 'among the sent mails',
  drafts: 'among the drafts',
}
/** Mails that are listed in the answer; all that were found are in `data`. */
const LISTED = 10
const READ_TEXT = 1_500
/** Mails that are fetched to find the newest match. */
const LOOK = 5

/** Finds mails and says what they are. */
export async function findMails(
  plan: MailPlan,
  folder: MailFolder,
  task: AgentTask,
  ctx: ActorContext,
  tools: MailTools,
): Promise<Outcome> {
  const tool = tools.search[folder]
  assertAllowed(tool, task, ctx)
  const { messages, sources } = await ctx.call(tool, { query: plan.query, limit: plan.limit })
  ctx.note('TOOL', 'Mailbox searched', { folder, query: plan.query, count: messages.length })
  const result = listed(messages, folder, plan)
  const rows = messages.map(row)
  return {
    answer: result,
    data: {
      action: plan.action,
      ...(folder === 'drafts' ? { drafts: rows } : { messages: rows }),
      count: messages.length,
      query: plan.query,
      result,
    },
    sources: sources.slice(0, LISTED),
  }
}

/** Reads the newest mail that fits. */
export async function readNewest(
  plan: MailPlan,
  task: AgentTask,
  ctx: ActorContext,
  tools: MailTools,
): Promise<Outcome> {
  assertAllowed(tools.read, task, ctx)
  const found = await newestMatch(plan, ctx, tools)
  if (found === undefined) {
    const result = nothing(plan.folder, plan)
    return { answer: result, data: { action: plan.action, message: null, query: plan.query, result } }
  }
  const { sources, ...mail } = await ctx.call(tools.read, { id: found.header.id })
  ctx.note('TOOL', 'Mail read', { id: mail.id, folder: mail.folder, others: found.others })
  const result = plainReading(mail, found.others)
  return {
    answer: result,
    data: { action: plan.action, message: mail, query: plan.query, result },
    sources,
  }
}

/** The newest mail that meets the plan's query, and how many more there are among the first few. */
export async function newestMatch(
  plan: MailPlan,
  ctx: ActorContext,
  tools: MailTools,
): Promise<{ readonly header: MailHeader; readonly others: number } | undefined> {
  const { messages } = await ctx.call(tools.search[plan.folder], { query: plan.query, limit: LOOK })
  const [header, ...others] = messages
  return header === undefined ? undefined : { header, others: others.length }
}

export function nothing(folder: MailFolder, { query }: MailPlan): string {
  return `No mail ${FOLDER_NAMES[folder]} fits${query === '' ? '' : `: ${query}`}.`
}

/** A mail as text for a prompt or an answer. */
function describeMail(mail: MailMessage, most: number): string {
  const { from, to, cc, subject, date, text, attachments } = mail
  const cut = mail.isCut || text.length > most
  return [
    `From: ${from}`,
    `To: ${to.join(', ')}`,
    ...(cc.length === 0 ? [] : [`Cc: ${cc.join(', ')}`]),
    `Date: ${date}`,
    `Subject: ${subject}`,
    ...(attachments.length === 0
      ? []
      : [`Attachments (not opened): ${attachments.map(({ name }) => name).join(', ')}`]),
    '',
    `${text.slice(0, most)}${cut ? '…' : ''}`,
  ].join('\n')
}

function listed(messages: readonly MailHeader[], folder: MailFolder, plan: MailPlan): string {
  if (messages.length === 0) return nothing(folder, plan)
  const count = messages.length === 1 ? '1 mail' : `${messages.length} mails`
  const isFull = messages.length >= plan.limit
  const which = plan.query === '' ? '' : ` for ${plan.query}`
  const lines = messages.slice(0, LISTED).map((mail, i) => `- ${oneLine(mail)} [${i + 1}]`)
  const rest = messages.length > LISTED ? [`and ${messages.length - LISTED} more.`] : []
  const head = isFull
    ? `The newest ${count} ${FOLDER_NAMES[folder]}${which}:`
    : `${count} ${FOLDER_NAMES[folder]}${which}:`
  return [head, ...lines, ...rest].join('\n')
}

function plainReading(mail: MailMessage, others: number): string {
  const more = others === 0 ? '' : `\n\nThis is the newest of several that fit.`
  return `${describeMail(mail, READ_TEXT)} [1]${more}`
}

function oneLine(mail: MailHeader): string {
  const who = mail.folder === 'inbox' ? mail.from : `to ${mail.to.join(', ') || 'nobody yet'}`
  const files = mail.hasAttachments ? ' (with attachment)' : ''
  const date = mail.date === '' ? 'no date' : mail.date.slice(0, 10)
  return `${date}, ${who}: ${mail.subject || '(no subject)'}${files}${mail.snippet === '' ? '' : ` – ${mail.snippet}`}`
}
