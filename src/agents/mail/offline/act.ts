import type { ActorContext, AgentTask } from '../../../core/actor.ts'
import type { Outcome } from '../../../core/result.ts'
import { needsModel } from '../../../core/without-model.ts'
import { printable } from '../../../mail/address.ts'
import type { MailAccount } from '../../../mail/types.ts'
import { runRule } from '../../rules/run-rule.ts'
import type { Contacts } from '../recipients.ts'
import { createMailTools } from '../tools.ts'
import { findMails, readNewest } from './find.ts'
import { asksToSend } from './intent.ts'
import { EMPTY_PLAN, type MailPlan } from './plan.ts'
import { nothingDone, notFollowed } from './revise.ts'
import { revisionOf } from './revision.ts'
import { declined, draftMail, replyToMail, sendMail, type Desk } from './write.ts'

/** Does without a model what a task says: one search, or one mail that is read, drafted, sent or answered. */
export async function actOffline(
  given: AgentTask,
  ctx: ActorContext,
  account: MailAccount,
  contacts: Contacts,
): Promise<Outcome> {
  const tools = createMailTools(account)
  const byRules = await revisionOf(given)
  const plan = await planned(byRules.text, given, ctx)
  const isUnheeded = byRules.open.length > 0
  // Nothing else is done that a person does not see first.
  if (isUnheeded && plan.action !== 'send' && plan.action !== 'reply') return declined(nothingDone())
  if (isUnheeded) ctx.unheeded(notFollowed(byRules.open))
  const task = { ...given, ...followed(given, byRules) }
  const letters = await Promise.all([task.text, ctx.request.question].map((text) => runRule('letter', text)))
  const bcc = [...new Set(letters.flatMap((letter) => letter?.bcc ?? []))]
  const isWriting = ['draft', 'send', 'reply'].includes(plan.action)
  if (isWriting && letters.some((letter) => letter?.isSeveral === true)) {
    return ctx.decline('Nothing was written: only one mail can be written at a time. Ask for each of them by itself.')
  }
  if (isWriting && bcc.length > 0) {
    return ctx.decline(
      `Nothing was written: blind copies cannot be made (bcc ${bcc.map(printable).join(', ')}). Use cc, or ask for a mail of its own.`,
    )
  }
  const desk: Desk = {
    tools,
    from: account.address,
    addresses: { contacts, own: account.address },
  }
  switch (plan.action) {
    case 'search_inbox':
      return findMails(plan, 'inbox', task, ctx, tools)
    case 'search_sent':
      return findMails(plan, 'sent', task, ctx, tools)
    case 'search_drafts':
      return findMails(plan, 'drafts', task, ctx, tools)
    case 'read':
      return readNewest(plan, task, ctx, tools)
    case 'draft':
      return draftMail(plan, task, ctx, desk)
    case 'send':
      return sendMail(plan, task, ctx, desk)
    case 'reply':
      return replyToMail(plan, task, ctx, desk)
    default:
      return ctx.decline(plan.reason || 'This is nothing that the mailbox can answer.')
  }
}

/** The task as rules read it, without the instructions that they do not follow. */
function followed({ instructions = [] }: AgentTask, { text, open }: Awaited<ReturnType<typeof revisionOf>>) {
  return { text, instructions: instructions.filter((one) => !open.includes(one)) }
}

async function planned(byRules: string, task: AgentTask, ctx: ActorContext): Promise<MailPlan> {
  const proposed = (await runRule('mail', byRules, today(ctx), task.facts)) ?? { ...EMPTY_PLAN, reason: needsModel() }
  const plan = withinWords(proposed, [ctx.request.question, ...(task.instructions ?? [])].join('\n'))
  ctx.note('DECISION', 'Mail action planned', { plan, by: 'rules' })
  return plan
}

/** Nothing leaves unless the user's own words ask for it: what was to be sent becomes a draft. */
function withinWords(given: MailPlan, words: string): MailPlan {
  const plan = withinQuery(given, words)
  if ((plan.action !== 'send' && plan.action !== 'reply') || asksToSend(words)) return plan
  return { ...plan, action: 'draft', isReply: plan.action === 'reply' || plan.isReply }
}

/** A state that no query holds; a search without it would find too many. */
const STATE = /\b(?:un(?:read|opened|answered)|not (?:yet )?(?:read|opened|answered)|starred|flagged|archived|spam)\b/i

function withinQuery(plan: MailPlan, words: string): MailPlan {
  const state = STATE.exec(words)?.[0]
  const isSearch = plan.action.startsWith('search_') || plan.action === 'read'
  if (!isSearch || state === undefined || plan.query.toLowerCase().includes(state.toLowerCase())) return plan
  return { ...plan, action: 'none', reason: `Mails cannot be searched for “${state}”.` }
}

function today(ctx: ActorContext): string {
  const given = ctx.request.context['current_date']
  const isDay = typeof given === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(given)
  return isDay ? given : new Date(ctx.now()).toISOString().slice(0, 10)
}
