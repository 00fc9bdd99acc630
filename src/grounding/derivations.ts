import { isYearNumber, numberTable, type NumberTable } from './evidence.ts'

/**
 * Receives each value derived from a table or from operands. `isRatio`: a ratio, share or growth, such as 0.25 for 25
 * %.
 */
export type Take = (value: number, isRatio: boolean) => void
type Numbers = readonly number[]

/** Tables with more rows are only combined row by row if a sentence names the rows. */
const MAX_COMBINED_ROWS = 200
const MAX_COMBINED_COLUMNS = 8
/** Maximum number of columns to group by and to combine with values that a sentence names. */
const MAX_COLUMNS = 40
/** Tables that a sentence names rows of, and rows of each. */
const MAX_NAMED = 12
/** Up to so many rows, each is compared with each. */
const MAX_PAIRED_ROWS = 5
/** Of up to so many rows, the sum of any that follow each other is derived: months of two years. */
const MAX_WINDOW_ROWS = 24
/** A row may be a share of so many first rows. */
const MAX_TOP_ROWS = 10
const MAX_GROUPS = 50
/** Months, weeks and days of a year, quarters. */
const PERIODS = [4, 12, 52, 365]
/** A row is compared with the previous one, and with the same quarter or month of the previous year. */
const LAGS = [1, 4, 12]
/** Of a list of computed values or operands, each is combined with so many before it. */
const MAX_LISTED_NUMBERS = 60
const MAX_LISTED_PAIRS = 6

/** Sum, difference, ratio, growth and share of two operands. */
export function combineTwo(a: number, b: number, take: Take): void {
  if (!(a > 0) || !(b > 0)) return
  for (const value of [a + b, Math.abs(a - b)]) take(value, false)
  for (const value of [a / (a + b), b / (a + b)]) take(value, true)
  compare(a, b, take)
}

function compare(a: number, b: number, take: Take): void {
  for (const value of [a / b, b / a, Math.abs(a - b) / b, Math.abs(a - b) / a]) take(value, true)
}

/** Two operands as a sentence may combine them: also products, and the second as a percentage of the first. */
export function combineFigures(a: number, b: number, take: Take): void {
  combineTwo(a, b, take)
  for (const value of [a * b, a / b, b / a]) take(value, false)
  for (const [amount, rate] of [
    [a, b / 100],
    [b, a / 100],
  ] as const) {
    const factors = rate > 1 ? [] : [rate, 1 + rate, 1 - rate, 1 / (1 + rate), 1 / (1 - rate)]
    for (const factor of factors) take(amount * factor, false)
  }
}

/** Derives values from neighbours in a list, the output or input of a computation. */
export function deriveFromList(values: Numbers, combine: typeof combineTwo, take: Take): void {
  for (const [i, value] of values.slice(0, MAX_LISTED_NUMBERS).entries()) {
    for (const other of values.slice(Math.max(0, i - MAX_LISTED_PAIRS), i)) combine(value, other, take)
  }
}

/** Derives values from the columns and rows of a table, independent of any sentence. */
export function deriveFromTable(table: NumberTable, take: Take): void {
  take(table.rows.length, false)
  for (const column of table.columns) deriveFromColumn(column, take)
  deriveFromRows(table, take)
}

