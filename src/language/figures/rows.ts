import { isYear } from '../../core/locale.ts'
import type { Table } from '../../core/table.ts'
import { isPeriodic, numeric } from './derive.ts'
import { wordsOf } from './evidence.ts'
import { isWithin, type Reading } from './printed.ts'
import type { NumberFigure } from './read.ts'
import { isShare } from './units.ts'

export type Row = Table['rows'][number]

/** More rows than these are not told of together. */
const MOST_TOGETHER = 24

/** The columns that a text speaks of; all, where it speaks of none. */
export function columnsIn(table: Table, text: string): readonly string[] {
  const words = new Set(wordsOf(text))
  const counted = amountColumns(table)
  const named = counted.filter((column) => wordsOf(column).some((word) => words.has(word)))
  return named.length === 0 ? counted : named
}

export function numericColumns({ columns, rows }: Table): readonly string[] {
  return columns.filter((column) => rows.some((row) => numeric(row[column]) !== undefined))
}

/** Those of them that hold no years: a year says when, and is no amount that is spoken of. */
export function amountColumns(table: Table): readonly string[] {
  return numericColumns(table).filter((column) => !table.rows.every((row) => isYear(column, row[column])))
}

/** A share as so many percent, however a column of shares holds it: 0.12 may be 12 %. */
export function inPercent(share: number): number[] {
  return Math.abs(share) <= 1 ? [share, 100 * share] : [share]
}

/** Whether it is a cell of the row, or as a percentage a share that it has, or its share of the whole. */
export function isPrintedOf(
  row: Row,
  figure: NumberFigure,
  columns: readonly string[],
  totalOf: (column: string) => number,
): boolean {
  const values = columns.flatMap((column) => {
    const value = numeric(row[column])
    if (value === undefined) return []
    if (!figure.isPercent) return [value]
    const total = totalOf(column)
    return [...(isShare(column) ? inPercent(value) : []), ...(total > 0 ? [(100 * value) / total] : [])]
  })
  return values.some((value) => isPrinted(value, figure))
}

/** What comes of a row alone: one column beside another, and, where it is compared, growth from the row before. */
export function ofRow(
  { columns, rows }: Table,
  row: Row,
  isPercent: boolean,
  isCompared: boolean,
  isUp?: boolean,
): number[] {
  const place = rows.indexOf(row)
  const isInOrder = isPeriodic({ columns })
  return columns.flatMap((column) => {
    const a = numeric(row[column])
    if (a === undefined || a === 0) return []
    const others = columns.flatMap((other) =>
      other === column || isShare(other) !== isShare(column) ? [] : (numeric(row[other]) ?? []),
    )
    if (!isPercent) return others.flatMap((b) => (b === 0 || b === 1 ? [] : [a - b, a + b, a / b]))
    if (!isCompared) return others.map((b) => (100 * a) / b)
    // “It rose”: from the one before, or from a year before, by quarter or by month.
    const ago = isInOrder && isUp !== undefined ? [1, 4, 12].map((back) => rows[place - back]) : undefined
    const before = ago ?? [rows[place - 1], isInOrder ? undefined : rows[place + 1], rows[0]]
    const near = before
      .flatMap((one) => numeric(one?.[column]) ?? [])
      .filter((b) => ago === undefined || a > b === isUp)
    return [...others.map((b) => (100 * a) / b), ...[...others, ...near].map((b) => Math.abs((100 * (a - b)) / b))]
  })
}

/** The share of the rows up to this one, as in “the top three, with Metal the last of them”, and of those behind. */
export function ofFirst({ rows }: Table, row: Row, column: string, total: number): number[] {
  const share = (100 * sumOf(rows.slice(0, rows.indexOf(row) + 1), column)) / total
  return total > 0 ? [share, 100 - share] : []
}

/** What comes of the rows that a sentence names: together, on average, as a share of all, and one beside the other. */
export function ofRows(
  { columns, rows, truncated }: Table,
  named: readonly Row[],
): { value: number; isShare: boolean }[] {
  if (named.length < 2 || named.length > MOST_TOGETHER) return []
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

export function sumOf(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + (numeric(row[column]) ?? 0), 0)
}

export function withReadings(figure: NumberFigure, change: (reading: Reading) => Reading): NumberFigure {
  return { ...figure, readings: figure.readings.map(change) }
}

export function isPrinted(value: number, { readings }: NumberFigure): boolean {
  return Number.isFinite(value) && readings.some((reading) => isWithin(value, reading))
}
