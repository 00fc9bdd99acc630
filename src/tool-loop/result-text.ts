import { withStrikeNote } from '../domain/strikethrough.ts'
import { isObject } from '../shared/json.ts'
import { csvLines, tableIn, type Table } from '../domain/table.ts'
import { pluralize } from '../shared/pluralize.ts'

/** Characters of a result that the model is given at once: some 4,000 tokens. */
const MAX_RESULT_CHARS = 16_000

/** The full result as text: texts as they are, rows as CSV, everything else as JSON. */
export function textOfOutput(output: unknown): string {
  if (typeof output === 'string') return output
  if (isObject(output)) {
    if (typeof output['text'] === 'string') return output['text']
    const table = tableIn(output)
    if (table !== undefined) return csvOf(table)
  }
  return output === undefined ? '' : JSON.stringify(output)
}

/** Maximum rows of a result for a role, which has no tools to read the rest. */
const MAX_FIRST_ROWS = 30

/** The number of all rows, then the first rows. */
export function firstRows(table: Table): string {
  if (table.rows.length <= MAX_FIRST_ROWS) return csvOf(table)
  const first = csvOf({ ...table, rows: table.rows.slice(0, MAX_FIRST_ROWS) })
  return `${first}\n[The first ${MAX_FIRST_ROWS} rows.]`
}

/**
 * The part of a result from a character on.
 * @param id to read the rest by
 * @param limit maximum characters
 */
export function resultPage(text: string, id: string, offset = 0, limit = MAX_RESULT_CHARS): string {
  if (text === '') return 'The result is empty.'
  const end = endOfPage(text, offset, Math.min(limit || MAX_RESULT_CHARS, MAX_RESULT_CHARS))
  const part = withStrikeNote(text.slice(offset, end))
  if (offset === 0 && end === text.length) return part
  const rest = end < text.length ? ` read_result with id ${id} and offset ${end} shows more.` : ''
  return `${part}\n[Characters ${offset} to ${end} of ${text.length}.${rest}]`
}

/** After the last whole line that fits, or within a line that is longer than half a page. */
function endOfPage(text: string, from: number, limit: number): number {
  const maxEnd = from + limit
  if (maxEnd >= text.length) return text.length
  const line = text.lastIndexOf('\n', maxEnd - 1) + 1
  return line > from + limit / 2 ? line : maxEnd
}

/** CSV behind a line with the number of rows, which a reader of the first page sees, too. */
function csvOf(table: Table): string {
  const rest = table.truncated === true ? '; the source has more' : ''
  return [`[${pluralize(table.rowCount, 'row')}${rest}]`, ...csvLines(table)].join('\n')
}
