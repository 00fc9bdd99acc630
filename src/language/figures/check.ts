import type { Evidence } from './evidence.ts'
import { turnedBounds } from './bounds.ts'
import { deniedIn, opposites, turnedDenials } from './denials.ts'
import { isSaidOfOther } from './elsewhere.ts'
import { hasCount, holds, ofUnit } from './derive.ts'
import { Claimed } from './claimed.ts'
import { wrongBases } from './bases.ts'
import { extremesIn } from './extremes.ts'
import { linesAfter, NO_LINES, type Lines } from './lines.ts'
import { RowsNamed } from './labels.ts'
import { turnedRound, unsaidNames } from './names.ts'
import { wrongPairs } from './pairs.ts'
import { exact, negative, sharpened, type Reading } from './printed.ts'
import { figuresIn, listNumberOf, type DateFigure, type Figure, type NumberFigure } from './read.ts'
import { arePointsApart } from './points.ts'
import { wrongQuantities } from './quantified.ts'
import { ratiosOf } from './ratios.ts'
import { wrongComparisons, wrongRanks } from './relations.ts'
import { ofRows } from './rows.ts'
import { wrongTrends } from './trends.ts'
import { inUnit, RATIO, THINGS, unitOfColumn, type Unit } from './units.ts'

/** What an answer is held against. */
export interface Grounds {
  /** What every sentence may rest on: the question, the profile, the conversation, what is known of the day. */
  readonly common: Evidence
  /** What was found, source by source. */
  readonly found: readonly Evidence[]
  /** Whether commas are decimal in the answer; absent: told from its text. */
  readonly decimalComma?: boolean
}

/** Figures of the sentence before still count as said. */
export interface Said {
  readonly values: readonly Quantity[]
  /** The list number that came last. */
  readonly listNumber?: number
  /** What headings and the sentences before say of those behind them. */
  readonly lines?: Lines
}

interface Quantity {
  readonly value: number
  readonly unit?: Unit
}

export interface Checked {
  /** As printed, in their order; none: all stands somewhere. */
  readonly unfounded: readonly string[]
  readonly said: Said
  /** The figures, without those of the question and the like. */
  readonly figures: readonly Figure[]
}

export const NOTHING_SAID: Said = { values: [] }

/**
 * Holds one sentence of an answer against what it may rest on: each number, date and quoted name must stand there, after
 * rounding, in whatever form, or follow from the tables, or from the figures beside it by one step of arithmetic.
 */
export function checkSentence(sentence: string, grounds: Grounds, before: Said = NOTHING_SAID): Checked {
  const { common, found, decimalComma } = grounds
  const { listNumber = 0, lines = NO_LINES } = before
  if (!/[\p{L}\p{N}]/u.test(sentence)) return { unfounded: [], said: { values: [], listNumber, lines }, figures: [] }
  if (sentence.length > LONGEST_SENTENCE) return tooLong(sentence, listNumber)
  const figures = figuresIn(sentence, { listNumber, ...(decimalComma === undefined ? {} : { decimalComma }) })
  if (figures.length > MOST_FIGURES) return tooLong(sentence, listNumber)
  const all = [common, ...found]
  const named = found.flatMap(({ tables }) => tables.map((table) => new RowsNamed(table, sentence, figures, lines)))
  const claimed = named.map((rows) => new Claimed(rows, figures, lines, common))
  const rowsTold = named.map((rows) => (figure: NumberFigure) => rows.isOfOther(figure))
  const daysTold = named.map((rows) => (figure: DateFigure) => rows.isDayOfOther(figure))
  const claimsTold = claimed.map((one) => (figure: NumberFigure) => one.isOther(figure))
  const values = new Map<Figure, Quantity>()
  const open = new Set<Figure>()
  const swapped = new Set<Figure>()
  for (const figure of figures) {
    const isApart =
      figure.kind === 'number' && figure.isPoints === true ? arePointsApart(figure, figures, named) : undefined
    if (isApart === false) swapped.add(figure)
    if (isApart !== undefined) {
      if (!isApart) open.add(figure)
      continue
    }
    const isSwapped =
      figure.kind === 'number'
        ? isOther(rowsTold, figure) || isOther(claimsTold, figure)
        : figure.kind === 'date' && isOther(daysTold, figure)
    // What the question itself says may be repeated of anything.
    if (isSwapped) swapped.add(figure)
    const holding = (isSwapped ? [common] : all).filter((evidence) => evidence.find(figure, sentence) !== undefined)
    const isElsewhere = holding.length > 0 && holding.every((one) => isSaidOfOther(figure, sentence, one))
    if (isElsewhere) swapped.add(figure)
    const place = isElsewhere ? undefined : holding[0]?.find(figure, sentence)
    if (place === undefined) open.add(figure)
    else if (place.value !== undefined) values.set(figure, quantity(place.value, figure))
  }
  // What was worked out is something to go on with: first the total, then a share of it.
  for (let [round, before_] = [0, -1]; before_ !== open.size && round < MOST_ROUNDS; round++) {
    before_ = open.size
    for (const figure of open) {
      if (figure.kind !== 'number' || swapped.has(figure)) continue
      const value = derive(figure, sentence, grounds, named, [...values.values(), ...before.values])
      if (value === undefined) continue
      open.delete(figure)
      values.set(figure, quantity(value, figure))
    }
  }
  return {
    unfounded: [
      ...figures.flatMap((figure) => (open.has(figure) ? [figure.text] : [])),
      ...wrongExtremes(named, all),
      ...wrongTrends(sentence, figures, found),
      ...wrongOf(named, wrongComparisons),
      ...wrongOf(named, wrongRanks),
      ...wrongOf(named, (rows) => wrongBases(rows, figures)),
      ...wrongQuantities(named, figures, all),
      ...deniedIn(sentence, grounds),
      ...turnedDenials(sentence, figures, grounds),
      ...opposites(sentence, found),
      ...turnedBounds(sentence, figures, all),
      ...wrongPairs(sentence, all),
      ...unsaidNames(sentence, all, common.asked),
      ...turnedRound(sentence, all),
    ],
    said: {
      values: [...values.values()],
      listNumber: listNumberOf(sentence, listNumber) ?? listNumber,
      lines: linesAfter(sentence, named, lines),
    },
    figures: figures.filter((figure) => common.find(figure) === undefined),
  }
}

