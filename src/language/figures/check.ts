import { negative, type Evidence } from './evidence.ts'
import type { Table } from '../../core/table.ts'
import { hasCount, holds, numeric } from './derive.ts'
import { isOfOtherRow, namedRows } from './labels.ts'
import { unsaidNames } from './names.ts'
import { figuresIn, listNumberOf, type Figure, type NumberFigure, type Reading } from './read.ts'

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
  readonly values: readonly number[]
  /** The list number that came last. */
  readonly listNumber?: number
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
  const { listNumber = 0 } = before
  const figures = figuresIn(sentence, { listNumber, ...(decimalComma === undefined ? {} : { decimalComma }) })
  const all = [common, ...found]
  const tables = found.flatMap((evidence) => evidence.tables)
  const values = new Map<Figure, number>()
  const open = new Set<Figure>()
  const swapped = new Set<Figure>()
  for (const figure of figures) {
    const isSwapped = figure.kind === 'number' && isOfOtherRow(figure, sentence, tables)
    // What the question itself says may be repeated of anything.
    if (isSwapped) swapped.add(figure)
    const place = (isSwapped ? [common] : all)
      .map((evidence) => evidence.find(figure, sentence))
      .find((result) => result !== undefined)
    if (place === undefined) open.add(figure)
    else if (place.value !== undefined) values.set(figure, place.value)
  }
  // What was worked out is something to go on with: first the total, then a share of it.
  for (let before_ = -1; before_ !== open.size;) {
    before_ = open.size
    for (const figure of open) {
      if (figure.kind !== 'number' || swapped.has(figure)) continue
      const value = derive(figure, sentence, grounds, [...values.values(), ...before.values])
      if (value === undefined) continue
      open.delete(figure)
      values.set(figure, value)
    }
  }
  return {
    unfounded: [
      ...figures.flatMap((figure) => (open.has(figure) ? [figure.text] : [])),
      ...unsaidNames(sentence, all, common.asked),
    ],
    said: { values: [...values.values()], listNumber: listNumberOf(sentence, listNumber) ?? listNumber },
    figures: figures.filter((figure) => common.find(figure) === undefined),
  }
}

/** More figures than these in a sentence and the one before make any other by chance. */
const MOST_OPERANDS = 24
/** Single values that were found; “3 orders, 218.09” makes an average without either being printed. */
const MOST_SINGLES = 8

function derive(
  figure: NumberFigure,
  sentence: string,
  { common, found }: Grounds,
  said: readonly number[],
): number | undefined {
  for (const reading of figure.readings) {
    for (const { derived } of found) {
      const { counts, sums, relations, percents } = derived
      const sharp = sharpened(reading)
      const isFound = figure.isPercent
        ? holds(percents, reading) !== undefined ||
          (reading.value < 0 && holds(percents, negative(reading)) !== undefined)
        : holds(counts, exactly(reading)) !== undefined ||
          holds(sums, reading) !== undefined ||
          holds(relations, sharp) !== undefined ||
          (reading.value < 0 && holds(relations, negative(sharp)) !== undefined)
      if (isFound) return reading.value
    }
    const ofNamed = found.flatMap(({ tables }) => tables.flatMap((table) => ofRows(table, namedRows(table, sentence))))
    if (ofNamed.some(({ value, isShare }) => isShare === figure.isPercent && isWithin(value, reading)))
      return reading.value
    if (isCountOf(sentence, reading, found, [...said, ...common.values])) return reading.value
    const singles = found.flatMap(({ tables }) => tables.flatMap(singlesOf)).slice(0, MOST_SINGLES)
    const operands = [...new Set([...said, ...singles])].slice(0, MOST_OPERANDS)
    const asked = common.values.filter((value) => value > 1).slice(0, MOST_SINGLES)
    if (
      calculated(operands, asked, figure.isPercent).some((value) =>
        isWithin(value, figure.isPercent ? reading : sharpened(reading)),
      )
    )
      return reading.value
  }
  return undefined
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
      if (truncated === true || !hasCount(table) || value > rows.length) return false
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

/** What comes of the rows that a sentence names: together, on average, as a share of all, and one beside the other. */
function ofRows({ columns, rows, truncated }: Table, named: Table['rows']): { value: number; isShare: boolean }[] {
  if (named.length < 2 || named.length > MOST_OPERANDS) return []
  const sumOf = (some: Table['rows'], column: string): number =>
    some.reduce((sum, row) => sum + (numeric(row[column]) ?? 0), 0)
  return columns
    .filter((column) => named.every((row) => numeric(row[column]) !== undefined))
    .flatMap((column) => {
      const [first, second] = named.map((row) => numeric(row[column])!) as [number, number]
      const sum = sumOf(named, column)
      const all = truncated === true ? 0 : sumOf(rows, column)
      const amounts = [sum, sum / named.length, ...(named.length === 2 ? [Math.abs(first - second)] : [])]
      const shares = [
        ...(all === 0 ? [] : [(100 * sum) / all]),
        ...(named.length === 2 && first !== 0 && second !== 0
          ? [first / second, second / first].flatMap((ratio) => [100 * ratio, Math.abs(100 * (ratio - 1))])
          : []),
      ]
      return [
        ...amounts.map((value) => ({ value, isShare: false })),
        ...shares.map((value) => ({ value, isShare: true })),
      ]
    })
}

const MOST_LABELS = 200

function singlesOf({ rows, columns, rowCount }: Evidence['tables'][number]): number[] {
  return rowCount === 1
    ? columns.flatMap((column) => (typeof rows[0]?.[column] === 'number' ? [rows[0][column]] : []))
    : []
}

/** Printed with few digits, almost anything comes to it by chance: it must be exact then. */
function sharpened(reading: Reading): Reading {
  return reading.to - reading.from <= 0.05 * Math.abs(reading.value) ? reading : exactly(reading)
}

function exactly({ value }: Reading): Reading {
  return { value, from: value, to: value }
}

function isWithin(value: number, { from, to }: Reading): boolean {
  const slack = 1e-9 * Math.max(1, Math.abs(value))
  return value >= from - slack && value <= to + slack
}
