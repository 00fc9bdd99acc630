import type { Cell, Line } from './pdf-lines.ts'
import { isValue, type MergedCells, tableLines } from './table-rows.ts'

/** A table found among the lines of a page. */
export interface FoundTable {
  /** Rows as `a | b | c`. */
  readonly rows: readonly string[]
  /** Index of the line after it. */
  readonly end: number
}

/** Maximum distance of two lines of one table, in font sizes. */
const MAX_STEP = 3.5

/**
 * Finds the table that starts at a line: at least two lines of at least two cells each, aligned in columns. A line with
 * only a part of the cells continues the row above.
 */
export function tableAt(lines: readonly Line[], at: number): FoundTable | undefined {
  const end = endOfRun(lines, at)
  const run = lines.slice(at, end)
  const wide = run.filter(({ cells }) => cells.length > 1)
  if (wide.length < 2) return undefined
  const columns = columnsOf(wide)
  if (columns.length < 2) return undefined
  const step = usualStep(wide)
  // If a group of rows is named only once, its other rows start with an empty cell.
  const rowStep = smallestStep(wide.filter((line) => tableCells(line, columns)[0] !== ''))
  const rows: string[][] = []
  const merged: MergedCells[] = []
  let last: Line | undefined
  let isHead = true
  for (const [i, line] of run.entries()) {
    const below = run[i + 1] === undefined ? [] : tableCells(run[i + 1]!, columns)
    const groups: readonly Group[] | undefined =
      isHead && !below.some(isValue) ? groupsIn(line, columns, below) : undefined
    const cells = groups === undefined ? tableCells(line, columns) : columns.map(() => '')
    for (const [n, [left, right]] of groups?.entries() ?? []) {
      cells[left] = line.cells[n]!.text
      if (right > left) merged.push({ top: rows.length + 1, bottom: rows.length + 1, left, right })
    }
    const isContinued = last !== undefined && !isHead && isContinuation(line, cells, last.y - line.y, step, rowStep)
    if (isContinued) rows.push(joined(rows.pop()!, cells))
    else rows.push(cells)
    isHead &&= groups !== undefined
    last = line
  }
  return {
    rows: tableLines(
      rows.map((cells, i) => ({ number: i + 1, cells })),
      merged,
    ),
    end,
  }
}

/** Single-cell lines stay in a run if lines with several cells follow at the same distance. */
function endOfRun(lines: readonly Line[], at: number): number {
  if ((lines[at]?.cells.length ?? 0) < 2) return at
  let end = at + 1
  let singles = 0
  for (let i = at + 1; i < lines.length; i++) {
    const line = lines[i]!
    const step = lines[i - 1]!.y - line.y
    if (line.rows !== undefined || step <= 0 || step > MAX_STEP * line.size) break
    if (line.cells.length > 1) {
      end = i + 1
      singles = 0
    } else if (++singles > 2 || isProse(line, lines.slice(at, end))) break
    else if (line.cells[0]!.x0 > lines[at]!.cells[0]!.x1) end = i + 1
  }
  return end
}

/** A line as wide as several columns is text below or between tables. */
function isProse({ cells: [cell] }: Line, above: readonly Line[]): boolean {
  if (cell === undefined) return true
  const starts = above.flatMap(({ cells }) => cells.slice(1).map(({ x0 }) => x0))
  return starts.length > 0 && cell.x0 < Math.min(...starts) && cell.x1 > Math.min(...starts)
}

/**
 * Column ranges from left to right. Only the lines with the most cells are used, since cells that span columns would
 * merge them.
 */
function columnsOf(lines: readonly Line[]): Column[] {
  const max = Math.max(...lines.map(({ cells }) => cells.length))
  const drawing = lines.filter(({ cells }) => cells.length >= Math.max(2, max - 1))
  const cells = drawing.flatMap(({ cells }) => cells).toSorted((a, b) => a.x0 - b.x0)
  const columns: Column[] = []
  for (const { x0, x1 } of cells) {
    const column = columns.at(-1)
    if (column !== undefined && x0 < column.x1) column.x1 = Math.max(column.x1, x1)
    else columns.push({ x0, x1 })
  }
  return columns
}

