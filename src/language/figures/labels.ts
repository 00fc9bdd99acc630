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
      if (named.length > 0) return named.some((row) => having.includes(row))
      return (
        !isExtreme(clause) ||
        columns.some((column) =>
          isEnd(
            figure,
            rows.map((row) => numeric(row[column])),
            clause,
          ),
        )
      )
    })
    if (isRight) return false
    isSwapped = true
  }
  return isSwapped
}

const MOST =
  /(?<!\p{L})(?:most|highest|largest|biggest|greatest|best|maximum|top|meisten|höchste\p{L}*|größte\p{L}*|beste\p{L}*)(?!\p{L})/iu
const LEAST =
  /(?<!\p{L})(?:least|fewest|lowest|smallest|worst|minimum|wenigsten|niedrigste\p{L}*|kleinste\p{L}*)(?!\p{L})/iu

/** “The best genre has 835 tracks”: without a name, the words still say which row; not “the two best”, “at most”. */
function isExtreme(clause: string): boolean {
  if (
    /(?<!\p{L})(?:at (?:most|least|best|worst)|most of|second|third|next|\d|two|three|four|five|ten)[ -](?:most|highest|largest|biggest|best|lowest|smallest|\p{L}+ (?:most|best))|(?<!\p{L})at (?:most|least)|(?:top|best|bottom) (?:\d|two|three|four|five|ten)/iu.test(
      clause,
    )
  )
    return false
  return MOST.test(clause) !== LEAST.test(clause)
}

function isEnd(figure: NumberFigure, values: readonly (number | undefined)[], clause: string): boolean {
  const known = values.flatMap((value) => value ?? [])
  if (!known.some((value) => isPrinted(value, figure))) return false
  return isPrinted(MOST.test(clause) ? Math.max(...known) : Math.min(...known), figure)
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

/** Rows of a table that a sentence names. */
export function namedRows({ columns, rows }: Table, sentence: string): Table['rows'] {
  return rows.length > MOST_ROWS ? [] : rows.filter((row) => columns.some((column) => isNamed(row[column], sentence)))
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