function quantity(value: number, figure: Figure): Quantity {
  return { value, ...(figure.kind === 'number' && figure.unit !== undefined ? { unit: figure.unit } : {}) }
}

/** A sentence with more than this is not held against anything: nobody reads it, and its check would stop all else. */
const LONGEST_SENTENCE = 20_000
const MOST_FIGURES = 250

function tooLong(sentence: string, listNumber: number): Checked {
  return { unfounded: [`${sentence.trim().slice(0, 80)}…`], said: { values: [], listNumber }, figures: [] }
}

/** Whether a table has it as something else than the sentence says, in other rows or columns, and none has it as it is said. */
function isOther<F>(tables: readonly ((figure: F) => boolean | undefined)[], figure: F): boolean {
  const told = new Set(tables.map((isOtherIn) => isOtherIn(figure)))
  return told.has(true) && !told.has(false)
}

/** What a table says otherwise, unless the tables that know of it do not agree. */
function wrongOf(named: readonly RowsNamed[], wrongIn: (rows: RowsNamed) => string[]): string[] {
  const told = named.filter(({ rows }) => rows.length > 0).map(wrongIn)
  return told.every((wrong) => wrong.length > 0) ? (told[0] ?? []) : []
}

/** What is said to be the most or the least and is not, by any table or in the words of a source. */
function wrongExtremes(named: readonly RowsNamed[], all: readonly Evidence[]): string[] {
  const claims = named.flatMap(extremesIn)
  if (claims.some(({ isWrong }) => !isWrong)) return []
  return claims.flatMap(({ said }) => (all.some((evidence) => evidence.mentions(said)) ? [] : [said]))
}

/** So often figures may rest on those behind them; each time all that are before them are known. */
const MOST_ROUNDS = 4
/** More figures than these in a sentence and the one before make any other by chance. */
const MOST_OPERANDS = 24
/** Single values that were found; “3 orders, 218.09” makes an average without either being printed. */
const MOST_SINGLES = 8

function derive(
  figure: NumberFigure,
  sentence: string,
  { common, found }: Grounds,
  named: readonly RowsNamed[],
  said: readonly Quantity[],
): number | undefined {
  const { unit, isPercent } = figure
  if (unit === RATIO) return ratioOf(figure, found, named, said)
  const isNone = new Set(named.filter((rows) => rows.isNoneOf(figure)).map(({ table }) => table))
  if (isPercent && isNone.size > 0) return undefined
  const isCount = !isPercent && (unit === undefined || unit === THINGS)
  const singles = found.flatMap(({ tables }) => tables.flatMap(singlesOf)).slice(0, MOST_SINGLES)
  const operands = operandsOf(isCount || isPercent ? undefined : unit, [...said, ...singles])
  const asked = common.values.filter((value) => value > 1).slice(0, MOST_SINGLES)
  const ofNamed = named.flatMap(({ table, together }) => ofRows(ofUnit(table, unit), together))
  const derived = found
    .filter(({ tables }) => !tables.some((table) => isNone.has(table)))
    .map((evidence) => evidence.derived(unit))
  for (const reading of figure.readings) {
    const sharp = isPercent ? reading : sharpened(reading)
    const isFound = derived.some(({ counts, sums, relations, percents }) =>
      isPercent
        ? holds(percents, reading) !== undefined ||
          (reading.value < 0 && holds(percents, negative(reading)) !== undefined)
        : (isCount && holds(counts, exact(reading.value)) !== undefined) ||
          holds(sums, reading) !== undefined ||
          holds(relations, sharp) !== undefined ||
          (reading.value < 0 && holds(relations, negative(sharp)) !== undefined),
    )
    if (
      isFound ||
      ofNamed.some(({ value, isShare }) => isShare === isPercent && isWithin(value, reading)) ||
      (isCount && isCountOf(sentence, reading, found, [...said.map(({ value }) => value), ...common.values])) ||
      operands.some((some) => calculated(some, asked, isPercent).some((value) => isWithin(value, sharp))) ||
      (!isPercent && found.some((one) => one.rated(unit).some((value) => isWithin(value, sharpened(reading, 0.01)))))
    )
      return reading.value
  }
  return undefined
}

