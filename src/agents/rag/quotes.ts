import type { HitInContext } from '../../knowledge/search/neighbours.ts'
import { searchTerms, termsOf, tokens } from '../../knowledge/search/analysis.ts'

/** Characters of one quote, and how many quotes an answer has at most. */
const LONGEST_QUOTE = 500
const MOST_QUOTES = 3
/** A further quote must be this good, next to the best one. */
const WORTH_SAYING = 0.6
/** A section's heading speaks for every sentence below it, but less than their own words. */
const HEADING_WEIGHT = 0.6

/** Rows of a table that are quoted together must be this good, next to the best of them. */
const WORTH_A_ROW = 0.8

/** Stems of words that say how something is asked, rather than what. */
const ASKING = new Set(
  searchTerms('say says tell state states mention document documents describe must may might shall need get gets'),
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

interface Passage {
  readonly sentences: readonly Sentence[]
  /** Of the document's name, the section's headings and, in a table, its columns. */
  readonly heading: ReadonlySet<string>
  /** The first row of a table, if it names the columns; it may stand in another passage. */
  readonly columns?: string | undefined
  readonly isTable: boolean
}

/**
 * What the passages say to a question, without a model: from each passage the sentences that hold most of the question's
 * words, weighted by how rare they are among the passages, with what follows them. Best first.
 */
export function quotesFor(question: string, hits: readonly HitInContext[]): Quote[] {
  const wanted = wantedTerms(question)
  const passages = hits.map((hit) => passageOf(hit, hits))
  // A word in every heading, such as the document's title, tells no passage from another.
  const weight = rarity(
    passages.flatMap(({ heading, sentences }) => sentences.map(({ terms }) => new Set([...terms, ...heading]))),
  )
  const scored = passages.flatMap((passage, place) => {
    const values = passage.sentences.map((sentence) => valueOf(wanted, sentence, passage, weight))
    const value = Math.max(0, ...values)
    if (value === 0) return []
    return [
      {
        passage: place,
        value,
        text: passage.isTable ? rowsOf(passage, values) : quoteAt(passage.sentences, values.indexOf(value)),
      },
    ]
  })
  const ranked = scored.toSorted((a, b) => b.value - a.value)
  return ranked
    .filter(({ value }) => value >= WORTH_SAYING * ranked[0]!.value)
    .slice(0, MOST_QUOTES)
    .map(({ passage, text }) => ({ passage, text }))
}

/** The question's terms with their shares: all words of a name together count as one. */
function wantedTerms(question: string): ReadonlyMap<string, number> {
  const terms = searchTerms(question.replace(/\bhow\s+(?:much|many)\b/gi, ' ')).filter((term) => !ASKING.has(term))
  const wanted = new Map<string, number>(terms.map((term) => [term, 1]))
  for (const [name] of question.matchAll(NAME)) {
    const parts = searchTerms(name).filter((term) => wanted.has(term))
    for (const part of parts) wanted.set(part, 1 / parts.length)
  }
  return wanted
}

/** Words that are written large, one behind the other. */
const NAME = /\p{Lu}[\p{L}\p{N}’'-]*(?:\s+\p{Lu}[\p{L}\p{N}’'-]*)+/gu

function passageOf({ chunk, document }: HitInContext, hits: readonly HitInContext[]): Passage {
  const isTable = chunk.kind === 'table'
  const isSameTable = ({ chunk: other, document: its }: HitInContext): boolean =>
    other.kind === 'table' && its.documentId === document.documentId && other.section === chunk.section
  const sentences = sentencesOf(chunk)
  const columns = isTable ? hits.filter(isSameTable).flatMap((hit) => columnsOf(hit) ?? [])[0] : undefined
  const name = document.name.replace(/\.[^./\\]{1,5}$/, '')
  const words = tokens([name, chunk.section ?? '', columns ?? ''].join(' '))
  return { sentences, heading: new Set(termsOf(words)), columns, isTable }
}

/** A first row without any figure names the columns. */
function columnsOf({ chunk }: HitInContext): string | undefined {
  const first = sentencesOf(chunk).find(({ text }) => text.includes('|'))?.text
  return first === undefined || /\d/.test(first) ? undefined : first
}

function valueOf(
  wanted: ReadonlyMap<string, number>,
  { text, terms }: Sentence,
  { heading, columns }: Passage,
  weight: (term: string) => number,
): number {
  let value = 0
  for (const [term, share] of wanted) {
    if (terms.has(term) && text !== columns) value += share * weight(term)
    else if (heading.has(term)) value += HEADING_WEIGHT * share * weight(term)
  }
  return value
}

/** The best rows in their order, below the names of the columns; prose around a table is quoted as prose. */
function rowsOf({ sentences, columns }: Passage, values: readonly number[]): string {
  const best = Math.max(...values)
  const isRow = ({ text }: Sentence): boolean => text.includes('|') && text !== columns
  const rows = sentences.filter((sentence, place) => isRow(sentence) && values[place]! >= WORTH_A_ROW * best)
  if (rows.length === 0) return quoteAt(sentences, values.indexOf(best))
  let quote = [columns, rows[0]!.text].filter((line) => line !== undefined).join('\n')
  for (const { text } of rows.slice(1)) {
    if (quote.length + text.length >= LONGEST_QUOTE) break
    quote += `\n${text}`
  }
  return cut(quote)
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
  return cut(quote)
}

function cut(quote: string): string {
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
