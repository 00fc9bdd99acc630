import { isYearColumn, localeProfile } from '../shared/locale.ts'
import type { Table } from '../domain/table.ts'

const LISTED_ROWS = 10

/** A table in a few words, without a model: a single value, a short list, or how much there is. */
export function tableAnswerText(table: Table, locale?: string, query = ''): string {
  const { number } = localeProfile(locale)
  const show = (cell: unknown, column: string): string =>
    typeof cell === 'number' && !isYearColumn(column, cell) ? number(cell) : String(cell ?? 'none')
  const first = table.rows[0]
  if (first === undefined) {
    const conditions = conditionsOf(query)
    return `No data was returned${conditions.length === 0 ? '' : ` for ${conditions.join(', ')}`}.`
  }
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

const LITERAL = String.raw`(?:DATE\s+|TIMESTAMP\s+)?(?:'(?:[^']|'')*'|-?\d+(?:\.\d+)?\b|TRUE\b|FALSE\b|NULL\b)`
const CONDITION = new RegExp(
  String.raw`(?<column>(?:"[^"]+"|\x60[^\x60]+\x60|[\w.])+(?:\([^()]*\))?)\s*(?<operator>=|<>|!=|>=|<=|<|>|\b(?:NOT\s+)?(?:LIKE|ILIKE|IN|BETWEEN)\b|\bIS(?:\s+NOT)?\b)\s*(?<value>${LITERAL}(?:\s+AND\s+${LITERAL})?|\(\s*${LITERAL}(?:\s*,\s*${LITERAL})*\s*\))`,
  'giu',
)

/** The conditions of a query: comparisons of a column with values. */
function conditionsOf(line: string): string[] {
  return [...line.slice(line.search(/\bWHERE\b|\bHAVING\b/i)).matchAll(CONDITION)].map(({ groups }) => {
    const { column, operator, value } = groups!
    const plain = column!.replace(/["\x60]/g, '').replace(/(?<![\w.])\w+\./g, '')
    return `${plain} ${operator!.toUpperCase()} ${value!.replace(/^(?:DATE|TIMESTAMP)\s+/i, '')}`
  })
}
