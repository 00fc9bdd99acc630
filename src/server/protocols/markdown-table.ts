import { escapeMarkdownLine } from '../../shared/literal.ts'
import type { Table } from '../../domain/table.ts'

const MAX_ROWS = 100

/**
 * The table of an answer as Markdown.
 * @param max maximum of rows; a note gives the number of rows left out
 * @param min minimum of values; a smaller table returns nothing, since the text of the answer has its value
 */
export function tableBlocks(table: Table | undefined, max = MAX_ROWS, min = 2): string[] {
  return table === undefined || table.columns.length * table.rows.length < min ? [] : [markdownTable(table, max)]
}

function markdownTable({ columns, rows, rowCount, truncated }: Table, max: number): string {
  const line = (cells: readonly unknown[]): string => `| ${cells.map(cellText).join(' | ')} |`
  const visible = rows.slice(0, max)
  const isCut = visible.length < rowCount || truncated === true
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...visible.map((row) => line(columns.map((column) => row[column]))),
    ...(isCut ? ['', `(The first ${visible.length} rows; there are more.)`] : []),
  ].join('\n')
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return escapeMarkdownLine(typeof value === 'object' ? JSON.stringify(value) : `${value as string}`)
}
