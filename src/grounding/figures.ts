import type { FigureCheck } from '../domain/answer.ts'
import { combineFigures, deriveFromNamed, sumValues, type Take } from './derivations.ts'
import type { Evidence } from './evidence.ts'
import { writtenNumbers, type WrittenNumber } from './numbers.ts'
import { derivedBounds, derivedFrom, EvidenceIndex, operandsIn, type NamedRow, type Support } from './support.ts'

/** Factors that a sentence may use without naming them: halves and thirds, periods, units. */
const CONSTANTS = [2, 3, 4, 7, 10, 12, 24, 30, 52, 60, 100, 365, 1_000]
/** A year extrapolated from its first 1 to 11 months. */
const EXTRAPOLATIONS = Array.from({ length: 11 }, (_, i) => 12 / (i + 1))
const FACTORS = [1, ...CONSTANTS, ...CONSTANTS.map((constant) => 1 / constant), ...EXTRAPOLATIONS]
const MIN_SIGNIFICANT_DIGITS = 3
/** Numbers up to this may be typed into a computation without a source: factors, rates, how many of something. */
const MAX_FACTOR = 12
/** Per sentence, for linear time. */
const MAX_OPERANDS = 16
/** Maximum number of operands to combine with cells of a row. */
const MAX_ROW_FACTORS = 6
/** Figures of an answer's beginning that each sentence may refer to, and the sentences before and after it. */
const MAX_FIRST_FIGURES = 6
const CONTEXT_BEFORE = 4
const CONTEXT_AFTER = 2
/** Maximum number of figures of each sentence, and of the question, that other figures may be derived from. */
const MAX_CONTEXT_FIGURES = 40
const MAX_QUESTION_CHARS = 4_000
/** Maximum number of rounds: a figure may follow from one that was derived in the previous round. */
const MAX_ROUNDS = 4
/** A total may be a sum of derived figures, and other figures may follow from the total. */
const TOTAL_ROUNDS = 2

interface Sentence {
  readonly figures: readonly WrittenNumber[]
  readonly rows: readonly NamedRow[]
}

type Known = Map<WrittenNumber, Support>

/**
 * The figures of an answer, each with its support. Whole numbers of fewer than three significant digits are left out if
 * they have no support. The time is linear in the lengths of answer and evidence.
 * @param question its names and numbers may be referred to, even if the answer does not repeat them
 */
export function checkFigures(answer: string, question: string, evidence: readonly Evidence[]): readonly FigureCheck[] {
  const figures = writtenNumbers(answer)
  if (figures.length === 0) return []
  const index = new EvidenceIndex(withoutInvented([{ value: question }, ...evidence]))
  const words = question.slice(0, MAX_QUESTION_CHARS)
  const questionSentence: Sentence = { figures: writtenNumbers(words), rows: index.rowsIn(words) }
  const first: Sentence = { figures: figures.slice(0, MAX_FIRST_FIGURES), rows: [] }
  const supported: Known = new Map()
  for (const figure of [...questionSentence.figures, ...figures]) setKnown(supported, figure, index.supportOf(figure))
  const sentences = sentencesOf(answer, figures, index)
  for (let round = 0; round < TOTAL_ROUNDS; round++) {
    const totals = totalsOf(answer, figures, supported)
    for (const figure of figures) setKnown(supported, figure, supported.get(figure) ?? derivedFrom(totals, figure))
    for (const [i, sentence] of sentences.entries()) {
      if (sentence.figures.every((figure) => supported.has(figure))) continue
      const before = sentences.slice(Math.max(0, i - CONTEXT_BEFORE), i).toReversed()
      const following = sentences.slice(i + 1, i + 1 + CONTEXT_AFTER)
      const nearbyRows = [sentence, ...before.slice(0, 2), questionSentence].flatMap(({ rows }) => rows)
      const context = [sentence, ...before.slice(0, 1), first, questionSentence, ...following, ...before]
      deriveFigures(context, [sentence.rows, nearbyRows], index.computed, supported)
    }
  }
  return figures.flatMap((figure) => {
    const { start, end, text } = figure
    const { status = 'not_found', sources = [] } = supported.get(figure) ?? {}
    if (status === 'not_found' && !isChecked(figure)) return []
    // A number with few digits occurs in many places, so its source is ambiguous.
    const isFound = status === 'found' && isChecked(figure) && sources.length > 0
    return [{ start, end, text, status, ...(isFound ? { sources } : {}) }]
  })
}

function setKnown(known: Known, figure: WrittenNumber, support: Support | undefined): void {
  if (support !== undefined) known.set(figure, support)
}

