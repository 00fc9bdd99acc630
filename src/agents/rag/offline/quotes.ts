import { cutAtWord } from '../../../core/outside.ts'
import type { HitInContext } from '../../../knowledge/search/neighbours.ts'
import { withoutFileNames } from '../../../knowledge/search/derive-filter.ts'
import { ENGLISH, type Words } from '../../../knowledge/search/languages.ts'
import { lastHeadingOf, likeness } from '../../../knowledge/search/rerank.ts'
import { NEGATION } from '../../../language/negation.ts'
import { asksForKind, evidenceOf, kindFactor, otherFactor, wantedOf, type Wanted } from './evidence.ts'
import { NEGATION_ELSEWHERE, YES_OR_NO_ELSEWHERE } from './other-languages.ts'
import { columnsOf, LINE, openingLineOf, partsOf, type Sentence } from './parts.ts'
import { rowsInWords } from './rows.ts'

/** Characters of one quote, and how many quotes an answer has at most. */
const LONGEST_QUOTE = 500
const LONGEST_SENTENCE = 1_200
const MOST_QUOTES = 3
/** Of passages beyond those, which say no. */
const MOST_DENIALS = 2
/** A further quote must be this good, next to the best one. */
const WORTH_SAYING = 0.6
/** A section's heading speaks for every sentence below it, but less than their own words. */
const HEADING_WEIGHT = 0.6

/** A heading that is the question itself says that all below it is the answer. */
const HEADING_MATCH = 0.5

/** Rows of a table that are quoted together must be this good, next to the best of them. */
const WORTH_A_ROW = 0.8

/** A stretch of a passage that answers, in the document's own words. */
export interface Quote {
  /** Place of the passage in the list. */
  readonly passage: number
  readonly text: string
  /** Where what answers begins in the passage. */
  readonly at: number
  /** How well it seems to answer, 0 to 1; see `ENOUGH_EVIDENCE`. */
  readonly evidence: number
}

interface Passage {
  readonly sentences: readonly Sentence[]
  /** Of the document's name, the section's headings and, in a table, its columns. */
  readonly heading: ReadonlySet<string>
  /** The first row of a table, if it names the columns; it may stand in another passage. */
  readonly columns?: string | undefined
  /** The line that the document begins with, if it is a title. */
  readonly opening?: string | undefined
  readonly isTable: boolean
  readonly documentId: string
  /** Of the document's name. */
  readonly title: ReadonlySet<string>
  readonly isOpening: boolean
  /** Of the heading right above it. */
  readonly lastHeading: ReadonlySet<string>
  /** Of all that it says. */
  readonly terms: ReadonlySet<string>
}

/**
 * What the passages say to a question, without a model: from each passage the sentences that hold most of the question's
 * words, weighted by how rare they are among the passages, with what follows them. Best first.
 */
