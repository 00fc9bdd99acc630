import type { FigureCheck } from '../core/check.ts'
import { combineFigures, deriveFromNamed, deriveFromTable, groupsOf, sumOf, type Take } from './derivations.ts'
import { evidenceNumbers, wordsOf, type Evidence, type NumberTable } from './evidence.ts'
import { writtenNumbers, type Reading, type WrittenNumber } from './numbers.ts'

/** What a sentence may divide or multiply by without naming it: periods and units. */
const CONSTANTS = [4, 7, 12, 24, 30, 52, 60, 100, 365, 1_000]
const MIN_SIGNIFICANT_DIGITS = 3
/** Numbers up to this may be typed into a computation without a source: factors, rates, how many of something. */
const MAX_FACTOR = 12
/** Ratios up to this are looked up in cells, too: 0.25 stands for 25 %. */
const MAX_RATIO_CELL = 10
/** Per sentence, for linear time. */
const MAX_NAMED_ROWS = 12
const MAX_OPERANDS = 14
/** Rows under one name, and words of one name. */
const MAX_ROWS_PER_NAME = 8
const MAX_NAME_WORDS = 5
const MAX_SOURCES = 5
/** Sentences whose figures and names one may refer to. */
const CONTEXT_SENTENCES = 2
/** Of each sentence and of the question, those that others may follow from. */
const MAX_CONTEXT_FIGURES = 40
const MAX_QUESTION_CHARS = 4_000
/** A figure may follow from one that was derived in the round before. */
const MAX_ROUNDS = 4
const MAX_NAMED_TABLES = 12
const MAX_GROUPED_TABLES = 100

interface Sentence {
  readonly text: string
  readonly figures: readonly WrittenNumber[]
}

type Status = FigureCheck['status']
type NamedRows = readonly [table: NumberTable, rows: readonly number[]]

/**
 * The figures of an answer, each with its support. Whole numbers of fewer than three significant digits without support are left out.
 * The time is linear in the lengths of answer and evidence.
 * @param question whose names and numbers may be meant, also where the answer does not repeat them
 */
export function checkFigures(answer: string, question: string, evidence: readonly Evidence[]): readonly FigureCheck[] {
  const sentences = sentencesOf(answer)
  if (sentences.every(({ figures }) => figures.length === 0)) return []
  const support = new Support(withoutInvented([{ value: question }, ...evidence]))
  const words = question.slice(0, MAX_QUESTION_CHARS)
  const asked: Sentence = { text: words, figures: writtenNumbers(words) }
  return sentences.flatMap((sentence, i) => {
    const context = [sentence, ...sentences.slice(Math.max(0, i - CONTEXT_SENTENCES), i), asked]
    return checkSentence(sentence, context, support)
  })
}

function checkSentence({ figures }: Sentence, context: readonly Sentence[], support: Support): readonly FigureCheck[] {
  const known = new Map<WrittenNumber, Status>()
  for (const figure of figures) {
    const status = support.statusOf(figure)
    if (status !== undefined) known.set(figure, status)
  }
  // A figure that was derived is an operand of the next one.
  const named = known.size < figures.length ? support.namedIn(context) : []
  const nearby = context.flatMap((sentence) => sentence.figures.slice(0, MAX_CONTEXT_FIGURES))
  for (let before = -1, round = 0; before < known.size && round < MAX_ROUNDS; round++) {
    before = known.size
    for (const figure of figures) {
      if (!known.has(figure) && isDerived(figure, nearby, named, known, support)) known.set(figure, 'derived')
    }
  }
  return figures.flatMap((figure) => {
    const { start, end, text } = figure
    const status = known.get(figure) ?? (isChecked(figure) ? 'not_found' : undefined)
    if (status === undefined) return []
    const sources = status === 'found' ? support.sourcesOf(figure) : []
    return [{ start, end, text, status, ...(sources.length === 0 ? {} : { sources }) }]
  })
}

