import type { RoleContext } from '../../domain/actor.ts'
import { periodAt } from '../language/periods.ts'
import { tokensOf } from '../language/tokens.ts'

/** Openings of follow-up questions. */
const FOLLOW_UP_START =
  /^\W*(?:(?:and|or|but|only|just|also|now|same|what about|how about|und|oder|nur|jetzt|was ist mit|wie sieht es (?:mit|in|im))\b|(?:the same|dasselbe)\b)/i

/** Removes the opening of a follow-up question. */
export function withoutOpening(question: string): string {
  return question.replace(FOLLOW_UP_START, '').replace(/^[\s,:]+/, '')
}

/** Replies to a follow-up question. The previous question and this one select the example questions. */
export function replyToFollowUp({ request: { question, context }, recollection }: RoleContext) {
  const last = recollection.recent.findLast(({ role, text }) => role === 'user' && !FOLLOW_UP_START.test(text))
  if (last === undefined || !FOLLOW_UP_START.test(question)) return undefined
  const text = 'Without a language model, follow-up questions are not understood. Ask the whole question.'
  const isOfData = recollection.results?.some(({ turn, source }) => turn === last.turn && source?.kind === 'database')
  const today = String(context['current_date'])
  const fullQuestion = isOfData ? joinQuestions(last.text, withoutOpening(question), today) : undefined
  return { text, isAnswered: false, about: `${last.text} ${question}`, whole: fullQuestion }
}

/** “Revenue last year?” for “Revenue in 2025” and “last year?”: a period replaces the earlier one. Undefined for names. */
function joinQuestions(last: string, addition: string, today: string): string | undefined {
  const tokens = tokensOf(addition).filter(({ kind }) => kind !== 'mark')
  const isPeriod = tokens.length > 0 && periodAt(tokens, 0, today)?.length === tokens.length
  if (!isPeriod && /\p{Lu}/u.test(addition)) return undefined
  const bare = last.replace(/[\s?.!]+$/, '')
  const own = tokensOf(bare)
  const at = isPeriod ? own.findIndex((_, i) => periodAt(own, i, today) !== undefined) : -1
  const end = at < 0 ? 0 : own[at + periodAt(own, at, today)!.length - 1]!.end
  const base = at < 0 ? bare : `${bare.slice(0, own[at]!.start).trim()}${bare.slice(end)}`
  return `${base} ${addition.replace(/[\s?.!]+$/, '')}?`
}
