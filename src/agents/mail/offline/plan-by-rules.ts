import { MAX_RULE_TEXT } from '../../../core/rule-text.ts'
import { needsModel } from '../../../core/without-model.ts'
import type { Facts } from '../../../core/facts.ts'
import { EMPTY_QUERY, formatMailQuery, type MailQuery } from '../../../mail/query.ts'
import { ASKING_WORDS, plainWords } from '../../../language/asking-words.ts'
import type { MailFolder } from '../../../mail/types.ts'
import { EMPTY_PLAN, type MailPlan } from './plan.ts'
import { intentOf, writingClause } from './intent.ts'
import { subjectIn } from '../../letter.ts'
import { addresseeIn, letterOf, replyTargetIn, searchWords, senderIn, topicIn } from './phrases.ts'
import { periodIn, timesIn } from '../../../language/periods.ts'

const HAS_ATTACHMENT = /\b(?:with|has|have|having)\s+(?:an?\s+|any\s+)?(?:attach(?:ed|ments?)|files?)\b/i
const COUNT = /\b(?:last|latest|newest|first|top)\s+(\d{1,2})\b/i
const MAX_LIMIT = 100

/** The day of the request, and what a planner found out already. */
interface Known {
  readonly today: string
  readonly facts: Partial<Facts>
}

/**
 * Reads the question without a model; what the facts hold is not looked for in it.
 * @param today `YYYY-MM-DD`
 */
export function planByRules(question: string, today: string, facts: Partial<Facts> = {}): MailPlan {
  if (question.length > MAX_RULE_TEXT) return { ...EMPTY_PLAN, reason: needsModel() }
  const known = { today, facts }
  const action = intentOf(question)
  switch (action) {
    case 'forward':
      return { ...EMPTY_PLAN, reason: 'Mails cannot be forwarded. Ask for a new mail, or for an answer to one.' }
    case 'none':
      return { ...EMPTY_PLAN, reason: 'The question does not ask for mails.' }
    case 'draft':
    case 'send':
      return planWriting(question, action, known)
    case 'reply': {
      const target = replyTarget(writingClause(question).clause)
      const plan: MailPlan = { ...EMPTY_PLAN, action, reason: 'The question asks for an answer.' }
      return searching(target, known, () => ({ ...plan, query: replyQuery(target, known) }))
    }
    case 'read': {
      const folder: MailFolder = /\bdraft\b/i.test(question) ? 'drafts' : /\bsent\b/i.test(question) ? 'sent' : 'inbox'
      const plan: MailPlan = { ...EMPTY_PLAN, action, folder, reason: 'One mail is asked for.' }
      return searching(question, known, () => looking(plan, question, folder, known))
    }
    default: {
      const folder: MailFolder = action === 'search_sent' ? 'sent' : action === 'search_drafts' ? 'drafts' : 'inbox'
      const limit = /\bhow\s+many\b/i.test(question) ? MAX_LIMIT : Number(COUNT.exec(question)?.[1] ?? EMPTY_PLAN.limit)
      const plan: MailPlan = {
        ...EMPTY_PLAN,
        action,
        folder,
        limit: Math.max(1, limit),
        reason: 'Mails are looked for.',
      }
      return searching(question, known, () => looking(plan, question, folder, known))
    }
  }
}

/** A plan that looks for all that the question says of the mails; a condition that was dropped would find too many. */
function looking(plan: MailPlan, question: string, folder: MailFolder, known: Known): MailPlan {
  const { query, left } = queryOf(question, folder, known)
  if (left === undefined) return { ...plan, query }
  const reason = `Mails cannot be searched for “${left}”. Name a sender, a subject, days, or words to look for in quotes.`
  return { ...EMPTY_PLAN, reason }
}

/** A plan that searches, where it is clear for which days; to answer a mail of any time would be no better. */
function searching(text: string, { today, facts }: Known, plan: () => MailPlan): MailPlan {
  const unclear = facts.period === undefined ? unclearDays(text, today) : undefined
  return unclear === undefined ? plan() : { ...EMPTY_PLAN, reason: unclear }
}

/** “Draft a short answer to …”; what stands further on is what the mail says or holds. */
const IS_REPLY =
  /^\S+\s+(?:\S+\s+)?(?:(?:a|an)\s+(?:[\w,-]+\s+){0,2}?(?:reply|answer|response)|the\s+(?:reply|response))\b/i

function planWriting(question: string, action: 'draft' | 'send', known: Known): MailPlan {
  const { clause } = writingClause(question)
  const isReply = IS_REPLY.test(clause)
  const letter = letterOf(question)
  const [named, cc] = isReply ? [[], []] : [letter.to, letter.cc]
  // What an address in the request is there for, its own words say.
  const elsewhere = known.facts.emails?.filter((address) => !question.includes(address)) ?? []
  const to = [...(isReply || named.length > 0 ? named : elsewhere)]
  const plan: MailPlan = {
    ...EMPTY_PLAN,
    action: isReply && action === 'send' ? 'reply' : action,
    to,
    cc: [...cc],
    isReply,
    subject: letter.subject ?? '',
    reason: action === 'draft' ? 'A mail is to be drafted, not sent.' : 'The question asks for a mail to be sent.',
  }
  if (!isReply) return plan
  const target = replyTarget(clause)
  return searching(target, known, () => ({ ...plan, query: replyQuery(target, known) }))
}

