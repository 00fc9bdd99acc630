import { splitClauses } from './clauses.ts'
import { figuresIn } from './figures/read.ts'
import { NEGATION } from './negation.ts'
import { stem, tokensOf, wordsOf } from './tokens.ts'

/** How answers begin that are none, of this program and of models. */
export const DECLINES =
  /\b(?:could(?: not|n['’]t) (?:be answered|answer|find|determine)|can(?:not|['’]t| not) (?:be )?(?:answer|determine|tell|find|say)|do(?:es)?(?: not|n['’]t) (?:answer|say|tell|mention|contain|state|specify)|says? nothing|there is no (?:information|answer)|no (?:information|agent was chosen)|(?:was|were|is|are)(?: not|n['’]t) (?:answered|found|stated|mentioned)|not answered|did not succeed|nothing to answer from|i do(?: not|n['’]t) know)\b/i

const stemsOf = (text: string): string[] => wordsOf(text).map(stem)

/** Words of searching and of what a search brings, stemmed: denied, they tell of no thing. */
const SEARCHING = new Set(
  stemsOf(
    'find found finding search searched look looked check checked try tried locate discover identify determine see seen ' +
      'come came turn turned up yield return result hit match information data record records entry entries document ' +
      'documents source sources mention trace evidence clue hint answer luck success available anything something ' +
      'relevant useful able',
  ),
)
const FAILS = /\b(?:unable|fail(?:s|ed)?|zero|empty(?:[- ]handed)?|in vain|fruitless|unsuccessful(?:ly)?)\b/i
/** Of a clause that goes on beside a denial, new words that make it one that tells something. */
const TELLING = 3

/**
 * Whether a text says no more than that nothing was found, in whatever words: what it denies is a find, and beside that it
 * has no figure and few words that were not in what was asked. “No rain on the hill” denies something else.
 */
export function saysNothing(text: string, asked: string): boolean {
  const known = new Set(tokensOf(asked))
  const clauses = text
    .split(/(?<=[.!?;])\s+|\s+(?=but\b|however\b)/i)
    .flatMap((part) => splitClauses(part).map((one) => one.text))
  const isDenied = (clause: string): boolean => NEGATION.test(clause) || FAILS.test(clause)
  const news = (clause: string): number =>
    tokensOf(clause).filter((word) => !known.has(word) && !SEARCHING.has(word)).length
  const isNothing = (clause: string): boolean =>
    /\bnothing\b/i.test(clause) ||
    DECLINES.test(clause) ||
    FAILS.test(clause) ||
    (NEGATION.test(clause) && stemsOf(clause).some((word) => SEARCHING.has(word)))
  return (
    clauses.some(isNothing) &&
    clauses.every(
      (clause) =>
        isDenied(clause) || (figuresIn(clause).every(({ kind }) => kind === 'name') && news(clause) < TELLING),
    )
  )
}