export function quotesFor(asked: string, hits: readonly HitInContext[], words: Words = ENGLISH): Quote[] {
  const question = withoutFileNames(
    asked,
    hits.map(({ document }) => document.name),
  )
  const openings = new Map(hits.flatMap((hit) => openingLineOf(hit)))
  const passages = hits.map((hit) => passageOf(hit, hits, openings.get(hit.document.documentId), words))
  const isYesOrNo = (words.language === undefined ? YES_OR_NO : YES_OR_NO_ELSEWHERE).test(question)
  const wanted = wantedOf(question, new Set(passages.flatMap(({ title }) => [...title])), words)
  // A word in every heading, such as the document's title, tells no passage from another.
  const weight = rarity(
    passages.flatMap(({ heading, sentences }) => sentences.map(({ terms }) => new Set([...terms, ...heading]))),
  )
  const scored = passages.flatMap((passage, place) => {
    const asHeading = 1 + HEADING_MATCH * likeness(passage.lastHeading, wanted.terms)
    const values = passage.sentences.map(
      (one) =>
        asHeading *
        kindFactor(wanted, one.text) *
        otherFactor(wanted, one.text) *
        valueOf(wanted.terms, one, passage, weight),
    )
    const value = Math.max(0, ...values)
    if (value === 0) return []
    const at = values.indexOf(value)
    const best = passage.sentences[at]!
    const whole = passage.isTable ? rowsOf(passage, values) : quoteAt(passage.sentences, at)
    const isStrict = !passage.isTable && isYesOrNo
    const text = isStrict ? [whole, ...denials(passage.sentences, values, whole)].join(' … ') : whole
    const isBrief = !passage.isTable && !isStrict && asksForKind(wanted) && asHeading < 1 + HEADING_MATCH / 2
    const shown = isBrief ? quoteAt(passage.sentences, at, wanted) : text
    const same = passages.filter(({ documentId }) => documentId === passage.documentId)
    const next = passage.sentences[at + 1]?.text ?? ''
    const held = {
      said: passage.isTable ? text : `${best.text}${POINTS_BACK.test(next) ? ` ${next}` : ''}`,
      around: passage.sentences.map((one) => one.text).join(' '),
      places: [shown, hits[place]!.chunk.section ?? '', passage.opening ?? '', hits[place]!.document.name],
      // What stands beside the sentence cannot make it a yes or a no.
      quote: isStrict ? best.terms : new Set(words.terms(text)),
      heading: passage.heading,
      passage: passage.terms,
      // With its title, which may be all that stands there.
      opening: new Set(same.flatMap(({ isOpening, terms, heading }) => (isOpening ? [...terms, ...heading] : []))),
      document: new Set(same.flatMap(({ terms }) => [...terms])),
    }
    const isCutOff = isStrict && best.text.length > LONGEST_SENTENCE
    const evidence = isCutOff ? 0 : evidenceOf(wanted, held, weight)
    return [
      {
        passage: place,
        value,
        sentences: passage.sentences,
        values,
        text: inWords(passage, shown),
        at: best.at,
        evidence,
      },
    ]
  })
  const ranked = scored.toSorted((a, b) => b.value - a.value)
  const [first] = ranked
  if (first === undefined) return []
  const told = ranked.filter(({ value }) => value >= WORTH_SAYING * first.value).slice(0, MOST_QUOTES)
  const quotes = told.map(({ passage, text, at, evidence }) => ({ passage, text, at, evidence }))
  return isYesOrNo ? [...quotes, ...elsewhereDenied(ranked, quotes, first)] : quotes
}

/** Another passage that speaks of the same and says no belongs to the answer, however far it stands; as sure as that is. */
function elsewhereDenied(
  ranked: readonly {
    readonly passage: number
    readonly sentences: readonly Sentence[]
    readonly values: readonly number[]
  }[],
  quotes: readonly Quote[],
  { value, evidence }: { readonly value: number; readonly evidence: number },
): Quote[] {
  const others = ranked.filter(({ passage }) => !quotes.some((quote) => quote.passage === passage))
  return others
    .flatMap(({ passage, sentences, values }) => {
      const denied = sentences.filter(({ text }, at) => values[at]! >= value / 2 && isNegative(text))
      return denied.length === 0 ? [] : [{ passage, ...denialOf(denied), evidence }]
    })
    .slice(0, MOST_DENIALS)
}

/** Rows of a table as a person would say them. */
function inWords({ isTable, sentences, columns }: Passage, quote: string): string {
  const rows = sentences.map(({ text }) => text).filter((text) => text !== columns && text.includes('|'))
  return isTable ? rowsInWords(quote, rows, columns) : quote
}

function denialOf(denied: readonly Sentence[]): Pick<Quote, 'text' | 'at'> {
  return { text: cutAtWord(denied.map(({ text }) => text).join(' … '), LONGEST_QUOTE), at: denied[0]!.at }
}

function passageOf(
  { chunk, document }: HitInContext,
  hits: readonly HitInContext[],
  opening: string | undefined,
  words: Words,
): Passage {
  const isTable = chunk.kind === 'table'
  const isSameTable = ({ chunk: other, document: its }: HitInContext): boolean =>
    other.kind === 'table' && its.documentId === document.documentId && other.section === chunk.section
  const sentences = partsOf(chunk, words)
  const columns = isTable ? hits.filter(isSameTable).flatMap((hit) => columnsOf(hit) ?? [])[0] : undefined
  const name = document.name.replace(/\.[^./\\]{1,5}$/, '')
  const title = new Set(words.terms(name))
  const heading = new Set([...title, ...words.terms([chunk.section ?? '', opening ?? '', columns ?? ''].join(' '))])
  const terms = new Set(sentences.flatMap((sentence) => [...sentence.terms]))
  return {
    sentences,
    heading,
    columns,
    opening,
    isTable,
    documentId: document.documentId,
    title,
    isOpening: chunk.ordinal === 0,
    lastHeading: lastHeadingOf(chunk, words),
    terms,
  }
}

