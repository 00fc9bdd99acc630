import { tableRow } from './document-text.ts'

/** A table row with its 1-based index. */
export interface TableRow {
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

/** The lines of a table: merged cells in each row and column that they span, header rows of several levels as one. */
export function tableLines(rows: readonly TableRow[], merged: readonly MergedCells[] = []): string[] {
  return joinHeader(spreadMerged(rows, merged), merged).flatMap(({ cells }) => tableRow(cells) ?? [])
}

/** Cells; files may name ranges as large as a sheet any number of times. */
const MAX_SPREAD = 100_000

/** The rows with the text of merged cells in each row and column that they span; one that is alone in its row is a title. */
export function spreadMerged(rows: readonly TableRow[], merged: readonly MergedCells[]): readonly TableRow[] {
  if (merged.length === 0) return rows
  const places = new Map(rows.map(({ number }, i) => [number, i]))
  const texts = rows.map(({ cells }) => [...cells])
  let remaining = MAX_SPREAD
  for (const { top, bottom, left: first, right } of merged) {
    const at = places.get(top) ?? rows.length
    const cells = rows[at]?.cells ?? []
    const text = cells[first] ?? ''
    if (text === '') continue
    const last = countFilled(cells) > 1 ? right : first
    for (let i = at; i < rows.length && rows[i]!.number <= bottom && remaining > 0; i++) {
      const row = texts[i]!
      for (; row.length < first; remaining--) row.push('')
      for (let column = first; column <= last && remaining > 0; column++, remaining--) row[column] = text
    }
  }
  return rows.map(({ number }, i) => ({ number, cells: texts[i]! }))
}

/** Header rows of two and more levels as one: “2025 Actual”. Rows of one cell above them are titles. */
export function joinHeader(rows: readonly TableRow[], merged: readonly MergedCells[] = []): readonly TableRow[] {
  const start = rows.findIndex(({ cells }) => countFilled(cells) > 1)
  if (start < 0) return rows
  // A row with cells over several columns has its next level in the row below it.
  const wide = new Set(merged.filter(({ left, right }) => right > left).map(({ top }) => top))
  const end = rows.findIndex(({ number }, i) => i >= start && !wide.has(number)) + 1
  const isHeader = end > start + 1 && !rows[end - 1]!.cells.some(isValue)
  if (isHeader) return [...rows.slice(0, start), joined(rows.slice(start, end)), ...rows.slice(end)]
  const [groups, names, values] = rows.slice(start, start + 3)
  if (!isGroupRow(groups!.cells, names?.cells, values?.cells)) return rows
  return [...rows.slice(0, start), joined([withGroups(groups!, names!), names!]), ...rows.slice(start + 2)]
}

function joined(header: readonly TableRow[]): TableRow {
  const columns = Math.max(...header.map(({ cells }) => cells.length))
  const cells = Array.from({ length: columns }, (_, i) => {
    const names = header.map((row) => row.cells[i] ?? '').filter((name) => name !== '')
    return [...new Set(names)].join(' ')
  })
  return { number: header[0]!.number, cells }
}

/** A number with at most a unit: not “Q1”, and no year, which is the name of a column. */
export function isValue(cell: string): boolean {
  return /^[^\p{L}\d]{0,3}\d[^\p{L}]{0,40}(?:\p{L}{1,4}\.?)?$/u.test(cell) && !/^(?:19|20)\d\d$/.test(cell)
}

/**
 * Whether a row names groups of the columns that the row below names, without merged cells: it has gaps where that one has names,
 * and the values begin after that one.
 */
function isGroupRow(groups: readonly string[], names?: readonly string[], values?: readonly string[]): boolean {
  if (names === undefined || values === undefined || countFilled(groups) < 2) return false
  const open = names.flatMap((name, i) => (name !== '' && i > 0 && (groups[i] ?? '') === '' ? [i] : []))
  const areValues = open.every((i) => isValue(values[i] ?? ''))
  return open.length > 0 && areValues && !names.some(isValue)
}

/** The name of a group in each of its columns. */
function withGroups({ number, cells }: TableRow, names: TableRow): TableRow {
  let group = ''
  return { number, cells: names.cells.map((name, i) => (group = cells[i] || (name === '' ? '' : group))) }
}

export function countFilled(cells: readonly string[]): number {
  return cells.reduce((count, cell) => count + (cell === '' ? 0 : 1), 0)
}
