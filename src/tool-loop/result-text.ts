import { isObject } from '../core/outside.ts'
import { csvLines, type Table } from '../core/table.ts'

/** Characters of a result that the model is given at once: some 4,000 tokens. */
const MAX_RESULT_CHARS = 16_000

/** The whole result as text: text as it is, rows as CSV, everything else as JSON. */
export function textOfOutput(output: unknown): string {
  if (typeof output === 'string') return output
  if (isObject(output)) {
    if (typeof output['text'] === 'string') return output['text']
    const table = tableIn(output)
    if (table !== undefined) return csvOf(table)
  }
  return output === undefined ? '' : JSON.stringify(output)
}

/** The part of a result that begins at a character. */
export function page(text: string, from: number, handle: string): string {
  if (text === '') return 'The result is empty.'
  const end = endOfPage(text, from)
  const part = text.slice(from, end)
  if (from === 0 && end === text.length) return part
  const rest = end < text.length ? ` read_result with handle ${handle} and from ${end} shows more.` : ''
  return `${part}\n[Characters ${from} to ${end} of ${text.length}.${rest}]`
}

/** After the last whole line that fits, or within a line that is longer than half a page. */
function endOfPage(text: string, from: number): number {
  const most = from + MAX_RESULT_CHARS
  if (most >= text.length) return text.length
  const line = text.lastIndexOf('\n', most - 1) + 1
  return line > from + MAX_RESULT_CHARS / 2 ? line : most
}

/** The table that a call returned; other tools can be given its rows by the handle of the result. */
export function tableIn(output: unknown): Table | undefined {
  return isObject(output) ? tableOf(output['tabular'] ?? output) : undefined
}

/** A value that is a table. */
export function tableOf(value: unknown): Table | undefined {
  if (!isObject(value) || !Array.isArray(value['columns']) || !Array.isArray(value['rows'])) return undefined
  const { columns, rows, rowCount = rows.length, truncated } = value as unknown as Table
  if (!rows.every(isObject)) return undefined
  return { columns, rows, rowCount, ...(truncated === true ? { truncated } : {}) }
}

/** CSV behind a line with the number of rows, which a reader of the first page sees, too. */
function csvOf(table: Table): string {
  const { rowCount, truncated } = table
  const more = truncated === true ? `${rowCount} rows; the source has more` : `${rowCount} rows`
  return [`[${more}]`, ...csvLines(table)].join('\n')
}