/** Without what was computed from numbers that stand nowhere: a model can type anything into a calculation. */
function withoutInvented(evidence: readonly Evidence[]): readonly Evidence[] {
  if (evidence.every(({ input }) => input === undefined)) return evidence
  const known = evidence.filter(({ input }) => input === undefined)
  const support = new Support(known)
  const hasResults = known.some(({ sources }) => sources !== undefined)
  const isFree = ({ significantDigits: digits, readings: [first] }: WrittenNumber): boolean =>
    first!.value <= MAX_FACTOR || CONSTANTS.includes(first!.value) || (hasResults && digits < MIN_SIGNIFICANT_DIGITS)
  const computed: Evidence[] = []
  for (const one of evidence.filter(({ input }) => input !== undefined)) {
    const earlier = new Support(computed)
    const operands = writtenNumbers(JSON.stringify(one.input).replaceAll(/[[\],]/g, ';'))
    const isKnown = (operand: WrittenNumber): boolean =>
      isFree(operand) || support.statusOf(operand) !== undefined || earlier.statusOf(operand) !== undefined
    if (operands.every(isKnown)) computed.push(one)
  }
  return [...known, ...computed]
}

/** Fewer digits say too little to hold against an answer. */
function isChecked({ significantDigits, hasDecimals }: WrittenNumber): boolean {
  return significantDigits >= MIN_SIGNIFICANT_DIGITS || hasDecimals
}

function isDerived(
  figure: WrittenNumber,
  nearby: readonly WrittenNumber[],
  named: readonly NamedRows[],
  known: ReadonlyMap<WrittenNumber, Status>,
  support: Support,
): boolean {
  let isHit = false
  const take: Take = (value, isRatio) => {
    isHit ||= isValueOf(value, figure, isRatio)
  }
  const operands = nearby
    .filter((other) => other !== figure)
    .flatMap((other) => {
      const isKnown = known.has(other) || support.statusOf(other) !== undefined
      return isKnown || !isChecked(other) ? [{ value: other.readings[0]!.value, isKnown }] : []
    })
    .slice(0, MAX_OPERANDS)
  for (const [i, a] of operands.entries()) {
    for (const b of operands.slice(0, i)) if (a.isKnown || b.isKnown) combineFigures(a.value, b.value, take)
    for (const constant of a.isKnown ? CONSTANTS : []) {
      take(a.value / constant, false)
      take(a.value * constant, false)
    }
  }
  const values = operands.map(({ value }) => value)
  if (operands.some(({ isKnown }) => isKnown)) take(sumOf(values), false)
  if (isHit) return true
  for (const [table, rows] of named) deriveFromNamed(table, rows, values, take)
  return isHit
}

function isValueOf(value: number, { readings }: WrittenNumber, isRatio: boolean): boolean {
  return readings.some((reading) => {
    const [low, high] = boundsOf(reading)
    return (value >= low && value <= high) || (isRatio && value * 100 >= low && value * 100 <= high)
  })
}

/** Rounded or cut off at the last written place. */
function boundsOf({ value, unit }: Reading): readonly [low: number, high: number] {
  const tolerance = value * 1e-9
  return [value - unit * 0.5 - tolerance, value + unit * 0.5 + tolerance]
}

/** The values of the evidence and what follows from its tables, ordered for look-ups. */
class Support {
  private readonly evidence: readonly Evidence[]
  private readonly found: Lookup
  private readonly small: Lookup
  private readonly tables: readonly NumberTable[]
  private readonly statuses = new Map<WrittenNumber, Status | undefined>()
  private amounts: Lookup | undefined
  private ratios: Lookup | undefined
  private names: ReadonlyMap<string, readonly (readonly [NumberTable, number])[]> | undefined

  constructor(evidence: readonly Evidence[]) {
    this.evidence = evidence
    const { values, tables } = evidenceNumbers(evidence)
    this.found = new Lookup(values)
    this.small = new Lookup(values.filter(([value]) => value <= MAX_RATIO_CELL).map(([value, at]) => [value * 100, at]))
    let left = MAX_GROUPED_TABLES
    this.tables = tables.flatMap((table) => {
      const groups = left > 0 ? groupsOf(table) : []
      left -= groups.length
      return [table, ...groups]
    })
  }

  statusOf(figure: WrittenNumber): Status | undefined {
    if (!this.statuses.has(figure)) this.statuses.set(figure, this.lookUp(figure))
    return this.statuses.get(figure)
  }

