import { isPeriodic, numeric } from './derive.ts'
import type { RowsNamed } from './labels.ts'
import { columnsIn } from './rows.ts'

/** What the first row that is named comes to beside the second, or else any other, in the columns that are spoken of. */
export function ratiosOf(named: RowsNamed, said: string): number[] {
  const { table, rest } = named
  const { rows } = table
  const [first, second] = named.rows
  if (first === undefined) return []
  const isGrowth = /(?:ed|iert|facht|oppelt)$/.test(said)
  const others =
    second !== undefined
      ? [second]
      : isPeriodic(table)
        ? [rows[rows.indexOf(first) - 1] ?? first, rows[0]!]
        : isGrowth
          ? []
          : rows
  const isTurned = /(?<!\p{L})(?:compared|versus|unlike|relative|against)(?!\p{L})/iu.test(rest.slice(0, named.start))
  return columnsIn(table, rest).flatMap((column) =>
    others.flatMap((other) => {
      const [a, b] = [numeric(first[column]) ?? 0, numeric(other[column]) ?? 0]
      return a === 0 || b === 0 || other === first ? [] : [isTurned ? b / a : a / b]
    }),
  )
}
