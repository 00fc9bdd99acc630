import { numeric } from './derive.ts'
import type { RowsNamed } from './labels.ts'
import { columnsCalled } from './measures.ts'
import type { Figure, NumberFigure } from './read.ts'
import { inPercent, isPrinted, numericColumns, sumOf } from './rows.ts'
import { isShare } from './units.ts'

/** More shares than these are not held against each other. */
const MOST_SHARES = 60

/**
 * Whether two shares lie so many percentage points apart: of the rows that are named, or else of what the sentence and the
 * tables have; undefined where no two of these do.
 */
export function arePointsApart(
  figure: NumberFigure,
  figures: readonly Figure[],
  named: readonly RowsNamed[],
): boolean | undefined {
  const own = named
    .filter(({ together }) => together.length > 1)
    .map(({ table, together, rest }) => ({ table, rows: together, rest }))
  const shares = (own.length > 0 ? own : named.map(({ table, rest }) => ({ table, rows: table.rows, rest }))).flatMap(
    ({ table, rows, rest }) => {
      const called = columnsCalled(table, rest).filter(isShare)
      return (called.length > 0 ? called : numericColumns(table)).map((column) => {
        const total = table.truncated === true ? 0 : sumOf(table.rows, column)
        const values = rows.slice(0, MOST_SHARES).flatMap((row) => numeric(row[column]) ?? [])
        if (isShare(column)) return values.flatMap(inPercent)
        return total === 0 ? [] : values.map((value) => (100 * value) / total)
      })
    },
  )
  const beside = figures.flatMap((one) =>
    one.kind === 'number' && one.isPercent && one !== figure && one.isPoints !== true ? [one.readings[0]!.value] : [],
  )
  const isApart = [...shares, beside].some((some) =>
    some.some((a, i) => some.slice(i + 1).some((b) => isPrinted(Math.abs(a - b), figure))),
  )
  return isApart || (own.length > 0 && shares.some((some) => some.length > 1) ? isApart : undefined)
}
