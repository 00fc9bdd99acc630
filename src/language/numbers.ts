import { foreignNumbers, type Spelled } from './numerals.ts'
import { languageOf } from './which-language.ts'

/** From “zero” to “twenty”, each at its own place. */
export const NUMBER_WORDS: readonly string[] = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen twenty'
).split(' ')

/** A number in digits or in one of these words; undefined for anything else. */
export function numberOf(text: string): number | undefined {
  const place = NUMBER_WORDS.indexOf(text.toLowerCase())
  if (place >= 0) return place
  return /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/.test(text) ? Number(text.replaceAll(',', '')) : undefined
}

const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const SCALES: Readonly<Record<string, number>> = { hundred: 100, thousand: 1e3, million: 1e6, billion: 1e9 }
const UNIT = `(?:${[...NUMBER_WORDS, ...TENS].join('|')})`
const SPELLED = `(?:${[...NUMBER_WORDS, ...TENS, ...Object.keys(SCALES), 'dozen'].join('|')})`
const SPELLED_NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])(?:an?[ -](?=hundred|thousand|million|billion|dozen)${SPELLED}|${UNIT})(?:(?:[ -]|,? and |, )${SPELLED})*(?![\p{L}\p{N}])`,
  'giu',
)

/** Numbers that are written in words, such as “four thousand two hundred and seventeen” or “dreißig”. */
export function spelledNumbers(text: string): Spelled[] {
  const english = [...text.matchAll(SPELLED_NUMBER)].flatMap(({ 0: found, index }) => {
    // “Two and three” are two numbers, “a hundred and three” is one.
    const parts = found.split(/(?<!(?:hundred|thousand|million|billion)),? and |(?<!(?:thousand|million|billion)), /i)
    return parts.map((part) => ({ text: part, start: index, value: valueOfWords(part) }))
  })
  const others = foreignNumbers(text, languageOf(text.slice(0, LANGUAGE_SHOWS)))
  // “Six cents clients”: of two that share a place, the longer is meant.
  return [...notWithin(english, others, 1), ...notWithin(others, english, 0)]
}

/** So many characters tell the language of a text. */
const LANGUAGE_SHOWS = 2_000

/** Those that share no place with one of the others that is longer by so much. Both lists are in the order of the text. */
function notWithin(some: readonly Spelled[], others: readonly Spelled[], by: number): Spelled[] {
  let next = 0
  return some.filter(({ start, text }) => {
    while (next < others.length && others[next]!.start + others[next]!.text.length <= start) next++
    const other = others[next]
    return other === undefined || other.start >= start + text.length || other.text.length < text.length + by
  })
}

function valueOfWords(text: string): number {
  let [total, below] = [0, 0]
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const scale = SCALES[word]
    if (word === 'dozen') below = (below || 1) * 12
    else if (word === 'hundred') below = (below || 1) * 100
    else if (scale !== undefined) [total, below] = [total + (below || 1) * scale, 0]
    else if (TENS.includes(word)) below += TENS.indexOf(word) * 10 + 20
    else below += Math.max(0, NUMBER_WORDS.indexOf(word))
  }
  return total + below
}
