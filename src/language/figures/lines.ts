import type { Table } from '../../core/table.ts'
import { ITEM, NOTHING_ABOVE, type Above, type RowsNamed } from './labels.ts'
import { columnsCalled } from './measures.ts'
import type { Row } from './rows.ts'

/** What the lines of an answer say of those behind them. */
export interface Lines extends Above {
  /** The cells of a printed table's heading, while its rows go on. */
  readonly header: readonly string[]
  /** The heading above a list, whose items may not say what their figures are of. */
  readonly title: string
}

export const NO_LINES: Lines = { ...NOTHING_ABOVE, header: [], title: '' }

const HEADING = /^\s*(?:#|\*\*|[-+*•]\s|\d{1,2}[.)]\s)|:[*_\s]*$/u

/** The same behind one more sentence. */
export function linesAfter(
  sentence: string,
  named: readonly RowsNamed[],
  { header, heading, subject, title }: Lines,
): Lines {
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
  const [text = sentence] = named.map(({ rest }) => rest)
  const isTitle =
    isHeading && !isRow && (!ITEM.test(sentence) || named.some(({ table }) => columnsCalled(table, text).length > 0))
  return {
    header: isHeader ? cells : isRow ? header : [],
    heading: isHeading ? rows : ITEM.test(sentence) ? heading : NOTHING_ABOVE.heading,
    subject: rows.size > 0 ? rows : subject,
    spoken: new Map(named.flatMap((one) => (one.together.length > 0 ? [[one.table, one.together] as const] : []))),
    title: isTitle ? text : ITEM.test(sentence) ? title : '',
  }
}
