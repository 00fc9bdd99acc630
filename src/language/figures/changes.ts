import type { Table } from '../../core/table.ts'
import { isPeriodic, numeric } from './derive.ts'
import type { Evidence } from './evidence.ts'
import type { RowsNamed } from './labels.ts'
import type { Figure } from './read.ts'
import { inOrder } from './row-periods.ts'
import { isPrinted, numericColumns, withReadings, type Row } from './rows.ts'
import { directionAt } from './stances.ts'
import { isShare } from './units.ts'

/** Later rows are not held against those before them. */
const MOST_ROWS = 60
const EARLIER = /last|previous|prior|before|vorjahr|vorig|letzt/i
const LATER = /this|current|now|latest|dieses|aktuell/i

const CHANGE = /chang|grow|delta|diff|increas|yoy|veränder|wachstum/i

/** “Down 12 %” of what went up by so many, or of rows that did not. */
export function wrongChanges(
  named: readonly RowsNamed[],
  figures: readonly Figure[],
  all: readonly Evidence[],
): string[] {
  return figures.flatMap((figure) => {
    const [{ rest } = { rest: '' }] = named
    if (figure.kind !== 'number' || !figure.isPercent) return []
    const way = directionAt(rest, figure)
    if (way === undefined || all.some((one) => one.texts.length > 0 && one.tables.length === 0 && one.find(figure)))
      return []
    const told = named.flatMap((rows) => {
      const { whose: near } = rows.clauseOf(figure)
      const whose = near.length > 0 ? near : rows.rows
      if (rows.table.truncated === true || whose.length > 1) return []
      const is = (changes: readonly number[]): readonly boolean[] =>
        changes.flatMap((value) =>
          isPrinted(
            Math.abs(value),
            withReadings(figure, (one) => (one.value < 0 ? { value: -one.value, from: -one.to, to: -one.from } : one)),
          )
            ? [value > 0 === (way === 'up')]
            : [],
        )
      const own = is(changesIn(rows.table, whose))
      return own.length > 0
        ? [own.includes(true)]
        : rows.rows.length > 1
          ? []
          : is(changesIn(rows.table)).map(() => false)
    })
    return told.length > 0 && !told.includes(true) ? [figure.text] : []
  })
}

/** By how many percent its figures go up, or down, from one to a later one; of these rows, where there are any. */
function changesIn(given: Table, whose: readonly Row[] = []): number[] {
  const table = inOrder(given)
  const rows = table.rows.slice(0, MOST_ROWS)
  const own = whose.length > 0 ? whose : rows
  const columns = numericColumns(table)
  const change = (a: unknown, b: unknown): number[] => {
    const [before, after] = [numeric(a), numeric(b)]
    return before === undefined || after === undefined || before === 0 ? [] : [(100 * (after - before)) / before]
  }
  const shares = columns
    .filter((one) => isChange(table, one))
    .flatMap((column) => own.flatMap((row) => numeric(row[column]) ?? []))
  const pairs = columns.flatMap((one) =>
    columns.flatMap((other) =>
      one === other || isLater(one, other) ? [] : own.flatMap((row) => change(row[one], row[other])),
    ),
  )
  const steps = !isPeriodic(table)
    ? []
    : columns.flatMap((column) =>
        own.flatMap((row) => rows.slice(0, rows.indexOf(row)).flatMap((before) => change(before[column], row[column]))),
      )
  return [...shares.flatMap((value) => (Math.abs(value) <= 1 ? [value, 100 * value] : [value])), ...pairs, ...steps]
}

/** Whether a column is told to be later than another: “revenue_2025”, “this_year”. */
function isLater(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => Number(/(?<!\d)(?:19|20)\d\d(?!\d)/.exec(name)?.[0]))
  return a! > b! || (LATER.test(one) && EARLIER.test(other))
}

/** Whether a column holds growth, and no level: “change_percent”, or what may be below zero. */
function isChange({ rows }: Table, column: string): boolean {
  return isShare(column) && (CHANGE.test(column) || rows.some((row) => numeric(row[column])! < 0))
}
