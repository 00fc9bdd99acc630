import type { RoleContext } from '../../domain/actor.ts'

/** Openings of follow-up questions. */
const FOLLOW_UP_START =
  /^\W*(?:(?:and|or|but|only|just|also|now|same|what about|how about|und|oder|nur|jetzt|was ist mit|wie sieht es (?:mit|in|im))\b|(?:the same|dasselbe)\b)/i

/** Removes the opening of a follow-up question. */
export function withoutOpening(question: string): string {
  return question.replace(FOLLOW_UP_START, '').replace(/^[\s,:]+/, '')
}

/** Replies to a follow-up question. The previous question and this one select the example questions. */
export function replyToFollowUp({ request: { question }, recollection }: RoleContext) {
  const last = recollection.recent.findLast(({ role, text }) => role === 'user' && !FOLLOW_UP_START.test(text))
  if (last === undefined || !FOLLOW_UP_START.test(question)) return undefined
  const text = 'Without a language model, follow-up questions are not understood. Ask the whole question.'
  return { text, isAnswered: false, about: `${last.text} ${question}` }
}