/** Those that may be reckoned with each other: in this unit, or else each unit that there is by itself. */
function operandsOf(unit: Unit | undefined, all: readonly Quantity[]): number[][] {
  const units = unit === undefined ? [undefined, ...new Set(all.flatMap((one) => one.unit ?? []))] : [unit]
  return units.map((one) =>
    [...new Set(all.flatMap(({ value, unit: own }) => inUnit(value, own, one) ?? []))].slice(0, MOST_OPERANDS),
  )
}

/** “1.4 times as much”: of the rows that are named, or else of what was found or said. */
function ratioOf(
  figure: NumberFigure,
  found: readonly Evidence[],
  named: readonly RowsNamed[],
  said: readonly Quantity[],
): number | undefined {
  const ofNamed = named.flatMap((rows) => ratiosOf(rows, figure.text))
  const isNamed = named.some(({ rows }) => rows.length > 0)
  const amounts = operandsOf(
    undefined,
    said.filter(({ unit }) => unit !== RATIO),
  )
  const others = amounts.flatMap((some) =>
    some.flatMap((a) => some.flatMap((b) => (a === b || b === 0 ? [] : [a / b]))),
  )
  return figure.readings.find(
    (reading) =>
      [...ofNamed, ...(isNamed ? [] : others)].some((value) => isWithin(value, reading)) ||
      (!isNamed && found.some((evidence) => holds(evidence.derived().ratios, reading) !== undefined)),
  )?.value
}

/** By one step from the operands; products only with what the question names. */
function calculated(operands: readonly number[], asked: readonly number[], isPercent: boolean): number[] {
  const pairs = operands.flatMap((a, i) => operands.flatMap((b, j) => (i === j ? [] : [[a, b] as const])))
  if (isPercent) {
    return pairs.flatMap(([a, b]) =>
      b === 0 ? [] : [(100 * a) / b, (100 * (a - b)) / b, Math.abs((100 * (a - b)) / b)],
    )
  }
  const sum = operands.reduce((total, value) => total + value, 0)
  return [
    sum,
    ...pairs.flatMap(([a, b]) => [a + b, a - b, ...(b === 0 ? [] : [a / b])]),
    ...operands.flatMap((a) => asked.flatMap((b) => [a * b, a / b])),
  ]
}

/** How many rows there are above or below a figure that is named, or how many of the rows are named themselves. */
function isCountOf(
  sentence: string,
  { value }: Reading,
  found: readonly Evidence[],
  bounds: readonly number[],
): boolean {
  if (!Number.isInteger(value) || value < 0) return false
  return found.some(({ tables }) =>
    tables.some((table) => {
      const { columns, rows, truncated } = table
      // Of one row, none lies above it: that is no way to say that there are none.
      if (truncated === true || !hasCount(table) || value > rows.length || rows.length < 2) return false
      const label = columns.find((column) => typeof rows[0]?.[column] === 'string')
      if (label !== undefined && rows.length <= MOST_LABELS) {
        const named = rows.filter((row) => sentence.includes(String(row[label])))
        if (named.length === value && value > 1) return true
      }
      return columns.some((column) =>
        bounds.slice(0, MOST_OPERANDS).some((bound) => {
          const numbers = rows.map((row) => row[column]).filter((cell) => typeof cell === 'number')
          if (numbers.length !== rows.length) return false
          const [more, less] = [
            numbers.filter((one) => one > bound).length,
            numbers.filter((one) => one < bound).length,
          ]
          return [more, less, numbers.length - more, numbers.length - less].includes(value)
        }),
      )
    }),
  )
}

const MOST_LABELS = 200

function singlesOf({ rows, columns, rowCount }: Evidence['tables'][number]): Quantity[] {
  return rowCount === 1
    ? columns.flatMap((column) => {
        const [value, unit] = [rows[0]?.[column], unitOfColumn(column)]
        return typeof value === 'number' ? [{ value, ...(unit === undefined ? {} : { unit }) }] : []
      })
    : []
}

function isWithin(value: number, { from, to }: Reading): boolean {
  const slack = 1e-9 * Math.max(1, Math.abs(value))
  return value >= from - slack && value <= to + slack
}
