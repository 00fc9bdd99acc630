import type { ActorContext, AgentTask } from '../../../core/actor.ts'
import { TuttiError } from '../../../core/errors.ts'
import type { Outcome } from '../../../core/result.ts'
import { MAX_RULE_TEXT } from '../../../core/rule-text.ts'
import { needsModel } from '../../../core/without-model.ts'
import { DEFINITE, type Letter } from '../../letter.ts'
import { userWords } from '../../user-words.ts'
import { readAddress } from '../../../mail/address.ts'
import { replySubject } from '../../../mail/compose.ts'
import type { MailMessage, MailReceipt } from '../../../mail/types.ts'
import { findingsOf } from './findings.ts'
import { newestMatch, nothing } from './find.ts'
import type { MailPlan } from './plan.ts'
import { answerRecipients } from '../recipients.ts'
import { resolveRecipients, type AddressSources, type Resolved } from './recipients.ts'
import { POINTING, type ComposedText } from './compose-by-rules.ts'
import { runRule } from '../../rules/run-rule.ts'
import { revisionOf } from './revision.ts'
import { nothingDone } from './revise.ts'
import type { MailTools } from '../tools.ts'
import { assertAllowed } from './allowed.ts'

/** What writing needs besides the plan. */
export interface Desk {
  readonly tools: MailTools
  /** `Name <address>` of the user. */
  readonly from: string
  readonly addresses: AddressSources
}

/** Saves a draft. */
export async function draftMail(plan: MailPlan, task: AgentTask, ctx: ActorContext, desk: Desk): Promise<Outcome> {
  assertAllowed(desk.tools.draft, task, ctx)
  const original = plan.isReply ? await findOriginal(plan, ctx, desk) : undefined
  if (original === 'none') return declined(nothing(plan.folder, plan))
  const { to, cc } = await addressed(plan, task, ctx, desk, original)
  const text = await written(plan, to.addresses, task, ctx, desk, original)
  const mail = { to: [...to.addresses], cc: [...cc.addresses], subject: oneLine(text.subject), body: text.body }
  const receipt = await ctx.call(desk.tools.draft, {
    ...mail,
    ...(original === undefined ? {} : { replyTo: original.id }),
  })
  const notes = [
    ...[...to.missing, ...cc.missing].map((why) => `Not addressed yet: ${why}.`),
    ...to.warnings,
    ...cc.warnings,
    ...(to.addresses.length > 0 || to.missing.length + to.warnings.length > 0
      ? []
      : ['No recipient is filled in yet.']),
    ...(mail.body === '' ? ['It has no text yet, since nothing says what to write.'] : []),
    ...text.omitted,
    ...receiptNotes(receipt),
  ]
  ctx.note('RESULT', 'Draft saved', { id: receipt.id, to: mail.to, notes })
  const result = [`Saved as a draft, not sent${forWhom(to.addresses)}: ${quoted(mail.subject)}.`, ...notes].join(' ')
  return { answer: result, data: { action: 'draft', draft: { ...receipt, ...mail }, result } }
}

/** Sends a new mail, after approval of exactly what leaves. */
export async function sendMail(plan: MailPlan, task: AgentTask, ctx: ActorContext, desk: Desk): Promise<Outcome> {
  assertAllowed(desk.tools.send, task, ctx)
  const { to, cc } = await addressed(plan, task, ctx, desk, undefined)
  const unclear = [...to.missing, ...cc.missing]
  if (unclear.length > 0 || to.addresses.length === 0) {
    const why = unclear.length > 0 ? unclear.join('; ') : 'the question does not say who the mail is for'
    return declined(`Nothing was sent: ${why}. Name the recipient's address.`)
  }
  const text = await written(plan, to.addresses, task, ctx, desk, undefined)
  if (text.body.trim() === '') {
    return declined(
      ['Nothing was sent: the question does not say what the mail should say.', ...text.omitted].join(' '),
    )
  }
  const mail = { to: [...to.addresses], cc: [...cc.addresses], subject: oneLine(text.subject), body: text.body }
  const receipt = await ctx.call(desk.tools.send, { ...mail, ...warningOf(to, cc) })
  return sentOutcome('send', mail, receipt, ctx, text.omitted)
}

/** Answers a mail in its thread, after approval of exactly what leaves. */
export async function replyToMail(plan: MailPlan, task: AgentTask, ctx: ActorContext, desk: Desk): Promise<Outcome> {
  assertAllowed(desk.tools.reply, task, ctx)
  const original = await findOriginal({ ...plan, isReply: true }, ctx, desk)
  if (original === 'none' || original === undefined) return declined(`Nothing was sent. ${nothing(plan.folder, plan)}`)
  const { to, cc } = await addressed({ ...plan, isReply: true }, task, ctx, desk, original)
  const unclear = [...to.missing, ...cc.missing]
  if (unclear.length > 0) return declined(`Nothing was sent: ${unclear.join('; ')}. Name the recipient's address.`)
  if (to.addresses.length === 0) return declined('Nothing was sent: the mail to be answered names no sender.')
  const text = await written(plan, to.addresses, task, ctx, desk, original)
  if (text.body.trim() === '') {
    const why = 'Nothing was sent: the question does not say what the answer should say.'
    return declined([why, ...text.omitted].join(' '))
  }
  const asked = (await runRule('letter', task.text))?.subject ?? plan.subject
  const subject = asked === '' ? replySubject(original.subject) : oneLine(asked)
  const mail = { to: [...to.addresses], cc: [...cc.addresses], subject, body: text.body }
  const receipt = await ctx.call(desk.tools.reply, {
    ...mail,
    id: original.id,
    ...warningOf(to, cc),
  })
  return sentOutcome('reply', { id: original.id, ...mail }, receipt, ctx, text.omitted)
}

