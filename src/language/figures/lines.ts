import type { Table } from '../../core/table.ts'
import { NOTHING_ABOVE, type Above, type RowsNamed } from './labels.ts'
import type { Row } from './rows.ts'

/** What the lines of an answer say of those behind them. */
export interface Lines extends Above {
  /** The cells of a printed table's heading, while its rows go on. */
  readonly header: readonly string[]
}

export const NO_LINES: Lines = { ...NOTHING_ABOVE, header: [] }

const HEADING = /^\s*(?:#|\*\*|[-+*•]\s|\d{1,2}[.)]\s)|:[*_\s]*$/u
const ITEM = /^\s*(?:[-+*•]\s|\d{1,2}[.)]\s|[*_]*\p{L}[\p{L} ]{0,40}[*_]*:)/u

/** The same behind one more sentence. */
export function linesAfter(sentence: string, named: readonly RowsNamed[], { header, heading, subject }: Lines): Lines {
  const isRow = sentence.trimStart().startsWith('|')
  const cells = sentence
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
  const isHeader = isRow && header.length === 0 && cells.length > 1
  const isHeading = HEADING.test(sentence) && !/\d/.test(named[0]?.rest ?? sentence)
  const rows = new Map<Table, readonly Row[]>(
    named.flatMap((one) => (one.rows.length > 0 ? [[one.table, one.rows] as const] : [])),
  )
  return {
    header: isHeader ? cells : isRow ? header : [],
    heading: isHeading ? rows : ITEM.test(sentence) ? heading : NOTHING_ABOVE.heading,
    subject: rows.size > 0 ? rows : subject,
  }
}
