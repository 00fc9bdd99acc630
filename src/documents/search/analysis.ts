import { stemmer } from 'stemmer'
import { SHIFTED, separateDigits } from '../../shared/superscripts.ts'
import { ARABIC, arabicStem } from './arabic.ts'

/** Longer tokens, such as encoded data, are truncated. */
const MAX_TOKEN_CHARS = 64

/** English function words. The list is short, since a stop word can never be found. */
const STOP_WORDS = new Set(
  (
    'a about above after again against all am an and any are as at be because been before being below between both ' +
    'but by can could did do does doing down during each few for from further had has have having he her here hers ' +
    'herself him himself his how i if in into is it its itself me more most my myself no nor not now of off on once ' +
    'only or other our ours ourselves out over own same she should so some such than that the their theirs them ' +
    'themselves then there these they this those through to too under until up very was we were what when where ' +
    'which while who whom why will with would you your yours yourself yourselves'
  ).split(' '),
)

const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** English endings after an apostrophe. */
const CLITIC = /['’](?:s|t|re|ve|ll|d|m)(?![\p{L}\p{N}])/giu
/** Scripts written without spaces. Their text is split into bigrams, as in Lucene's CJK analyzer. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
const HAS_UNSPACED = new RegExp(UNSPACED.source, 'u')
// oxlint-disable-next-line no-control-regex -- the whole of ASCII is meant
const ASCII_ONLY = /^[\x00-\x7f]*$/
const PLAIN_WORD = /^[a-z]+$/

/** Letters that Unicode does not decompose into a base letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
}
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/**
 * The words of a text in order: runs of letters and digits in lower case, compatibility forms and Latin, Greek and
 * Cyrillic diacritics folded away, superscripts apart from the number before them. Stop words are kept.
 */
export function tokens(text: string): string[] {
  const words = foldText(separateDigits(text)).replace(CLITIC, '').match(WORD) ?? []
  if (!HAS_UNSPACED.test(text)) return words.map(cut)
  return words.flatMap((word) => (HAS_UNSPACED.test(word) ? splitUnspaced(word) : [cut(word)]))
}

/** The words of a text as they are written. */
export function writtenWords(text: string): string[] {
  return (separateDigits(text).normalize('NFC').match(WORD) ?? []).map(cut)
}

/**
 * Returns the search terms of a text in order: its tokens without stop words, stemmed with Porter's algorithm (M. F.
 * Porter, "An algorithm for suffix stripping", 1980). An Arabic word yields the word and its stem. `languages.ts` adds
 * the terms of other languages. Index and queries use the same function. New terms may be added without a new store
 * version: older documents are then found by their other terms, and can still be removed. Other changes need one. A word
 * before a superscript (`Alder²`) is also found without it.
 */
export function searchTerms(text: string): string[] {
  return indexTerms([...tokens(text), ...wordsBeforeSuperscripts(text).flatMap(tokens)])
}

function wordsBeforeSuperscripts(text: string): string[] {
  if (!SHIFTED.test(text)) return []
  return writtenWords(text).flatMap((word) => {
    const at = word.search(SHIFTED)
    return at > 0 ? [word.slice(0, at)] : []
  })
}

/** Terms of tokens, without stop words. */
export function indexTerms(words: readonly string[]): string[] {
  const found: string[] = []
  for (const word of words) if (!STOP_WORDS.has(word)) found.push(...stems(word))
  return found
}

/** Frequency of each term. */
export function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

function stems(word: string): string[] {
  if (PLAIN_WORD.test(word)) return [stemmer(word)]
  return ARABIC.test(word) ? [...new Set([word, arabicStem(word)])] : [word]
}

/** Removes case, compatibility forms and diacritics. */
export function foldText(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase()
  // The order matters: mathematical letters have no lower case before decomposition, and a Turkish letter's lower case
  // has a mark.
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC')
}

function cut(word: string): string {
  return word.length > MAX_TOKEN_CHARS ? word.slice(0, MAX_TOKEN_CHARS).replace(/\p{Cs}$/u, '') : word
}

function splitUnspaced(word: string): string[] {
  const found: string[] = []
  let at = 0
  for (const match of word.matchAll(UNSPACED)) {
    if (match.index > at) found.push(cut(word.slice(at, match.index)))
    found.push(...pairs([...match[0]]))
    at = match.index + match[0].length
  }
  if (at < word.length) found.push(cut(word.slice(at)))
  return found
}

function pairs(characters: readonly string[]): string[] {
  if (characters.length === 1) return [...characters]
  return characters.slice(1).map((character, index) => characters[index]! + character)
}
