import type { HitInContext } from '../../knowledge/search/neighbours.ts'
import { searchTerms, termsOf, tokens } from '../../knowledge/search/analysis.ts'

/** Characters of one quote, and how many quotes an answer has at most. */
const LONGEST_QUOTE = 500
const MOST_QUOTES = 3
/** A further quote must be this good, next to the best one. */
const WORTH_SAYING = 0.6
/** A section's heading speaks for every sentence below it, but less than their own words. */
const HEADING_WEIGHT = 0.6

/** Stems of words that ask what a document says, rather than for what. */
const SAYING = new Set(
  termsOf(['say', 'says', 'tell', 'state', 'states', 'mention', 'document', 'documents', 'describe']),
)

/** A stretch of a passage that answers, in the document's own words. */
export interface Quote {
  /** Place of the passage in the list. */
  readonly passage: number
  readonly text: string
}

interface Sentence {
  readonly text: string
  readonly terms: ReadonlySet<string>
}

/**
 * What the passages say to a question, without a model: from each passage the sentences that hold most of the question's
 * words, weighted by how rare they are among the passages, with what follows them. Best first.
 */
export function quotesFor(question: string, hits: readonly HitInContext[]): Quote[] {
  const wanted = new Set(searchTerms(question).filter((term) => !SAYING.has(term)))
  const passages = hits.map(({ chunk }) => ({
    heading: new Set(termsOf(tokens(chunk.section ?? ''))),
    sentences: sentencesOf(chunk),
  }))
  // A word in every heading, such as the document's title, tells no passage from another.
  const weight = rarity(
    passages.flatMap(({ heading, sentences }) => sentences.map(({ terms }) => new Set([...terms, ...heading]))),
  )
  const scored = passages.flatMap(({ heading, sentences }, passage) => {
    const values = sentences.map(({ terms }) => valueOf(wanted, terms, heading, weight))
    const value = Math.max(0, ...values)
    return value === 0 ? [] : [{ passage, value, text: quoteAt(sentences, values.indexOf(value)) }]
  })
  const ranked = scored.toSorted((a, b) => b.value - a.value)
  return ranked
    .filter(({ value }) => value >= WORTH_SAYING * ranked[0]!.value)
    .slice(0, MOST_QUOTES)
    .map(({ passage, text }) => ({ passage, text }))
}

function valueOf(
  wanted: ReadonlySet<string>,
  terms: ReadonlySet<string>,
  heading: ReadonlySet<string>,
  weight: (term: string) => number,
): number {
  let value = 0
  for (const term of wanted) {
    if (terms.has(term)) value += weight(term)
    else if (heading.has(term)) value += HEADING_WEIGHT * weight(term)
  }
  return value
}

/** Inverse document frequency, with sentences as documents. */
function rarity(sentences: readonly ReadonlySet<string>[]): (term: string) => number {
  const holding = new Map<string, number>()
  for (const terms of sentences) for (const term of terms) holding.set(term, (holding.get(term) ?? 0) + 1)
  return (term) => Math.log(1 + (sentences.length + 1) / ((holding.get(term) ?? 0) + 0.5))
}

/** The sentence and those after it, as far as they fit; the one before when it is the first. Rows stay rows. */
function quoteAt(sentences: readonly Sentence[], at: number): string {
  const from = at === 1 && sentences[0]!.text.length < LONGEST_QUOTE / 2 ? 0 : at
  let quote = sentences[from]!.text
  for (const { text } of sentences.slice(from + 1)) {
    if (quote.length + text.length >= LONGEST_QUOTE) break
    quote = `${quote}${LINE.test(text) ? '\n' : ' '}${text}`
  }
  return quote.length <= LONGEST_QUOTE ? quote : `${quote.slice(0, LONGEST_QUOTE).replace(/\s+\S*$/, '')} …`
}

/** Stands on a line of its own: an item of a list, a row of a table. */
const LINE = /^(?:[-•*]|\d+[.)])\s|\|/

/** Sentences of prose, lines of lists, rows of tables. The heading, by which the passage is called already, is left out. */
function sentencesOf({ text, kind, section = '' }: HitInContext['chunk']): Sentence[] {
  const headings = new Set(section.split(' › '))
  const lines = text.split('\n').flatMap((line) => {
    const bare = line.replace(/^#{1,6}\s+/, '').trim()
    return bare === '' || headings.has(bare) ? [] : [bare]
  })
  const parts = kind === 'table' ? lines : joined(lines).flatMap((line) => line.split(SENTENCE_END))
  return parts.map((part) => ({ text: part.trim(), terms: new Set(termsOf(tokens(part))) }))
}

/** Behind a full stop that ends no ordinal and no initial. */
const SENTENCE_END = /(?<=[^\s\d.][.!?…]["”’)]?)\s+(?=[\p{Lu}\d"“(])/u

/** Lines that only a page was too narrow for belong to one sentence; those of lists and tables stand for themselves. */
function joined(lines: readonly string[]): string[] {
  const paragraphs: string[] = []
  for (const line of lines) {
    const before = paragraphs.at(-1)
    const goesOn = before !== undefined && !/[.!?:;|]$/.test(before) && !LINE.test(line)
    if (goesOn && before.length > 60) paragraphs[paragraphs.length - 1] = `${before} ${line}`
    else paragraphs.push(line)
  }
  return paragraphs
}
