import type { Table } from '../../core/table.ts'
import { isPeriodic, numeric } from './derive.ts'
import type { Evidence } from './evidence.ts'
import type { RowsNamed } from './labels.ts'
import { negative } from './printed.ts'
import type { Figure } from './read.ts'
import { inOrder } from './row-periods.ts'
import { inPercent, isPrinted, numericColumns, withReadings, type Row } from './rows.ts'
import { directionAt } from './stances.ts'
import { isShare } from './units.ts'

/** Later rows are not held against those before them. */
const MOST_ROWS = 60
const EARLIER = /last|previous|prior|before|vorjahr|vorig|letzt/i
const CHANGE = /chang|grow|delta|diff|increas|yoy|veränder|wachstum/i

/** “Down 12 %” of what went up by so many, or of rows that did not. */
export function wrongChanges(
  named: readonly RowsNamed[],
  figures: readonly Figure[],
  all: readonly Evidence[],
): string[] {
  return figures.flatMap((figure) => {
    const way = figure.kind === 'number' && figure.isPercent ? directionAt(named[0]?.rest ?? '', figure) : undefined
    const isSaid = all.some((one) => one.tables.length === 0 && one.find(figure) !== undefined)
    if (figure.kind !== 'number' || way === undefined || isSaid) return []
    const size = withReadings(figure, (reading) => (reading.value < 0 ? negative(reading) : reading))
    const told = named.flatMap((rows) => {
      const near = rows.clauseOf(figure).whose
      const whose = near.length > 0 ? near : rows.rows
      if (rows.table.truncated === true || (whose.length > 1 && !isPeriodic(rows.table))) return []
      const those = (some: readonly Row[]): number[] =>
        changesIn(rows.table, some).filter((value) => isPrinted(Math.abs(value), size))
      const own = those(whose)
      if (own.length > 0) return [own.some((value) => value > 0 === (way === 'up'))]
      return rows.rows.length === 1 && those(rows.table.rows).length > 0 ? [false] : []
    })
    return told.length > 0 && !told.includes(true) ? [figure.text] : []
  })
}

/** By how many percent the figures of these rows, or of all, go up or down, from one to a later one. */
function changesIn(given: Table, some: readonly Row[]): number[] {
  const table = inOrder(given)
  const rows = table.rows.slice(0, MOST_ROWS)
  const columns = numericColumns(table)
  return (some.length > 0 ? some : rows).flatMap((row) =>
    columns.flatMap((column) => {
      const after = numeric(row[column])
      if (after === undefined) return []
      const others = columns.flatMap((other) => (isEarlier(column, other) ? [] : (numeric(row[other]) ?? [])))
      const earlier = isPeriodic(table) ? rows.slice(0, Math.max(0, rows.indexOf(row))) : []
      const before = [...others, ...earlier.flatMap((one) => numeric(one[column]) ?? [])]
      // What holds growth is no level: “change_percent”, or what may be below zero.
      const isChange = isShare(column) && (CHANGE.test(column) || rows.some((one) => numeric(one[column])! < 0))
      return [
        ...(isChange ? inPercent(after) : []),
        ...before.flatMap((one) => (one === 0 ? [] : [(100 * (after - one)) / one])),
      ]
    }),
  )
}

/** Whether a column is told to be earlier than another: “revenue_2024”, “last_year”. */
function isEarlier(column: string, other: string): boolean {
  const [a, b] = [column, other].map((name) => Number(/(?<!\d)(?:19|20)\d\d(?!\d)/.exec(name)?.[0]))
  return a! < b! || (EARLIER.test(column) && !EARLIER.test(other))
}
