import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../core/actor.ts'
import { TuttiError } from '../../core/errors.ts'
import { given } from '../../core/given.ts'
import { needsModel } from '../../core/without-model.ts'
import type { Outcome } from '../../core/result.ts'
import { isAddress } from '../../core/mail-address.ts'
import { bareAddress, printable } from '../../mail/address.ts'
import type { MailAccount } from '../../mail/types.ts'
import { contextLines, factLines } from '../context-lines.ts'
import { userWords } from '../user-words.ts'
import type { Contacts } from './address-book.ts'
import { findMails, readNewest } from './find.ts'
import { EMPTY_PLAN, type MailPlan } from './plan.ts'
import { planMail } from './prompts.ts'
import { asksToSend } from './rules/intent.ts'
import { runRule } from '../rules/run-rule.ts'
import { revisionOf } from './revision.ts'
import { nothingDone, notFollowed } from './rules/revise.ts'
import { createMailTools, toolsInOrder, type MailTools } from './tools.ts'
import { declined, draftMail, replyToMail, sendMail, type Desk } from './write.ts'

/** Without an example that looks like a link: those are taken out of answers. */
const HOW_TO_SET_UP = 'Name an IMAP account, Gmail or maildir:folder in TUTTI_MAIL_URL; docs/mail-and-web.md shows how.'

export interface MailAgentOptions {
  readonly account: MailAccount | undefined
  /** Why there is no account, and what to do. */
  readonly lack?: string | undefined
  /** A sentence for whoever has no mailbox. */
  readonly howToSetUp?: string
  /** What is said before it. */
  readonly none?: string
  /** Addresses by name, written down by the operator. */
  readonly contacts?: Contacts
}

/**
 * Searches, reads, drafts, sends and answers mails. Drafts are safe; what leaves is approved by a person first, as it is.
 * Mails are sent only when the user's own words ask for it, whatever a model or a mail proposes.
 * @throws TuttiError `ConfigurationError` for a contact whose address is none
 */
export function mailAgent(options: MailAgentOptions): Agent {
  const { account, howToSetUp = HOW_TO_SET_UP, none = 'No mail account is set up.', contacts = {} } = options
  const { lack = `${none} ${howToSetUp}` } = options
  const tools = account === undefined ? undefined : createMailTools(account)
  assertAddresses(contacts)
  return defineAgent({
    name: 'mail',
    label: 'the mailbox',
    description: 'Works in the mailbox: finds and reads mails, writes drafts, sends and answers after approval.',
    capabilities: [
      'search of inbox, sent mails and drafts',
      'reading a mail',
      'drafting a mail from what other agents found',
      'sending and answering in the thread, after approval',
    ],
    useCases: [
      'what somebody wrote, and when',
      'a draft with the results of other agents',
      'a mail or an answer that is to be sent',
    ],
    keywords:
      'mail,e-mail,email,inbox,draft,send,reply,respond to,forward,sent folder,sent items,write back,unanswered'.split(
        ',',
      ),
    planning: { rank: 60, acts: true },
    typicalLatencyMs: 6_000,
    ...(tools === undefined ? { unavailable: lack } : { tools: toolsInOrder(tools) }),
    limits: { timeoutMs: 180_000, retries: 1 },
    // Not run without an account, since it is unavailable then.
    run: (task, ctx) => act(task, ctx, account!, tools!, contacts),
  })
}

function assertAddresses(contacts: Contacts): void {
  for (const [name, address] of Object.entries(contacts)) {
    if (isAddress(address)) continue
    throw new TuttiError('ConfigurationError', `The contact "${name}" has no valid address: ${printable(address)}.`)
  }
}

async function act(
  given: AgentTask,
  ctx: ActorContext,
  account: MailAccount,
  tools: MailTools,
  contacts: Contacts,
): Promise<Outcome> {
  const byRules = await revisionOf(given)
  const { plan, by, reason } = await planned(given, byRules.text, ctx, account, contacts)
  const isUnheeded = by === 'fallback' && byRules.open.length > 0
  // Nothing else is done that a person does not see first.
  if (isUnheeded && plan.action !== 'send' && plan.action !== 'reply') return declined(nothingDone(reason))
  if (isUnheeded) ctx.unheeded(notFollowed(byRules.open, reason))
  const task = by === 'fallback' ? { ...given, ...followed(given, byRules) } : given
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
    trusted: { words: userWords(task, ctx), contacts, own: account.address },
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

/** @param byRules the task as rules read it */
async function planned(
  task: AgentTask,
  byRules: string,
  ctx: ActorContext,
  account: MailAccount,
  contacts: Contacts,
): Promise<{ readonly plan: MailPlan; readonly by: 'model' | 'fallback'; readonly reason?: string }> {
  const { context, systemPrompt, question } = ctx.request
  const { value, by, reason } = await ctx.ask(
    planMail,
    {
      question: task.text,
      address: bareAddress(account.address),
      contacts: Object.keys(contacts),
      context: [...contextLines(context), ...factLines(task)],
      findings: task.inputs().flatMap(({ actor, result }) => {
        return result.answer === undefined ? [] : [`${actor}: ${result.answer.slice(0, 2_000)}`]
      }),
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
    },
    {
      fallback: async () =>
        (await runRule('mail', byRules, today(ctx), task.facts)) ?? { ...EMPTY_PLAN, reason: needsModel() },
    },
  )
  const plan = withinWords(value, [question, ...(task.instructions ?? [])].join('\n'))
  ctx.note('DECISION', 'Mail action planned', {
    plan,
    by: by === 'model' ? 'model' : 'rules',
    ...(plan.action === value.action ? {} : { proposed: value.action }),
  })
  return { plan, by, ...given({ reason }) }
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
