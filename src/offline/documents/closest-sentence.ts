import { truncateAtWord } from '../../shared/json.ts'
import { sentencesOf, type Span } from '../../documents/chunking/sentences.ts'
import type { Words } from '../../documents/search/languages.ts'
import { removeMarks } from '../../agents/citations.ts'

/** Minimum share of the question's word weight that a marked sentence must contain. */
const MIN_MARKED = 1 / 2
/** Maximum length of a quote, and of its sentence, in characters. */
const MAX_QUOTE = 320
const MAX_SENTENCE = 400
/** Minimum length of a full line, which continues in the next line of the page. */
const MIN_FULL_LINE = 60
const LIST_ITEM = /^(?:[-•*]|\d{1,3}[.)])\s/

export interface QuotablePassage {
  readonly text: string
  /** Each line is a row. */
  readonly isTable: boolean
  /** Headings above it, which its text may repeat. */
  readonly headings: ReadonlySet<string>
}

export interface Quote extends Span {
  /** The sentence with its surroundings, between `**` if it contains enough words of the question. */
  readonly text: string
  /** Weight of the question's words in the sentence, by rarity; 0 without any. */
  readonly score: number
}

/**
 * Finds the sentence of each passage with most of the question's words, weighted by rarity. Linear in the passages.
 * @returns one per passage; undefined for a passage without text
 */
export function closestSentences(
  question: string,
  passages: readonly QuotablePassage[],
  words: Words,
): readonly (Quote | undefined)[] {
  const questionTerms = new Set(words.terms(question))
  const read = passages.map((passage) => {
    const spans = spansOf(passage)
    return {
      passage,
      spans,
      terms: spans.map(({ start, end }) => matched(passage.text.slice(start, end), questionTerms, words)),
    }
  })
  const counts = new Map<string, number>()
  const all = read.flatMap(({ terms }) => terms)
  for (const terms of all) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const weigh = (terms: ReadonlySet<string>): number =>
    [...terms].reduce((sum, term) => sum + Math.log(1 + all.length / (counts.get(term) ?? 1)), 0)
  const minMarked = MIN_MARKED * weigh(questionTerms)
  return read.map(({ passage, spans, terms }) => {
    const scores = terms.map((row, place) => (isHeaderRow(passage, spans, place) ? 0 : weigh(row)))
    const score = scores.reduce((best, one) => Math.max(best, one), 0)
    const at = Math.max(0, scores.indexOf(score))
    // Column names count for each row.
    const coveredTerms = new Set([...(terms[at] ?? []), ...(passage.isTable ? (terms[0] ?? []) : [])])
    const isMarked = score > 0 && weigh(coveredTerms) >= minMarked
    return spans[at] === undefined ? undefined : { ...spans[at], score, text: quoteOf(passage, spans, at, isMarked) }
  })
}

/** Whether a line is the header of the rows below it. */
function isHeaderRow({ text, isTable }: QuotablePassage, spans: readonly Span[], at: number): boolean {
  const isRow = (span: Span | undefined): boolean =>
    span !== undefined && text.slice(span.start, span.end).includes(' | ')
  return (isTable && at === 0) || (isRow(spans[at]) && !isRow(spans[at - 1]))
}

function matched(text: string, wanted: ReadonlySet<string>, words: Words): ReadonlySet<string> {
  return new Set(words.terms(text).filter((term) => wanted.has(term)))
}

/** Sentences of prose, list items and table rows, without headings. */
function spansOf({ text, isTable, headings }: QuotablePassage): readonly Span[] {
  const paragraphs: { start: number; end: number; isOpen: boolean }[] = []
  let start = 0
  for (const line of text.split('\n')) {
    const end = start + line.length
    const bare = line.trim()
    const last = paragraphs.at(-1)
    const isHeading = headings.has(bare.replace(/^#{1,6}\s/, ''))
    if (bare === '' || isHeading) {
      if (last !== undefined) last.isOpen = false
    } else {
      const isOpen = !isTable && bare.length > MIN_FULL_LINE && !/[.!?:;|]$/.test(bare)
      if (last?.isOpen === true && !LIST_ITEM.test(bare)) Object.assign(last, { end, isOpen })
      else paragraphs.push({ start, end, isOpen })
    }
    start = end + 1
  }
  if (isTable) return paragraphs
  return paragraphs.flatMap((paragraph) => {
    const prose = text.slice(paragraph.start, paragraph.end).replaceAll('\n', ' ')
    return Array.from(sentencesOf(prose), (one) => ({
      start: paragraph.start + one.start,
      end: paragraph.start + one.end,
    }))
  })
}

/** For a table, the header and the row; for a text, the surrounding sentences while there is room. */
function quoteOf({ text, isTable }: QuotablePassage, spans: readonly Span[], at: number, isMarked: boolean): string {
  const displayText = ({ start, end }: Span): string =>
    removeMarks(text.slice(start, end))
      .replaceAll(/\s+|\*{2,}/g, (found) => (found.startsWith('*') ? '' : ' '))
      .trim()
  const sentence = truncateAtWord(displayText(spans[at]!).replace(/^[-•*]\s/, ''), MAX_SENTENCE)
  const best = isMarked ? `**${sentence}**` : sentence
  const [first] = spans
  if (isTable) return at === 0 || !displayText(first!).includes('|') ? best : `${displayText(first!)}\n${best}`
  const parts = [best]
  let length = best.length
  const fits = (part: string): boolean => (length += part.length + 1) <= MAX_QUOTE
  for (let [before, after] = [at - 1, at + 1]; before >= 0 || after < spans.length; before--, after++) {
    const [left, right] = [spans[before], spans[after]].map((span) =>
      span === undefined ? '' : displayText(span),
    ) as [string, string]
    if (left !== '' && fits(left)) parts.unshift(left)
    else before = -1
    if (right !== '' && fits(right)) parts.push(right)
    else after = spans.length
  }
  return parts.join(' ')
}
