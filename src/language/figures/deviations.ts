import { placesOf } from './parts.ts'

/** As a program says what it found in two tables. */
const FOUND = /(?<![\p{N}.,])[1-9]\d* of the \d+ [^.:;]{1,60}? deviates? from [^.:;]{1,60}(?:: (?<rows>[^\n]*))?/gu
/** No longer text is read for it. */
const MOST_READ = 100_000

const WRONG = String.raw`(?:deviat|differ|discrepan|mismatch|disagree|contradict|wrong|incorrect|error|issue|problem|irregular|anomal|violat|conflict)\p{L}*`
/** “No invoice deviates”, “nothing is wrong”, “without any deviation”, “they do not deviate”. */
const NONE = new RegExp(
  String.raw`(?<!\p{L})(?:(?:no|none|not (?:one|any|a single)|zero|without|never|nothing|neither)(?!\p{L})[^.;:!?]{0,80}?|(?:do|does|did|is|are|was|were)(?: not|n['’]t) (?:\p{L}+ )?)(?<!\p{L})${WRONG}`,
  'iu',
)
const FINE = String.raw`(?:match(?:es|ed)?|agrees?|conforms?|compl(?:y|ies)|(?:is|are|was|were|looks?|seems?)(?: (?:all|both|perfectly|entirely|quite))? (?:fine|ok(?:ay)?|correct|right|in order|well|clean|consistent|compliant|good)|(?:may|can|could) be paid)(?!\p{L})`
const ALL = new RegExp(
  String.raw`(?<!\p{L})(?:all|every|each|everything)(?!\p{L})[^.;:!?]{0,80}?(?<!\p{L})${FINE}`,
  'iu',
)
/** Behind the name of a row, with more of them between. */
const IS_FINE = new RegExp(String.raw`^(?:[\s,]|(?:and|or|all|both|also)(?!\p{L})|\p{L}+[-_/]?\d+)*${FINE}`, 'iu')
/** What limits it, or turns it round. */
const LIMITED =
  /(?<!\p{L})(?:others?|else|remaining|rest|except|excluding|but|besides|apart|further|more|only|should|must|would|if|unless|not all|not every|(?<!all )\d+ of)(?!\p{L})|\?/iu
const NOT = /(?<!\p{L})(?:not|no|none|never|neither|without|cannot)(?!\p{L})|n['’]t(?!\p{L})/iu
const ROW = /(?<![\p{L}\p{N}])\p{L}+[-_/]?\d+(?![\p{L}\p{N}])/gu

/**
 * Where a program found that rows of one table deviate from another: a sentence by which none does, or by which one of those is
 * fine. What is limited, such as to “all others”, is left to its words.
 */
export function deniedDeviations(sentence: string, found: readonly { readonly texts: readonly string[] }[]): string[] {
  if (LIMITED.test(sentence)) return []
  const isNone = NONE.test(sentence) || (ALL.test(sentence) && !NOT.test(sentence))
  const isFine = new RegExp(`(?<!\\p{L})${FINE}`, 'iu').test(sentence) && !NOT.test(sentence)
  if (!isNone && !isFine) return []
  const known = found
    .flatMap(({ texts }) => texts)
    .flatMap((text) => (text.length > MOST_READ ? [] : [...text.matchAll(FOUND)]))
  const rows = known.flatMap(({ groups }) => (groups?.['rows'] ?? '').split('; ').map((row) => row.split(': ')[0]!))
  const places = rows.flatMap((row) => (row === '' ? [] : placesOf(row, sentence).map((at) => at + row.length)))
  // “No deviation was found in FI-101” is of another row.
  const isOfOther = places.length === 0 && (sentence.match(ROW) ?? []).length > 0
  const isDenied =
    (known.length > 0 && isNone && !isOfOther) || (isFine && places.some((at) => IS_FINE.test(sentence.slice(at))))
  return isDenied ? [sentence.trim()] : []
}