async function findOriginal(plan: MailPlan, ctx: ActorContext, desk: Desk): Promise<MailMessage | 'none' | undefined> {
  if (!plan.isReply) return undefined
  const found = await newestMatch(plan, ctx, desk.tools)
  if (found === undefined) return 'none'
  return ctx.call(desk.tools.read, { id: found.header.id })
}

/** An answer goes to whom its mail names, unless the plan says otherwise. */
async function addressed(
  plan: MailPlan,
  task: AgentTask,
  ctx: ActorContext,
  { tools, addresses }: Desk,
  original: MailMessage | undefined,
): Promise<{ to: Resolved; cc: Resolved }> {
  // Addresses alone: a sender's mere name must not be looked up and turn into somebody else.
  const answered = (mail: MailMessage) => answerRecipients(mail).filter((text) => readAddress(text) !== undefined)
  const to = plan.to.length > 0 || original === undefined ? plan.to : answered(original)
  const known = { ...addresses, words: userWords(task, ctx), mails: [], original }
  return {
    to: await resolveRecipients(to, ctx, tools, known),
    cc: await resolveRecipients(plan.cc, ctx, tools, known),
  }
}

async function written(
  plan: MailPlan,
  to: readonly string[],
  task: AgentTask,
  ctx: ActorContext,
  { from }: Desk,
  original: MailMessage | undefined,
): Promise<Written> {
  const { question, locale, attached = [] } = ctx.request
  const onlyDocuments =
    attached.some(({ kind }) => kind === 'documents') &&
    attached.every(({ kind }) => ['documents', 'host', 'config'].includes(kind))
  const findings = findingsOf(task, userWords(task, ctx), { onlyDocuments, locale })
  // What the user calls it counts, whatever a model would.
  const letters = await Promise.all([task.text, question].map((one) => runRule('letter', one)))
  const subject = letters[0]?.subject ?? letters[1]?.subject ?? plan.subject
  const { text, open } = await revisionOf(task)
  const given = { text, question, from, to, subject, findings, original }
  const byRules = text.length > MAX_RULE_TEXT ? undefined : await runRule('composeMail', given)
  if (byRules === undefined) throw new TuttiError('MailError', needsModel())
  if (open.length > 0) throw new TuttiError('MailError', nothingDone())
  ctx.note('MESSAGE', 'Mail written', { by: 'rules', subject: byRules.subject })
  const mail = { subject: subject || byRules.subject, body: byRules.body.trim() }
  const missing = original === undefined ? missingIn(mail, task, letters[0]) : []
  return { ...mail, omitted: [...findings.omitted, ...missing] }
}

/** What was asked for and is nowhere in the mail. What others were to find out is said there where they failed. */
function missingIn({ subject, body }: ComposedText, task: AgentTask, letter: Letter | undefined): string[] {
  const { topics = [], contents = [] } = letter ?? {}
  const hasFindings = task.inputs().length > 0
  const whole = (part: string): string[] => [part.replace(/^(?:the|our|my)\s+/i, '')]
  const isIn = (words: readonly string[], text: string): boolean =>
    words.some((word) => text.toLowerCase().includes(word.toLowerCase()))
  const missing = [
    ...topics.filter((part) => !isIn(whole(part), `${subject}\n${body}`)),
    ...contents.filter((part) => {
      if (POINTING.test(part)) return false
      if (!hasFindings) return !isIn(whole(part), body)
      // What somebody was asked for is there, in whatever words, or said to be missing.
      return !DEFINITE.test(part) && !isIn(part.match(/\p{L}{4,}/gu) ?? [], body)
    }),
  ]
  return missing.map((part) => `Not in it: “${part}”.`)
}

interface Written extends ComposedText {
  /** What was found and is not in it, in sentences. */
  readonly omitted: readonly string[]
}

function warningOf(to: Resolved, cc: Resolved): { warning?: string } {
  const warnings = [...to.warnings, ...cc.warnings]
  return warnings.length === 0 ? {} : { warning: warnings.join(' ') }
}

/** What was sent is told by rule, not by a model: nothing may go wrong after a mail has left. */
function sentOutcome(
  action: 'send' | 'reply',
  mail: { readonly to: readonly string[]; readonly subject: string; readonly id?: string },
  receipt: MailReceipt,
  ctx: ActorContext,
  omitted: readonly string[],
): Outcome {
  ctx.note('RESULT', 'Mail sent', { action, messageId: receipt.messageId, to: mail.to })
  const what = action === 'reply' ? 'Answered' : 'Sent'
  const result = [`${what}${forWhom(mail.to)}: ${quoted(mail.subject)}.`, ...omitted, ...receiptNotes(receipt)].join(
    ' ',
  )
  const details = { ...receipt, ...mail }
  return { answer: result, data: { action, ...(action === 'send' ? { sent: details } : { reply: details }), result } }
}

function receiptNotes({ note, refused = [] }: MailReceipt): string[] {
  return [
    ...(note === undefined ? [] : [`${note[0]!.toUpperCase()}${note.slice(1)}${/[.!]$/.test(note) ? '' : '.'}`]),
    ...(refused.length === 0 ? [] : [`The server did not take it for ${refused.join(', ')}.`]),
  ]
}

/** Nothing of it was done, and nobody else is to try. */
export function declined(message: string): Outcome {
  return { status: 'failed', error: { type: 'MailError', message } }
}

function forWhom(to: readonly string[]): string {
  return to.length === 0 ? '' : ` to ${to.join(', ')}`
}

function quoted(subject: string): string {
  return subject === '' ? 'no subject' : `“${subject}”`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
