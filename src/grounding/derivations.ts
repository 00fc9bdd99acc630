import { isYear, numberTable, type NumberTable } from './evidence.ts'

/** Is told of each value that follows from a table or from operands. `isRatio`: a ratio, share or growth, 0.25 for 25 %. */
export type Take = (value: number, isRatio: boolean) => void

/** Tables with more rows than these are only combined row by row where a sentence names the rows. */
const MAX_COMBINED_ROWS = 200
const MAX_COMBINED_COLUMNS = 8
/** Further columns are not grouped by, nor combined with what a sentence names. */
const MAX_COLUMNS = 40
/** Up to so many rows, each is compared with each. */
const MAX_PAIRED_ROWS = 5
const MAX_GROUPS = 50
/** Months, weeks and days of a year, quarters. */
const PERIODS = [4, 12, 52, 365]

/** Sum, difference, ratio, growth and share of two operands. */
export function combineTwo(a: number, b: number, take: Take): void {
  if (!(a > 0) || !(b > 0)) return
  take(a + b, false)
  take(Math.abs(a - b), false)
  compare(a, b, take)
  take(a / (a + b), true)
  take(b / (a + b), true)
}

function compare(a: number, b: number, take: Take): void {
  take(a / b, true)
  take(b / a, true)
  take(Math.abs(a - b) / b, true)
  take(Math.abs(a - b) / a, true)
}

/** Two operands as a sentence may combine them: also products, and the second as a percentage of the first. */
export function combineFigures(a: number, b: number, take: Take): void {
  combineTwo(a, b, take)
  take(a * b, false)
  take(a / b, false)
  take(b / a, false)
  for (const [amount, rate] of [
    [a, b / 100],
    [b, a / 100],
  ] as const) {
    if (rate > 1) continue
    take(amount * rate, false)
    take(amount * (1 + rate), false)
    take(amount / (1 + rate), false)
    if (rate < 1) take(amount * (1 - rate), false)
    if (rate < 1) take(amount / (1 - rate), false)
  }
}

/** What follows from the columns and rows of a table, whatever a sentence says of it. */
export function deriveFromTable(table: NumberTable, take: Take): void {
  take(table.rows.length, false)
  for (const column of table.columns) deriveFromColumn(column, take)
  deriveFromRows(table, take)
}

function deriveFromColumn(column: Float64Array, take: Take): void {
  const values = column.filter((value) => !Number.isNaN(value))
  if (values.length < 2) return
  const total = sumOf(values)
  take(total, false)
  take(total / values.length, false)
  take(total / column.length, false)
  for (const periods of PERIODS) take(total / periods, false)
  take(medianOf(values), false)
  const max = values.reduce((a, b) => Math.max(a, b))
  const min = values.reduce((a, b) => Math.min(a, b))
  take(max - min, false)
  compare(max, min, take)
  compare(values[0]!, values.at(-1)!, take)
  take(Math.abs(values[0]! - values.at(-1)!), false)
  take(Math.abs((values.at(-1)! / values[0]!) ** (1 / (values.length - 1)) - 1), true)
  let upTo = 0
  for (const [i, value] of values.entries()) {
    upTo += value
    take(value / total, true)
    take(Math.abs(value / (total / values.length) - 1), true)
    take(total - value, false)
    take(upTo, false)
    take(upTo / total, true)
    take((total - upTo) / total, true)
    take(total - upTo, false)
    const from = values.length <= MAX_PAIRED_ROWS ? 0 : Math.max(0, i - 1)
    for (let j = from; j < i; j++) {
      take(Math.abs(value - values[j]!), false)
      compare(value, values[j]!, take)
    }
  }
}

/** Cells of one row, and the totals of the columns as one more row. */
function deriveFromRows({ columns }: NumberTable, take: Take): void {
  if (columns.length < 2 || columns.length > MAX_COMBINED_COLUMNS) return
  const rows = columns[0]!.length
  for (let i = 1; i < columns.length; i++) {
    for (let j = 0; j < i; j++) {
      const [a, b] = [columns[i]!, columns[j]!]
      combineTwo(sumOf(a), sumOf(b), take)
      const products = a.map((value, row) => value * b[row]!)
      take(sumOf(products), false)
      take(sumOf(products) / sumOf(a), false)
      take(sumOf(products) / sumOf(b), false)
      if (rows > MAX_COMBINED_ROWS) continue
      for (let row = 0; row < rows; row++) {
        combineTwo(a[row]!, b[row]!, take)
        take(products[row]!, false)
      }
    }
  }
}

