import type { Table } from '../../core/table.ts'
import { numeric } from './derive.ts'
import type { NumberFigure } from './read.ts'

/** Tables with more rows are lists that nobody reads out. */
const MOST_ROWS = 200
/** Where something else is spoken of. */
const CLAUSE =
  /[,;:()|\n]|(?<!\p{L})(?:and|but|while|whereas|und|aber|während|et|mais|y|pero|mientras|e|ma|mas|en|maar)(?!\p{L})/iu

/**
 * Whether the sentence gives one row's figure to another: the clause names rows of the table that has it, and it stands in
 * none of these. A clause that names no row, or a figure that stands nowhere in the table, says nothing of rows.
 */
export function isOfOtherRow(figure: NumberFigure, sentence: string, tables: readonly Table[]): boolean {
  const clauses = clausesWith(figure.text, sentence)
  if (figure.isOrdinal || clauses.length === 0) return false
  let isSwapped = false
  for (const { columns, rows } of tables) {
    if (rows.length < 2 || rows.length > MOST_ROWS || figure.readings[0]!.value <= rows.length) continue
    const having = rows.filter((row) => columns.some((column) => isPrinted(numeric(row[column]), figure)))
    if (having.length === 0) continue
    const isRight = clauses.some((clause) => {
      const named = rows.filter((row) => columns.some((column) => isNamed(row[column], clause)))
      return named.length === 0 || named.some((row) => having.includes(row))
    })
    if (isRight) return false
    isSwapped = true
  }
  return isSwapped
}

/** The clauses that print it, each with those before it that have no figure of their own: “Rock and Latin have 835”. */
function clausesWith(text: string, sentence: string): string[] {
  const found: string[] = []
  let open = ''
  for (const clause of pieces(sentence)) {
    open += ` ${clause}`
    if (!/\d/.test(clause)) continue
    if (open.includes(text)) found.push(open)
    open = ''
  }
  return found
}

/** Commas inside a number part nothing. */
function pieces(sentence: string): string[] {
  return sentence
    .replace(/(?<=\d),(?=\d)/g, '\0')
    .split(CLAUSE)
    .map((piece) => piece.replaceAll('\0', ','))
}

function isNamed(cell: unknown, clause: string): boolean {
  if (typeof cell !== 'string' || !/\p{L}{2}/u.test(cell)) return false
  // “US” is not “us”.
  const [name, said] = cell.length < 4 ? [cell, clause] : [cell.toLowerCase(), clause.toLowerCase()]
  for (let at = said.indexOf(name); at >= 0; at = said.indexOf(name, at + 1)) {
    const around = `${said[at - 1] ?? ''} ${said[at + name.length] ?? ''}`
    if (!/[\p{L}\p{N}]/u.test(around)) return true
  }
  return false
}

function isPrinted(value: number | undefined, { readings, isPercent }: NumberFigure): boolean {
  return value !== undefined && !isPercent && readings.some(({ from, to }) => value >= from && value <= to)
}
