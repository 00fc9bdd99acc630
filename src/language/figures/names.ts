import { languageOf } from '../which-language.ts'
import type { Evidence } from './evidence.ts'

/** Two words or more with a capital, as names of people and companies are; “&” and “of” may stand between. */
const NAME =
  /(?<![\p{L}\p{N}“"„«`*_#|])\p{Lu}[\p{Ll}’'.-]+(?:\s+(?:(?:&|of|de|van|von|der)\s+)?\p{Lu}[\p{L}’'.-]+)+(?![\p{L}\p{N}”"“»`])/gu
/** Words that have a capital in titles and at the beginning of a sentence. */
const PLAIN = new Set(
  (
    'a an and any all also after another as at average based before both by compared despite during each every for from further ' +
    'here how however i if in it its last most next no not of on one only other our overall so some that the their then there ' +
    'these they this those three to together total two under unlike we what when where which while with you your mr mrs ms dr ' +
    'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september ' +
    'october november december spring summer autumn winter'
  ).split(' '),
)

/**
 * Names without quotes of which a word was never said. English alone: other languages have capitals that are no names. Headings
 * and cells of tables are left to their figures.
 */
export function unsaidNames(sentence: string, known: readonly Evidence[]): string[] {
  if (/^\s*(?:#|\||\*\*)/.test(sentence) || languageOf(sentence) !== 'en') return []
  return [...sentence.matchAll(NAME)].flatMap(([name]) => {
    const words = name.split(/\s+/).map((word) => word.replace(/(?:['’]s)?[.’'-]*$/, ''))
    const isTold = words.every(
      (word) =>
        PLAIN.has(word.toLowerCase()) ||
        /^(?:&|of|de|van|von|der)$/.test(word) ||
        known.some((one) => one.mentions(stem(word))),
    )
    return isTold ? [] : [name.trim()]
  })
}

/** “Orders” is said where “order” is. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ies|es|s)$/, '') : word
}