function tableCells({ cells }: Line, columns: readonly Column[]): string[] {
  const texts = columns.map(() => '')
  for (const cell of cells) {
    const i = columnOf(cell, columns)
    texts[i] = texts[i] === '' ? cell.text : `${texts[i]} ${cell.text}`
  }
  return texts
}

/** The first column that a cell overlaps, else the nearest one. */
function columnOf({ x0, x1 }: Cell, columns: readonly Column[]): number {
  const inside = columns.findIndex((column) => x0 < column.x1 && x1 > column.x0)
  if (inside >= 0) return inside
  const distances = columns.map((column) => Math.min(Math.abs(x0 - column.x1), Math.abs(x1 - column.x0)))
  return distances.indexOf(Math.min(...distances))
}

/** Usual distance between rows. */
function usualStep(lines: readonly Line[]): number {
  const steps = stepsOf(lines)
  return steps.toSorted((a, b) => a - b)[steps.length >> 1] ?? 0
}

function smallestStep(lines: readonly Line[]): number {
  return Math.min(...stepsOf(lines))
}

function stepsOf(lines: readonly Line[]): number[] {
  return lines.slice(1).map(({ y }, i) => lines[i]!.y - y)
}

/**
 * Whether a line continues a multi-line cell: it has nothing in the first column, or is closer to the line above than
 * rows are.
 */
function isContinuation(
  { cells }: Line,
  texts: readonly string[],
  step: number,
  usual: number,
  rowStep: number,
): boolean {
  if (cells.length >= texts.length) return false
  if (texts[0] !== '') return step < usual * 0.8
  return cells.length < 2 || cells.length < texts.length - 1 || step < rowStep * 0.9
}

function joined(row: readonly string[], more: readonly string[]): string[] {
  return row.map((text, i) => [text, more[i] ?? ''].filter((part) => part !== '').join(' '))
}

/** Horizontal range of a table column. */
interface Column {
  x0: number
  x1: number
}

/** The first and the last column of a group. */
type Group = readonly [left: number, right: number]

/** Maximum distance of a heading from the middle or the left edge of its columns, in font sizes. */
const MAX_OFFSET = 0.75

/**
 * Returns the columns under each cell of a line, if it is a line of group headings: each is centred above its columns
 * or, if names repeat in each group, aligned with the left edge of the first. Undefined for any other line.
 * @param names texts of the line below, by column
 */
function groupsIn({ cells, size }: Line, columns: readonly Column[], names: readonly string[]): Group[] | undefined {
  if (cells.length < 2 || cells.length >= columns.length) return undefined
  const isRepeating = new Set(names).size < names.length
  const groups: Group[] = []
  for (const [i, cell] of cells.entries()) {
    const from = (groups.at(-1)?.[1] ?? -1) + 1
    const next = cells[i + 1]?.x0 ?? Infinity
    const last = columns.findLastIndex(({ x0 }) => x0 < next - size)
    const group = columnsUnder(cell, columns, from, last, size * MAX_OFFSET, isRepeating ? names : undefined)
    if (group === undefined) return undefined
    groups.push(group)
  }
  return groups.some(([left, right]) => right > left) ? groups : undefined
}

function columnsUnder(
  cell: Cell,
  columns: readonly Column[],
  from: number,
  last: number,
  offset: number,
  names?: readonly string[],
): Group | undefined {
  let best: Group | undefined
  let min = offset
  for (let left = from; left < columns.length; left++) {
    for (let right = left + 1; right <= last; right++) {
      const off = Math.abs(columns[left]!.x0 + columns[right]!.x1 - cell.x0 - cell.x1) / 2
      const isOver = columns[left]!.x0 <= cell.x0 && columns[right]!.x1 >= cell.x1
      if (isOver && off <= min) [best, min] = [[left, right], off]
    }
  }
  if (best !== undefined) return best
  const first = columns.findIndex(({ x0 }, i) => i >= from && Math.abs(x0 - cell.x0) <= offset)
  if (first >= 0 && (names?.[first] ?? '') !== '') return [first, Math.max(first, last)]
  const own = columns.findIndex(({ x0, x1 }, i) => i >= from && x0 <= cell.x1 && x1 >= cell.x0)
  return own < 0 ? undefined : [own, own]
}