function valueOf(
  wanted: ReadonlyMap<string, number>,
  { text, terms }: Sentence,
  { heading, columns, opening }: Passage,
  weight: (term: string) => number,
): number {
  let value = 0
  for (const [term, share] of wanted) {
    if (terms.has(term) && text !== columns && text !== opening) value += share * weight(term)
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
  return cutAtWord(quote, LONGEST_QUOTE)
}

/** Inverse document frequency, with sentences as documents. */
function rarity(sentences: readonly ReadonlySet<string>[]): (term: string) => number {
  const holding = new Map<string, number>()
  for (const terms of sentences) for (const term of terms) holding.set(term, (holding.get(term) ?? 0) + 1)
  return (term) => Math.log(1 + (sentences.length + 1) / ((holding.get(term) ?? 0) + 0.5))
}

/**
 * The sentence and those after it, as far as they fit and, where it is told what is wanted, go on about that; before it what it leans on, such as the line above a list, which
 * may say that none of its items is so. Rows stay rows.
 */
function quoteAt(sentences: readonly Sentence[], at: number, wanted?: Wanted): string {
  const sentence = sentences[at]!
  let quote = [...leadOf(sentences, at), sentence].map(({ text }) => text).reduce(onward)
  for (const next of sentences.slice(at + 1)) {
    const { text } = next
    if (quote.length + text.length >= LONGEST_QUOTE) break
    if (isOverleaf(sentence, next) && !leansOn(quote, text)) break
    if (wanted !== undefined && !goesOn(quote, next, wanted)) break
    quote = onward(quote, text)
  }
  // Cut off in the middle a sentence may say the opposite.
  return cutAtWord(
    quote,
    sentence.text.length > LONGEST_SENTENCE ? LONGEST_QUOTE : Math.max(LONGEST_QUOTE, quote.length),
  )
}

function onward(quote: string, text: string): string {
  return `${quote}${LINE.test(text) ? '\n' : ' '}${text}`
}

/** Whether a quotation lacks what the next sentence says: the answer itself, a word that was asked for, a rest or an exception. */
function goesOn(quote: string, { text, terms }: Sentence, wanted: Wanted): boolean {
  if (LINE.test(text) || leansOn(quote, text)) return true
  const held = new Set(wanted.words.terms(quote))
  return kindFactor(wanted, quote) < 1 || [...wanted.terms.keys()].some((term) => terms.has(term) && !held.has(term))
}

/** Whether a sentence is nothing without what stands before it, or that is not the whole without it. */
function leansOn(quote: string, text: string): boolean {
  return /[:;]$/.test(quote) || POINTS_BACK.test(text) || isNegative(text)
}

/** A citation is of one page. */
function isOverleaf(one: Sentence, other: Sentence): boolean {
  return one.page !== other.page
}

/** Begins with a word that points back. */
const POINTS_BACK =
  /^(?:it|its|this|these|that|those|they|their|he|she|however|but|otherwise|instead|nor|neither|except|unless|then|such|both|also)\b/i

function leadOf(sentences: readonly Sentence[], at: number): readonly Sentence[] {
  const fits = (sentence: Sentence | undefined): sentence is Sentence =>
    sentence !== undefined && sentence.text.length < LONGEST_QUOTE / 2
  const before = sentences[at - 1]
  if (!LINE.test(sentences[at]!.text)) {
    const leans = POINTS_BACK.test(sentences[at]!.text)
    return fits(before) && (leans || (at === 1 && !isOverleaf(before, sentences[at]!))) ? [before] : []
  }
  const above = sentences.slice(0, at).findLast(({ text }) => !LINE.test(text))
  return fits(above) && above.text.endsWith(':') ? [above] : []
}

/** Questions that are answered by yes or no. */
const YES_OR_NO =
  /^\W*(?:(?:and|but|so|please|tell me (?:if|whether))\s+)?(?:is|are|was|were|do|does|did|can|could|may|must|should|shall|will|would|has|have|had|am)\b/i
const isNegative = (text: string): boolean => NEGATION.test(text) || NEGATION_ELSEWHERE.test(text)

/** Sentences of the passage that speak of the same and say no; a quotation without them could say the opposite. */
function denials(sentences: readonly Sentence[], values: readonly number[], quote: string): string[] {
  const best = Math.max(...values)
  return sentences.flatMap(({ text }, place) =>
    values[place]! >= best / 2 && isNegative(text) && !quote.includes(text) ? [text] : [],
  )
}
