import type { RoleContext } from '../../domain/actor.ts'

/** How questions begin that continue from the one before. */
const GOES_ON =
  /^\W*(?:(?:and|or|but|only|just|also|now|same|what about|how about|und|oder|nur|jetzt|was ist mit|wie sieht es (?:mit|in|im))\b|(?:the same|dasselbe)\b)/i

/** A question without the words by which it continues from the one before. */
export function withoutLead(question: string): string {
  return question.replace(GOES_ON, '').replace(/^[\s,:]+/, '')
}

/** What is said to a question that continues from the one before; both tell which questions are near. */
export function followUp({ request: { question }, recollection }: RoleContext) {
  const last = recollection.recent.findLast(({ role, text }) => role === 'user' && !GOES_ON.test(text))
  if (last === undefined || !GOES_ON.test(question)) return undefined
  const text = 'Without a language model each question stands alone. Ask the whole question.'
  return { text, isAnswered: false, about: `${last.text} ${question}` }
}
