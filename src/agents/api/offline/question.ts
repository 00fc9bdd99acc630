import { wordSet } from '../../../core/word-set.ts'
import { stem } from '../../../language/tokens.ts'

/** A word of the question, or a quoted text as a whole. */
export interface Word {
  /** As it was written, without quotes and outer punctuation. */
  readonly text: string
  readonly lower: string
  readonly stem: string
  readonly isQuoted: boolean
}

const QUOTED = /"([^"]+)"|“([^”]+)”|(?<=^|[\s(=:])'([^']+)'(?=$|[\s.,;:!?)])/
const WORD = /[^\s"“”]+/
const PIECES = new RegExp(`${QUOTED.source}|${WORD.source}`, 'gu')

/** Cuts a question into words, keeping quoted texts, codes such as `C-1001`, amounts and addresses in one piece. */
export function readQuestion(question: string): readonly Word[] {
  return [...question.matchAll(PIECES)].flatMap(([whole, double, curly, single]) => {
    const quoted = double ?? curly ?? single
    if (quoted !== undefined) return [wordOf(quoted, true)]
    const bare = whole.replace(/^[^\p{L}\p{N}/{[-]+|[^\p{L}\p{N}/}\]%]+$/gu, '').replace(/['’]s$/i, '')
    return bare === '' ? [] : [wordOf(bare, false)]
  })
}

function wordOf(text: string, isQuoted: boolean): Word {
  const lower = text.toLowerCase()
  return { text, lower, stem: stem(lower), isQuoted }
}

/** Words between a thing and its name: "order number 17", "the customer called Acme". */
const CONNECTIVES = wordSet('number no nr id with named called key code is of the =')

/** What may be an id or a name: it was quoted or has a digit in it. */
export function isValueLike({ isQuoted, text }: Word): boolean {
  return isQuoted || /\d/.test(text)
}

/** Index of the value that stands right after the word at `at`, such as the 17 of "order #17"; -1 when none does. */
export function valueAfter(words: readonly Word[], at: number): number {
  let i = at + 1
  while (i < words.length && i <= at + 3 && CONNECTIVES.has(words[i]!.lower)) i++
  const word = words[i]
  return word !== undefined && isValueLike(word) ? i : -1
}

/** Whether a word means the noun of a path: the same stem, or the noun is a short form, as `org` of `organisation`. */
export function meansNoun(word: Word, noun: string): boolean {
  return word.stem === noun || (noun.length >= 3 && word.lower.length >= 6 && word.lower.startsWith(noun))
}