  private lookUp(figure: WrittenNumber): Status | undefined {
    const places = this.placesOf(figure)
    if (places.length > 0) return places.every((at) => this.evidence[at]!.isComputed === true) ? 'derived' : 'found'
    if (this.amounts === undefined) this.derive()
    const isKnown = [...figure.readings, ...figure.scaled].some(
      (reading) =>
        this.amounts!.has(reading) ||
        this.ratios!.has(reading) ||
        this.ratios!.has({ value: reading.value / 100, unit: reading.unit / 100 }),
    )
    return isKnown ? 'derived' : undefined
  }

  sourcesOf(figure: WrittenNumber): readonly string[] {
    const ids = this.placesOf(figure).flatMap((at) => this.evidence[at]!.sources ?? [])
    return [...new Set(ids)].slice(0, MAX_SOURCES)
  }

  private placesOf({ readings, scaled }: WrittenNumber): readonly number[] {
    for (const reading of readings) {
      const places = [...this.found.at(reading), ...this.small.at(reading)]
      if (places.length > 0) return places
    }
    return scaled.flatMap((reading) => this.found.at(reading))
  }

  /** Rows that these sentences name, by table. */
  namedIn(sentences: readonly Sentence[]): readonly NamedRows[] {
    this.names ??= namesOf(this.tables)
    const named = new Map<NumberTable, Set<number>>()
    for (const { text } of sentences) {
      const words = wordsOf(text)
      for (let from = 0; from < words.length; from++) {
        for (let to = from + 1; to <= Math.min(words.length, from + MAX_NAME_WORDS); to++) {
          for (const [table, row] of this.names.get(words.slice(from, to).join(' ')) ?? []) {
            const rows = named.get(table) ?? new Set()
            if (rows.size < MAX_NAMED_ROWS) rows.add(row)
            if (named.size < MAX_NAMED_TABLES) named.set(table, rows)
          }
        }
      }
    }
    return [...named].map(([table, rows]) => [table, [...rows]])
  }

  private derive(): void {
    const [amounts, ratios]: [[number, number][], [number, number][]] = [[], []]
    const take: Take = (value, isRatio) => {
      if (value > 0 && value < Infinity) (isRatio ? ratios : amounts).push([value, 0])
    }
    for (const table of this.tables) deriveFromTable(table, take)
    this.amounts = new Lookup(amounts)
    this.ratios = new Lookup(ratios)
  }
}

function namesOf(tables: readonly NumberTable[]): ReadonlyMap<string, readonly (readonly [NumberTable, number])[]> {
  const rows = new Map<string, (readonly [NumberTable, number])[]>()
  for (const table of tables) {
    for (const [row, names] of table.names.entries()) {
      for (const name of names) {
        const known = rows.get(name) ?? []
        if (name !== '' && known.length < MAX_ROWS_PER_NAME) rows.set(name, [...known, [table, row]])
      }
    }
  }
  return rows
}

/** Numbers in ascending order, each with the place of its evidence. */
class Lookup {
  private readonly values: Float64Array
  private readonly places: Uint32Array

  constructor(entries: readonly (readonly [value: number, place: number])[]) {
    const sorted = entries.toSorted(([a], [b]) => a - b)
    this.values = Float64Array.from(sorted, ([value]) => value)
    this.places = Uint32Array.from(sorted, ([, place]) => place)
  }

  has(reading: Reading): boolean {
    const [low, high] = boundsOf(reading)
    return this.values[this.firstFrom(low)]! <= high
  }

  at(reading: Reading): readonly number[] {
    const [low, high] = boundsOf(reading)
    const places = new Set<number>()
    for (let i = this.firstFrom(low); this.values[i]! <= high && places.size < MAX_SOURCES; i++)
      places.add(this.places[i]!)
    return [...places]
  }

  private firstFrom(low: number): number {
    let [from, to] = [0, this.values.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.values[middle]! < low) from = middle + 1
      else to = middle
    }
    return from
  }
}

/** Ends of sentences: of lines, and marks with a space behind them. “Nr. 5” is cut in two, which leaves a smaller context. */
function sentencesOf(text: string): Sentence[] {
  const figures = writtenNumbers(text)
  const sentences: Sentence[] = []
  let next = 0
  for (const { 0: sentence, index } of text.matchAll(/[^\n.!?]+(?:[.!?](?!\s)[^\n.!?]*)*[.!?]*\n*|[\n.!?]+/g)) {
    const first = next
    while (next < figures.length && figures[next]!.start < index + sentence.length) next++
    sentences.push({ text: sentence, figures: figures.slice(first, next) })
  }
  return sentences
}
