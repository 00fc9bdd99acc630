import { isYearColumn, localeProfile } from '../shared/locale.ts'
import type { Table } from '../domain/table.ts'

const LISTED_ROWS = 10

/** A table in a few words, without a model: a single value, a short list, or how much there is. */
export function tableAnswerText(table: Table, locale?: string): string {
  const { number } = localeProfile(locale)
  const show = (cell: unknown, column: string): string =>
    typeof cell === 'number' && !isYearColumn(column, cell) ? number(cell) : String(cell ?? 'none')
  const first = table.rows[0]
  if (first === undefined) return 'No data was returned.'
  if (table.rowCount === 1)
    return `${table.columns.map((column) => `${column}: ${show(first[column], column)}`).join(', ')}.`
  const more = table.truncated === true ? 'at least ' : ''
  if (table.rowCount > LISTED_ROWS) return `The table has ${more}${number(table.rowCount)} rows.`
  const [label, ...rest] = table.columns
  const lines = table.rows.map((row) => {
    const values = rest.map((column) => show(row[column], column)).join(', ')
    const name = show(row[label!], label!)
    return values === '' ? name : `${name} (${values})`
  })
  return `${lines.join('; ')}.`
}
