import { type DocumentText, tableRow } from './document-text.ts'
import { countFilled, joinHeader, spreadMerged, type MergedCells, type TableRow } from './table-rows.ts'

/** Adds a sheet: its name as a heading, then its tables, which empty rows part from each other. */
export function addSheet(
  text: DocumentText,
  name: string,
  rows: readonly TableRow[],
  page: number,
  merged: readonly MergedCells[],
): void {
  if (rows.length === 0) return
  text.add('heading', name, { page, level: 1 })
  for (const group of groups(spreadMerged(rows, merged))) addGroup(text, group, page, merged)
}

function groups(rows: readonly TableRow[]): TableRow[][] {
  const all: TableRow[][] = []
  let last: TableRow | undefined
  for (const row of rows) {
    if (last?.number === row.number - 1) all.at(-1)!.push(row)
    else all.push([row])
    last = row
  }
  return all
}

/** Rows of one cell above a table are its title or a remark. */
function addGroup(text: DocumentText, group: readonly TableRow[], page: number, merged: readonly MergedCells[]): void {
  const firstWide = group.findIndex(({ cells }) => countFilled(cells) > 1)
  const body = joinHeader(group.slice(Math.max(0, firstWide)), merged)
  for (const { cells } of group.slice(0, Math.max(0, firstWide))) text.add('paragraph', cells.join(''), { page })
  let firstColumn = Infinity
  let right = 0
  for (const { cells } of body) {
    firstColumn = Math.min(
      firstColumn,
      cells.findIndex((cell) => cell !== ''),
    )
    right = Math.max(right, cells.findLastIndex((cell) => cell !== '') + 1)
  }
  const lines = body.flatMap(({ cells }) => tableRow(padded(cells, firstColumn, right)) ?? [])
  text.add('table', lines.join('\n'), { page })
}

function padded(cells: readonly string[], left: number, right: number): string[] {
  return Array.from({ length: right - left }, (_, i) => cells[left + i] ?? '')
}
