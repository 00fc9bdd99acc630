import { type DocumentText, tableRow } from './document-text.ts'

/** A row of a sheet that has something in it; its place counts from 1. */
export interface SheetRow {
  readonly number: number
  readonly cells: readonly string[]
}

/** Cells that are shown as one. Rows count from 1, columns from 0; the last ones are included. */
export interface MergedCells {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** Adds a sheet: its name as a heading, then its tables, which empty rows part from each other. */
export function addSheet(
  text: DocumentText,
  name: string,
  rows: readonly SheetRow[],
  page: number,
  merged: readonly MergedCells[] = [],
): void {
  if (rows.length === 0) return
  text.add('heading', name, { page, level: 1 })
  const wide = new Set(merged.filter(({ left, right }) => right > left).map(({ top }) => top))
  for (const group of groups(spread(rows, merged))) addGroup(text, group, page, wide)
}

/** The rows with the text of merged cells in each row and column that they span; one that is alone in its row is a title. */
function spread(rows: readonly SheetRow[], merged: readonly MergedCells[]): SheetRow[] {
  const places = new Map(rows.map(({ number }, i) => [number, i]))
  const texts = rows.map(({ cells }) => [...cells])
  let left = MAX_SPREAD
  for (const { top, bottom, left: first, right } of merged) {
    const at = places.get(top) ?? rows.length
    const cells = rows[at]?.cells ?? []
    const shown = cells[first] ?? ''
    if (shown === '') continue
    const last = filled(cells) > 1 ? right : first
    for (let i = at; i < rows.length && rows[i]!.number <= bottom && left > 0; i++) {
      const row = texts[i]!
      for (; row.length < first; left--) row.push('')
      for (let column = first; column <= last && left > 0; column++, left--) row[column] = shown
    }
  }
  return rows.map(({ number }, i) => ({ number, cells: texts[i]! }))
}

/** Cells; files may name ranges as large as a sheet any number of times. */
const MAX_SPREAD = 100_000

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
function addGroup(text: DocumentText, group: readonly SheetRow[], page: number, wide: ReadonlySet<number>): void {
  const firstWide = group.findIndex(({ cells }) => filled(cells) > 1)
  const body = withOneHeader(group.slice(Math.max(0, firstWide)), wide)
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

/** Header rows with cells over several columns and the row below them as one: “2025 Actual”. */
function withOneHeader(rows: readonly SheetRow[], wide: ReadonlySet<number>): readonly SheetRow[] {
  const depth = rows.findIndex(({ number }) => !wide.has(number)) + 1
  if (depth < 2) return rows
  const header = rows.slice(0, depth)
  const columns = Math.max(...header.map(({ cells }) => cells.length))
  const cells = Array.from({ length: columns }, (_, i) => {
    const names = header.map((row) => row.cells[i] ?? '').filter((name) => name !== '')
    return [...new Set(names)].join(' ')
  })
  return [{ number: header[0]!.number, cells }, ...rows.slice(depth)]
}

function filled(cells: readonly string[]): number {
  return cells.reduce((count, cell) => count + (cell === '' ? 0 : 1), 0)
}

function padded(cells: readonly string[], left: number, right: number): string[] {
  return Array.from({ length: right - left }, (_, i) => cells[left + i] ?? '')
}