function deriveFromColumn(column: Float64Array, take: Take): void {
  const values = column.filter((value) => !Number.isNaN(value))
  if (values.length === 1) for (const whole of [1, 100]) take(whole - values[0]!, whole === 1)
  if (values.length < 2) return
  const total = sumValues(values)
  const [first, last] = [values[0]!, values.at(-1)!]
  const sorted = values.toSorted()
  const [min, max, middle] = [sorted[0]!, sorted.at(-1)!, (sorted.length - 1) / 2]
  const median = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
  const means = [values.length, column.length, ...PERIODS].map((count) => total / count)
  for (const value of [total, ...means, median, max - min, Math.abs(first - last)]) take(value, false)
  compare(max, min, take)
  compare(first, last, take)
  take(Math.abs((last / first) ** (1 / (values.length - 1)) - 1), true)
  let upTo = 0
  for (const [i, value] of values.entries()) {
    upTo += value
    const means = [upTo / (i + 1), (total - value) / (values.length - 1)]
    for (const part of [value, total - value, upTo, total - upTo, ...means]) take(part, false)
    for (const share of [value / total, upTo / total, (total - upTo) / total]) take(share, true)
    take(Math.abs(value / (total / values.length) - 1), true)
    if (i < MAX_TOP_ROWS) for (const part of values.slice(0, i + 1)) take(part / upTo, true)
    let window = value
    for (let j = i + 1; j < values.length && values.length <= MAX_WINDOW_ROWS; j++) take((window += values[j]!), false)
    for (const before of values.length <= MAX_PAIRED_ROWS ? values.slice(0, i) : LAGS.map((lag) => values[i - lag]!)) {
      take(Math.abs(value - before), false)
      compare(value, before, take)
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
      const [all, allB] = [sumValues(a), sumValues(b)]
      combineTwo(all, allB, take)
      const products = a.map((value, row) => value * b[row]!)
      for (const by of [1, all, allB]) take(sumValues(products) / by, false)
      const changes = a.map((value, row) => value - b[row]!)
      for (const sign of [1, -1]) take(sumValues(changes.map((change) => Math.max(0, sign * change))), false)
      if (rows > MAX_COMBINED_ROWS) continue
      let [upTo, upToB] = [0, 0]
      for (let row = 0; row < rows; row++) {
        combineTwo(a[row]!, b[row]!, take)
        take(products[row]!, false)
        upTo += a[row]!
        upToB += b[row]!
        const parts = rows > MAX_WINDOW_ROWS ? [] : [upTo / upToB, (all - upTo) / (allB - upToB)]
        for (const ratio of parts) for (const one of [ratio, 1 / ratio]) take(one, true)
      }
    }
  }
}

/**
 * Derives values from the rows that a sentence names: columns compared and added, cells against total, cells of one
 * row.
 * @param factors that the sentence names, such as “12 chairs”
 */
export function deriveFromNamed(rows: readonly (readonly [NumberTable, number])[], factors: Numbers, take: Take): void {
  for (const table of [...new Set(rows.map(([one]) => one))].slice(0, MAX_NAMED)) {
    const namedRows = [...new Set(rows.flatMap(([one, row]) => (one === table ? [row] : [])))].slice(0, MAX_NAMED)
    const columns = table.columns.slice(0, MAX_COLUMNS)
    for (const column of columns) {
      const total = sumValues(column)
      const values = namedRows.map((row) => column[row]!).filter((value) => value > 0)
      const sum = sumValues(values)
      for (const value of [sum, total - sum, sum / values.length]) take(value, false)
      take(sum / total, true)
      for (const [i, value] of values.entries()) {
        for (const other of values.slice(0, i)) combineTwo(value, other, take)
        take(Math.abs(value - total / column.length), false)
        for (const factor of factors) combineFigures(value, factor, take)
      }
    }
    for (const row of namedRows) {
      for (const [i, column] of columns.entries()) {
        for (const other of columns.slice(0, i)) {
          combineTwo(column[row]!, other[row]!, take)
          take(column[row]! * other[row]!, false)
        }
      }
    }
  }
}

/** A table by the values of a text column, of few whole numbers, or by the years and months of a date column: counts and sums. */
export function groupsOf({ rows, columns }: NumberTable): NumberTable[] {
  return Object.keys(rows[0] ?? {}).flatMap((key) => {
    const cells = rows.map((row) => row[key] ?? '')
    const isText = cells.every((cell) => typeof cell === 'string' || isYearNumber(cell))
    if (!isText && !cells.every(Number.isInteger)) return []
    const isDate = cells.every((cell) => /^\d{4}-\d\d/.test(String(cell)))
    return (isDate ? [4, 7] : [Infinity]).flatMap((length) => {
      const labels = cells.map((cell) => String(cell).slice(0, length))
      const groups = new Map<string, number[]>(labels.map((label) => [label, []]))
      for (const [row, label] of labels.entries()) groups.get(label)!.push(row)
      const maxGroups = Math.min(MAX_GROUPS, isText ? rows.length - 1 : rows.length / 3)
      if (groups.size < 2 || groups.size > maxGroups) return []
      const sums = (of: Numbers) => columns.slice(0, MAX_COLUMNS).map((one) => sumValues(of.map((row) => one[row]!)))
      return [numberTable([...groups].map(([name, of]) => ({ name, rows: of.length, ...sums(of) })))]
    })
  })
}

export function sumValues(values: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i]!)) sum += values[i]!
  return sum
}