/** Excludes computations from numbers without a source, since a model can enter any number into a calculation. */
function withoutInvented(evidence: readonly Evidence[]): readonly Evidence[] {
  const results = evidence.filter(({ input }) => input === undefined)
  if (results.length === evidence.length) return evidence
  const index = new EvidenceIndex(results)
  const computed: Evidence[] = []
  for (const one of evidence.filter(({ input }) => input !== undefined)) {
    const operands = operandsIn(one)
    const earlier = new EvidenceIndex(computed)
    const isKnown = (operand: WrittenNumber): boolean =>
      (index.supportOf(operand) ?? earlier.supportOf(operand)) !== undefined
    const isFree = ({ significantDigits: digits, readings: [first] }: WrittenNumber): boolean =>
      first!.value <= MAX_FACTOR ||
      CONSTANTS.includes(first!.value) ||
      (digits < MIN_SIGNIFICANT_DIGITS && operands.some(isKnown))
    if (operands.every((operand) => isFree(operand) || isKnown(operand))) computed.push(one)
  }
  return [...results, ...computed]
}

/** Numbers with fewer digits are too common to be marked as missing; constants need no source. */
function isChecked({ significantDigits, hasDecimals, readings: [first] }: WrittenNumber): boolean {
  return hasDecimals || (significantDigits >= MIN_SIGNIFICANT_DIGITS && !CONSTANTS.includes(first!.value))
}

/** Adds the figures of the first sentence that follow from figures around it, values of computations, and rows that it names. */
function deriveFigures(
  context: readonly Sentence[],
  named: readonly (readonly NamedRow[])[],
  computed: readonly number[],
  known: Known,
): void {
  const nearby = [...new Set(context.flatMap(({ figures }) => figures.slice(0, MAX_CONTEXT_FIGURES)))]
  let open = context[0]!.figures.flatMap((figure) =>
    figure.readings.map((one) => [figure, ...derivedBounds(one)] as const),
  )
  const take: Take = (value, isRatio) => {
    for (const [figure, low, high] of open) {
      if (value >= low && value <= high) known.set(figure, { status: 'derived', value, sources: [] })
      else if (isRatio && value * 100 >= low && value * 100 <= high) take(value * 100, false)
    }
  }
  for (let before = -1, round = 0; before < known.size && round < MAX_ROUNDS; round++) {
    before = known.size
    open = open.filter(([figure]) => !known.has(figure))
    const operands = nearby.filter((one) => known.has(one) || !isChecked(one)).slice(0, MAX_OPERANDS)
    const isKnown = [...operands.map((one) => known.has(one)), ...computed.map(() => true)]
    const written = operands.map(({ readings }) => readings[0]!.value)
    const exact = operands.map((one, i) => (isChecked(one) ? known.get(one)!.value : written[i]!))
    for (const values of written.every((value, i) => value === exact[i]) ? [exact] : [exact, written]) {
      if (isKnown.includes(true)) take(sumValues(values), false)
      const all = [...values, ...computed]
      for (const [i, a] of all.entries()) {
        for (let j = 0; j < i; j++) if (isKnown[i] === true || isKnown[j] === true) combineFigures(a, all[j]!, take)
        if (isKnown[i] === true) for (const value of [100 - a, ...FACTORS.map((by) => a * by)]) take(value, false)
      }
    }
    if (before < known.size) continue
    for (const rows of named) deriveFromNamed(rows, exact.slice(0, MAX_ROW_FACTORS), take)
  }
}

/** Sums of the columns of an answer's own lists and tables: of figures that are known, from the first line on. */
function totalsOf(answer: string, figures: readonly WrittenNumber[], known: Known): Float64Array {
  const totals: number[] = []
  let sums = new Map<string, readonly [written: number, exact: number]>()
  let [at, next] = [0, 0]
  for (const line of answer.split('\n')) {
    if (!/^\s*(?:[-*+|]|\d+[.)])/.test(line) || /^[\s|:-]+$/.test(line)) sums = new Map()
    for (const [column, cell] of line.split('|').entries()) {
      at += cell.length + 1
      for (let place = 0; next < figures.length && figures[next]!.start < at; place++, next++) {
        const { readings } = figures[next]!
        const exact = known.get(figures[next]!)?.value
        if (exact === undefined) continue
        const [sum, exactSum] = sums.get(`${column} ${place}`) ?? [0, 0]
        sums.set(`${column} ${place}`, [sum + readings[0]!.value, exactSum + exact])
        totals.push(sum + readings[0]!.value, exactSum + exact)
      }
    }
  }
  return Float64Array.from(totals).sort()
}

/** Ends of sentences: of lines, and marks with a space behind them. “Nr. 5” is cut in two, which leaves a smaller context. */
function sentencesOf(text: string, figures: readonly WrittenNumber[], evidence: EvidenceIndex): Sentence[] {
  const sentences: Sentence[] = []
  let next = 0
  for (const { 0: sentence, index } of text.matchAll(/[^\n.!?]+(?:[.!?](?!\s)[^\n.!?]*)*[.!?]*\n*|[\n.!?]+/g)) {
    const start = next
    while (next < figures.length && figures[next]!.start < index + sentence.length) next++
    const rows = evidence.rowsIn(sentence)
    if (next > start || rows.length > 0) sentences.push({ figures: figures.slice(start, next), rows })
  }
  return sentences
}
