import { type DocumentText, tableRow } from './document-text.ts'

/** A row of a sheet that has something in it; its place counts from 1. */
export interface SheetRow {
  readonly number: number
  readonly cells: readonly string[]
}

/** Adds a sheet: its name as a heading, then its tables, which empty rows part from each other. */
export function addSheet(text: DocumentText, name: string, rows: readonly SheetRow[], page: number): void {
  if (rows.length === 0) return
  text.add('heading', name, { page, level: 1 })
  for (const group of groups(rows)) addGroup(text, group, page)
}

function groups(rows: readonly SheetRow[]): SheetRow[][] {
  const all: SheetRow[][] = []
  let last: SheetRow | undefined
  for (const row of rows) {
    if (last?.number === row.number - 1) all.at(-1)!.push(row)
    else all.push([row])
    last = row
  }
  return all
}

/** Rows of one cell above a table are its title or a remark. */
function addGroup(text: DocumentText, group: readonly SheetRow[], page: number): void {
  const firstWide = group.findIndex(({ cells }) => filled(cells) > 1)
  const body = group.slice(Math.max(0, firstWide))
  for (const { cells } of group.slice(0, Math.max(0, firstWide))) text.add('paragraph', cells.join(''), { page })
  let left = Infinity
  let right = 0
  for (const { cells } of body) {
    left = Math.min(
      left,
      cells.findIndex((cell) => cell !== ''),
    )
    right = Math.max(right, cells.findLastIndex((cell) => cell !== '') + 1)
  }
  const lines = body.flatMap(({ cells }) => tableRow(padded(cells, left, right)) ?? [])
  text.add('table', lines.join('\n'), { page })
}

function filled(cells: readonly string[]): number {
  return cells.reduce((count, cell) => count + (cell === '' ? 0 : 1), 0)
}

function padded(cells: readonly string[], left: number, right: number): string[] {
  return Array.from({ length: right - left }, (_, i) => cells[left + i] ?? '')
}
