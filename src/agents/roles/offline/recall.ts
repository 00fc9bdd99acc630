import { scaled } from './scaled.ts'

/**
 * What rules read off profile and conversation: name, company and job title, and one figure multiplied.
 * @param known the profile as `field: value`
 * @param before the answer before
 */
export function recalled(question: string, known: readonly string[], before = ''): string | undefined {
  return knownFact(question, known) ?? scaled(question, before)
}

/** “What is my name?”, and what else is kept of a user. */
const ASKED: readonly (readonly [RegExp, string, string])[] = [
  [/^(?:what(?:'s|’s| is) my name|who am i|what am i called)\b/i, 'userName', 'Your name is'],
  [
    /^(?:what(?:'s|’s| is) (?:my company|the name of my company)|where do i work|who do i work for)\b/i,
    'companyName',
    'You work for',
  ],
  [/^what(?:'s|’s| is) my (?:job(?: title)?|role|position)\b/i, 'jobTitle', 'You told me that you are'],
]

function knownFact(question: string, known: readonly string[]): string | undefined {
  const asked = ASKED.find(([words]) => words.test(question.trim()))
  const fact = known.find((line) => asked !== undefined && line.startsWith(`${asked[1]}: `))
  return fact === undefined ? undefined : `${asked![2]} ${fact.slice(asked![1].length + 2)}.`
}
