import { readAddress } from '../../../mail/address.ts'
import { replySubject } from '../../../mail/compose.ts'
import type { MailMessage } from '../../../mail/types.ts'
import type { Findings } from './findings.ts'
import { letterOf, topicIn } from './phrases.ts'

/** A mail as it is written. */
export interface ComposedText {
  readonly subject: string
  readonly body: string
}

export interface PlainMail {
  /** The task's own words. */
  readonly text: string
  /** The whole question that the task is part of. */
  readonly question: string
  readonly from: string
  readonly to: readonly string[]
  /** Given by the plan; may be empty. */
  readonly subject: string
  readonly findings: Omit<Findings, 'omitted'>
  readonly original?: MailMessage | undefined
}

const MAX_SUBJECT = 78

/** Writes a mail without a model: what the user dictated, then what the other agents found with their sources. */
export function composeByRules(mail: PlainMail): ComposedText {
  const { text, findings, to, from, original } = mail
  const dictated = letterOf(text).said
  const parts = [dictated ?? '', ...findings.texts].filter(Boolean)
  if (parts.length === 0) return { subject: subjectOf(mail), body: '' }
  const sources = findings.sources.map((line, i) => `[${i + 1}] ${line}`)
  const missing =
    findings.failures.length === 0 ? '' : `Not everything could be found out: ${findings.failures.join('; ')}`
  const intro = findings.texts.length > 0 && dictated === undefined ? introOf(mail) : ''
  const body = [
    greeting(original === undefined ? to : [original.from]),
    intro,
    ...parts,
    missing,
    sources.length === 0 ? '' : `Sources:\n${sources.join('\n')}`,
    ['Kind regards', readAddress(from)?.name ?? ''].filter(Boolean).join('\n'),
  ]
  return { subject: subjectOf(mail), body: body.filter(Boolean).join('\n\n') }
}

/** By first name where the address says that it is one: `dara.tolliver@…`, not `support@…`. */
function greeting(to: readonly string[]): string {
  const only = to.length === 1 ? readAddress(to[0]!) : undefined
  const first = only?.name.split(/\s+/)[0] ?? ''
  const isPerson = first.length > 1 && only!.address.toLowerCase().startsWith(plain(first))
  return isPerson ? `Hello ${first},` : 'Hello,'
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

function introOf({ text, question }: PlainMail): string {
  const asked = letterOf(text).before || letterOf(question).before
  return asked === '' ? 'Here is what was found.' : `Here is what was found on this question: ${asked}`
}

function subjectOf({ text, question, subject, original }: PlainMail): string {
  if (subject !== '') return subject
  if (original !== undefined) return replySubject(original.subject)
  const { before, said, topics, contents, ...letter } = letterOf(text)
  if (letter.subject !== undefined) return letter.subject
  const own = [...topics, ...contents].find((part) => !POINTING.test(part))
  const topic = own ?? topicIn(before) ?? topicIn(question)
  if (topic !== undefined) return headline(topic.replace(/^(?:the|our|my)\s+/i, ''))
  return headline(firstOf(before || letterOf(question).before || (said ?? '')))
}

/** Up to the first pause; a comma in a number is none. */
function firstOf(text: string): string {
  return text.split(/[?.!;,](?=\s|$)/, 1)[0]!
}

/** What speaks of findings without naming them. */
export const POINTING =
  /^(?:it|that|this|them|these|those|all|both|(?:all\s+(?:of\s+)?)?(?:that|this|these|those|it|them)|the\s+(?:results?|findings?|answers?|figures?|numbers?|above))$/i

function headline(text: string): string {
  const clean = text.replaceAll(/\s+/g, ' ').trim()
  const short = clean.length > MAX_SUBJECT ? `${clean.slice(0, MAX_SUBJECT).replace(/\s+\S*$/, '')}…` : clean
  return short.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}
