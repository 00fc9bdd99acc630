import { searchTerms } from '../../../knowledge/search/analysis.ts'
import type { HitInContext } from '../../../knowledge/search/neighbours.ts'

/**
 * Lines of a table as a person would say them: “City: Bergen, Desks: 62”. Of two columns the first line names them only where
 * all below it are figures; else each row has a name of its own: “Load: 1,800 kg”.
 * @param rows all of the table that are there, without the names of the columns
 */
export function rowsInWords(quote: string, rows: readonly string[], columns?: string): string {
  const lines = quote.split('\n')
  if (!lines.every((line) => line.includes('|'))) return quote
  const names = columns === undefined ? [] : cellsOf(columns)
  const isNamed = lines[0] === columns && (names.length > 2 || rows.every((row) => /\d/.test(cellsOf(row)[1] ?? '')))
  if (!isNamed) return lines.map((line) => cellsOf(line).join(names.length === 2 ? ': ' : ', ')).join('; ')
  return lines
    .slice(1)
    .map((line) => withNames(cellsOf(line), names))
    .join('; ')
}

function withNames(cells: readonly string[], names: readonly string[]): string {
  return cells.flatMap((cell, i) => (cell === '' ? [] : [[names[i], cell].filter(Boolean).join(': ')])).join(', ')
}

function cellsOf(line: string): string[] {
  return line.split('|').map((cell) => cell.trim())
}

/** The rows of a table of which something is said, in characters of the document; undefined where one cannot tell. */
export function rowsSaid(
  { kind, text, start, end }: HitInContext['chunk'],
  said: string,
): { readonly start: number; readonly end: number } | undefined {
  // Of one that something was left out of, nobody knows.
  if (kind !== 'table' || text.length !== end - start) return undefined
  const words = new Set(searchTerms(said))
  let at = start
  const rows = text.split('\n').flatMap((line) => {
    const terms = [...new Set(searchTerms(line))]
    const held = terms.filter((one) => words.has(one)).length
    const row = { start: at, end: at + line.length, line, held, isWhole: held > 0 && held === terms.length }
    at = row.end + 1
    return line.includes('|') ? [row] : []
  })
  // The names of the columns are said of every row.
  const body = rows.filter(({ line }, i) => i > 0 || /\d/.test(line))
  const most = Math.max(1, ...body.map(({ held }) => held))
  const whole = body.filter(({ isWhole }) => isWhole)
  const best = whole.length > 0 ? whole : body.filter(({ held }) => held === most)
  const isTold = whole.length > 0 || best.length === 1
  return isTold ? { start: best[0]!.start, end: best.at(-1)!.end } : undefined
}