/**
 * What follows from the rows that a sentence names: columns compared and added, cells against total, cells of one row.
 * @param factors that the sentence names, such as “12 chairs”
 */
export function deriveFromNamed(
  { columns }: NumberTable,
  named: readonly number[],
  factors: readonly number[],
  take: Take,
): void {
  const combined = columns.slice(0, MAX_COLUMNS)
  for (const column of combined) {
    const total = sumOf(column)
    const values = named.map((row) => column[row]!).filter((value) => value > 0)
    take(sumOf(values), false)
    take(sumOf(values) / total, true)
    take(total - sumOf(values), false)
    take(sumOf(values) / values.length, false)
    for (const [i, value] of values.entries()) for (const other of values.slice(0, i)) combineTwo(value, other, take)
    const mean = total / column.length
    for (const value of values) {
      take(Math.abs(value - mean), false)
      for (const factor of factors) combineFigures(value, factor, take)
    }
  }
  for (const row of named) {
    for (const [i, column] of combined.entries()) {
      for (const other of combined.slice(0, i)) {
        combineTwo(column[row]!, other[row]!, take)
        take(column[row]! * other[row]!, false)
      }
    }
  }
}

/** A table by the values of one text column, or by the periods of a date column: counts, sums and means. */
export function groupsOf({ rows, columns }: NumberTable): NumberTable[] {
  if (rows.length < 3) return []
  const keys = Object.keys(rows[0]!).slice(0, MAX_COLUMNS)
  return keys.flatMap((key) => {
    const cells = rows.map((row) => row[key])
    if (!cells.every((cell) => cell == null || typeof cell === 'string' || isYear(cell))) return []
    return labelings(cells.map((cell) => String(cell ?? ''))).flatMap((labels) => {
      const groups = new Map<string, number[]>()
      for (const [row, label] of labels.entries()) {
        const members = groups.get(label)
        if (members === undefined) groups.set(label, [row])
        else members.push(row)
      }
      if (groups.size < 2 || groups.size > MAX_GROUPS || groups.size === rows.length) return []
      const summed = columns.slice(0, MAX_COMBINED_COLUMNS)
      return [numberTable([...groups].map(([label, members]) => ({ [key]: label, ...summary(summed, members) })))]
    })
  })
}

function summary(columns: readonly Float64Array[], members: readonly number[]) {
  const cells = columns.map((column) => Float64Array.from(members, (row) => column[row]!))
  const sums = cells.flatMap((column, i) => [
    [`sum ${i}`, sumOf(column)],
    [`mean ${i}`, sumOf(column) / column.length],
    ...cells.slice(0, i).map((other, j) => [`product ${i} ${j}`, sumOf(column.map((v, row) => v * other[row]!))]),
  ])
  return { rows: members.length, ...Object.fromEntries(sums) }
}

/** The cells themselves; dates by year, half, quarter and month. */
function labelings(cells: readonly string[]): readonly (readonly string[])[] {
  if (!cells.every((cell) => /^\d{4}-\d\d/.test(cell))) return [cells]
  const month = (cell: string): number => Number(cell.slice(5, 7))
  return [
    cells.map((cell) => cell.slice(0, 4)),
    cells.map((cell) => `H${Math.ceil(month(cell) / 6)} ${cell.slice(0, 4)}`),
    cells.map((cell) => `Q${Math.ceil(month(cell) / 3)} ${cell.slice(0, 4)}`),
    cells.map((cell) => cell.slice(0, 7)),
  ]
}

export function sumOf(values: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i]!)) sum += values[i]!
  return sum
}

function medianOf(values: Float64Array): number {
  const sorted = values.toSorted()
  const middle = sorted.length / 2
  return Number.isInteger(middle) ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[Math.floor(middle)]!
}
