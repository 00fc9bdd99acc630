import { searchTerms, termOf, writtenWords } from '../../../knowledge/search/analysis.ts'
import { numberOf } from '../../../language/numbers.ts'

/** Words behind which something is named that narrows the question: “in Bremen”, “with the fast charger”. */
const BEHIND = new Set('in at for of with without by on from during under per near inside outside'.split(' '))
/** “Do managers get”, “may guests row”: what stands behind is what it is asked of. */
const BEFORE_SUBJECT = new Set('do does did may can could must should'.split(' '))
const BE = new Set('is are was were'.split(' '))
const DETERMINERS = new Set('the a an our my your their its this that these those each every all any'.split(' '))
/** Belong to no phrase, though they say something. */
const CLOSING = new Set(['back', 'according'])
/** Say which time or how much of it, which documents say in other words; or stand for nothing themselves. */
const LOOSE = new Set(
  (
    'day days week weeks month months year years hour hours minute minutes time times morning afternoon evening night back away ' +
    'minimum maximum total exact usual normal current full part general case order number amount level kind type ' +
    'one someone somebody anyone anybody people person it we you he she they i'
  ).split(' '),
)

/**
 * The words that say of whom or of what something is asked: the subject of “do”, and what stands behind “in”, “with” and the like.
 * A verb may be said in other words; these are not said of anything else. In English alone.
 */
export function askedOf(question: string): string[] {
  const words = writtenWords(question)
  const isLate = words.some(
    (word, at) => BEFORE_SUBJECT.has(word.toLowerCase()) && subjectIn(words, at + 1).isVerbLater,
  )
  const asked = words.flatMap((word, at) => {
    const lower = word.toLowerCase()
    if (BEFORE_SUBJECT.has(lower)) return subjectIn(words, at + 1).words
    if (BEHIND.has(lower)) {
      const { words: phrase, isClosed } = phraseIn(words, at + 1)
      return isLate && !isClosed && phrase.length > 1 ? phrase.slice(0, -1) : phrase
    }
    return BE.has(lower) && HOW.test(words.slice(0, at).join(' ')) ? nounIn(phraseIn(words, at + 1).words) : []
  })
  const isSaid = (word: string): boolean =>
    !LOOSE.has(word.toLowerCase()) && !/\d/.test(word) && numberOf(word) === undefined
  return [...new Set(asked.filter(isSaid).flatMap(searchTerms))]
}

/** “How long”, “within how many days”; behind “how many policies” no subject comes. */
const HOW = /^(?:\p{L}+ how (?:many|much) \p{L}+|how (?!many|much)(?:\p{L}+ )?\p{L}+)$/iu
const PARTICIPLE = /(?:ed|en|wn|pt|ld|id|nt|ght|und|ne)$/i

/** What the phrase is about, without what is said of it: “the mirror cleaned”. */
function nounIn(phrase: readonly string[]): string[] {
  return phrase.length > 1 && PARTICIPLE.test(phrase.at(-1)!) ? phrase.slice(0, -1) : phrase.slice(-1)
}

/** Words up to the next that says nothing alone, such as a preposition. */
function phraseIn(
  words: readonly string[],
  from: number,
): { readonly words: string[]; readonly isClosed: boolean; readonly next: string } {
  const start = DETERMINERS.has(words[from]?.toLowerCase() ?? '') ? from + 1 : from
  const found: string[] = []
  for (const word of words.slice(start)) {
    const lower = word.toLowerCase()
    if (termOf(lower) === undefined || DETERMINERS.has(lower) || CLOSING.has(lower))
      return { words: found, isClosed: true, next: lower }
    found.push(word)
  }
  return { words: found, isClosed: false, next: '' }
}

/** Without the verb. Where nothing closes the phrase, all but the first word may be the verb or its object. */
function subjectIn(
  words: readonly string[],
  from: number,
): { readonly words: string[]; readonly isVerbLater: boolean } {
  const { words: phrase, isClosed, next } = phraseIn(words, from)
  // “The ferry from Kilmarsh leaves”, “the four bolts of the winch need”.
  const things = phrase.filter((word) => numberOf(word) === undefined)
  if (isClosed && BEHIND.has(next) && things.length === 1) return { words: things, isVerbLater: true }
  return { words: isClosed ? phrase.slice(0, Math.max(1, phrase.length - 1)) : phrase.slice(0, 1), isVerbLater: false }
}

/** Whether one of the places holds a term, be it as a part of a longer word: “deliver” in “delivery”. */
export function standsIn(term: string, places: readonly ReadonlySet<string>[]): boolean {
  return places.some((place) => place.has(term) || [...place].some((other) => isAkin(term, other)))
}

const LEAST_AKIN = 4
const MOST_ENDING = 6

function isAkin(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < LEAST_AKIN) return false
  if (long.startsWith(short) || long.endsWith(short)) return true
  return short.length >= MOST_ENDING && long.startsWith(short.slice(0, -1))
}