/** What the answer is to say must not be mistaken for what to look for. */
function replyTarget(clause: string): string {
  return clause.replace(/\b(?:saying|telling|tell|to\s+say|that|and\s+let|with\s+the\s+text)\b.*$|:\s.*$/is, '')
}

function replyQuery(target: string, known: Known): string {
  const sender = replyTargetIn(target)
  const { rest, ...days } = daysOf(target, known)
  const topic = topicIn(rest)
  return formatMailQuery({
    ...EMPTY_QUERY,
    ...days,
    from: sender === undefined ? [] : [sender],
    words: topic === undefined ? [] : searchWords(topic),
  })
}

function daysOf(text: string, { today, facts }: Known): ReturnType<typeof readDays> {
  const read = readDays(text, today)
  return facts.period === undefined ? read : { ...spanOf(facts.period, today), rest: read.rest }
}

/** What is looked for, in the words of the search. */
function queryOf(
  question: string,
  folder: MailFolder,
  known: Known,
): { readonly query: string; readonly left?: string } {
  const { rest, ...days } = daysOf(question, known)
  // What an address in the question is there for, its own words say.
  const address = known.facts.emails?.find((one) => !question.includes(one))
  const sender = folder === 'inbox' ? (senderIn(rest) ?? address) : undefined
  const addressee = folder === 'inbox' ? undefined : (addresseeIn(rest) ?? address)
  const subject = subjectIn(rest)
  const topic = topicIn(rest)
  const query: MailQuery = {
    ...EMPTY_QUERY,
    ...days,
    from: sender === undefined ? [] : [sender],
    to: addressee === undefined ? [] : [addressee],
    subject: subject === undefined ? [] : [subject],
    words: topic === undefined ? [] : searchWords(topic),
    hasAttachment: HAS_ATTACHMENT.test(rest),
  }
  const told = new Set([sender, addressee, subject, topic].flatMap((text) => plainWords(text ?? '')))
  const left = plainWords(rest.replace(HAS_ATTACHMENT, ' ').replace(COUNT, ' ')).find(
    (word) => !told.has(word) && !SAID_OF_MAILS.has(word) && word.length > 1,
  )
  return { query: formatMailQuery(query), ...(left === undefined ? {} : { left }) }
}

/** A span of days, `YYYY-MM-DD`; `before` is the first day that no longer counts. */
interface DaySpan {
  readonly since?: string
  readonly before?: string
}

/**
 * Reads the days that a question speaks of.
 * @param today `YYYY-MM-DD`
 * @returns the span, and the question without the words that named it
 */
export function readDays(question: string, today: string): DaySpan & { readonly rest: string } {
  const found = periodIn(question, today)
  const rest = found === undefined ? question : `${question.slice(0, found.start)} ${question.slice(found.end)}`
  return { ...spanOf(found ?? {}, today), rest: rest.replaceAll(/\s+/g, ' ').trim() }
}

/** Why no days can be searched for; to leave them out would be to answer for the whole mailbox. */
function unclearDays(text: string, today: string): string | undefined {
  const times = timesIn(text, today)
  const unread = times.find((time) => 'reason' in time)
  if (unread !== undefined) return unread.reason
  if (times.length < 2) return undefined
  const said = times.map(({ start, end }) => `“${text.slice(start, end).trim()}”`).join(' and ')
  return `Mails can be searched for one period at a time, and ${said} are more than one.`
}

/** A mailbox holds nothing of tomorrow, so an end after today is left out. */
function spanOf({ from, before }: { readonly from?: string; readonly before?: string }, today: string): DaySpan {
  return {
    ...(from === undefined ? {} : { since: from }),
    ...(before === undefined || before > today ? {} : { before }),
  }
}
/** Words of a search that narrow nothing. */
const SAID_OF_MAILS: ReadonlySet<string> = new Set([
  ...ASKING_WORDS,
  ...(
    'all also am answer anything anyone arrive arrived ask asked asks box came check come contain containing contains ' +
    'conversation copy correspondence did draft drafts e ever everything folder got here hi inbox incoming item items ' +
    'last latest line look looking many much mail mailbox mailed mails email emails mention mentioned mentioning mentions message ' +
    'messages most new newest next now open received receive recent recently regarding concerning read really reply s ' +
    'say saying says search see send sender sending sent so some somebody something stand stands still subject summarise ' +
    'summarize summary text thanks that then thread threads to today write writes written wrote yet content contents'
  ).split(' '),
])
