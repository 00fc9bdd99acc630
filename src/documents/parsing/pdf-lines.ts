import { omitUndefined } from '../../shared/json.ts'
import { plainShifted, type Shift } from '../../shared/superscripts.ts'

/** A positioned piece of text; points from the left and from the bottom. */
export interface TextItem {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly size: number
  /** Rows of a table, if it is one. */
  readonly rows?: readonly string[]
}

/** Text of a line that is separated from the next cell by more than a word space. */
export interface Cell {
  readonly text: string
  readonly x0: number
  readonly x1: number
}

export interface Line {
  readonly cells: readonly Cell[]
  readonly y: number
  /** Size of most of its letters. */
  readonly size: number
  /** Rows of a table, if it is one. */
  readonly rows?: readonly string[]
}

/** Pieces of text at one height, from left to right. */
export interface Row {
  readonly items: readonly TextItem[]
  readonly y: number
  readonly size: number
  /** It is part of a column of running text, whose words may be spread by justification. */
  readonly isInColumn?: boolean
}

/** Minimum gap between words, and between columns, in font sizes. */
const WORD_GAP = 0.15
const COLUMN_GAP = 1.2
const SPREAD_GAP = 3
/** Maximum overlap of two lines of one size; superscripts and subscripts overlap more. */
const SAME_LINE = 0.45

/** Groups the pieces of a page into rows, from top to bottom. */
export function groupRows(items: readonly TextItem[]): Row[] {
  const rows: { y: number; size: number; items: TextItem[] }[] = []
  for (const item of items.toSorted((a, b) => b.y - a.y || a.x - b.x)) {
    const row = rows.at(-1)
    const isTable = item.rows !== undefined || row?.items[0]?.rows !== undefined
    if (row !== undefined && !isTable && Math.abs(row.y - item.y) < SAME_LINE * Math.max(row.size, item.size)) {
      row.items.push(item)
      if (item.size > row.size) Object.assign(row, { y: item.y, size: item.size })
    } else rows.push({ y: item.y, size: item.size, items: [item] })
  }
  return rows.map(({ y, items }) => ({ y, size: usualSize(items), items: items.toSorted((a, b) => a.x - b.x) }))
}

/** Splits a row into cells. */
export function lineOf({ y, size, items, isInColumn = false }: Row): Line {
  return {
    y,
    size,
    cells: cellsOf(items, isInColumn ? SPREAD_GAP : COLUMN_GAP),
    ...omitUndefined({ rows: items[0]?.rows }),
  }
}

/** Whether a piece of the row crosses the position `x`. */
export function hasCrossing({ items }: Row, x: number): boolean {
  return items.some((item) => item.x < x - 0.5 && item.x + item.width > x + 0.5)
}

function cellsOf(items: readonly TextItem[], columnGap: number): Cell[] {
  const cells: TextItem[][] = []
  let end = -Infinity
  for (const item of items) {
    if (item.x - end > columnGap * item.size) cells.push([item])
    else cells.at(-1)!.push(item)
    end = Math.max(item.x + item.width, cells.at(-1)!.length === 1 ? -Infinity : end)
  }
  return cells.map((pieces) => ({
    text: joined(withShifts(pieces)).trim(),
    x0: pieces[0]!.x,
    x1: Math.max(...pieces.map(({ x, width }) => x + width)),
  }))
}

interface ShiftedItem extends TextItem {
  readonly shift: Shift | undefined
}

function withShifts(pieces: readonly TextItem[]): ShiftedItem[] {
  const shifts = shiftsOf(pieces, usualSize(pieces))
  return pieces.map((piece, i) => ({ ...piece, shift: shifts[i] }))
}

/** Merges the pieces of a superscript or subscript before they are marked as one. */
function joined(pieces: readonly ShiftedItem[]): string {
  let text = ''
  let run = ''
  for (const [i, piece] of pieces.entries()) {
    const before = pieces[i - 1]
    const gap = before === undefined ? 0 : piece.x - before.x - before.width
    const size = piece.shift === undefined ? piece.size : Math.max(piece.size, before?.size ?? 0)
    const last = run === '' ? text : run
    const isApart = gap > WORD_GAP * size && !last.endsWith(' ') && !piece.text.startsWith(' ')
    run += isApart ? ` ${piece.text}` : piece.text
    if (piece.shift !== undefined && pieces[i + 1]?.shift === piece.shift) continue
    text += piece.shift === undefined ? run : plainShifted(run, piece.shift, text.slice(-1))
    run = ''
  }
  return text
}

/** The most frequent letter size, to a tenth of a point. */
export function usualSize(items: readonly { readonly text: string; readonly size: number }[]): number {
  const letters = new Map<number, number>()
  for (const { text, size } of items) {
    const rounded = Math.round(size * 10) / 10
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length)
  }
  let best = 0
  for (const [size, count] of letters) if (count > (letters.get(best) ?? 0)) best = size
  return best
}

/** The text of a line. */
export function lineText({ cells }: Line): string {
  return cells.map(({ text }) => text).join(' ')
}

/** Maximum and minimum size of a superscript or subscript, relative to the adjacent letters. */
const MAX_SIZE = 0.87
const MIN_SIZE = 0.4
/** Minimum distance from the baseline, relative to the size of the adjacent letters. */
const MIN_RISE = 0.12
const MIN_DROP = 0.08
/** Minimum distance if it is not smaller, and maximum gap to the adjacent letters. */
const MIN_RISE_SAME_SIZE = 0.2
const MAX_GAP = 0.15
/** How many pieces away the larger letters may be. */
const NEAR = 20

/**
 * Detects pieces of a cell above or below its baseline.
 * @param pieces from left to right
 * @param size of most of their letters
 */
function shiftsOf(pieces: readonly TextItem[], size: number): (Shift | undefined)[] {
  const baseline = baselineOf(pieces.filter((piece) => isAbout(piece.size, size)))
  return pieces.map((piece, i) => {
    const isLarger = (other: TextItem): boolean =>
      piece.size <= other.size * MAX_SIZE && piece.size >= other.size * MIN_SIZE
    const larger =
      pieces.slice(Math.max(0, i - NEAR), i).findLast(isLarger) ?? pieces.slice(i + 1, i + 1 + NEAR).find(isLarger)
    if (larger !== undefined) {
      const rise = (piece.y - larger.y) / larger.size
      return rise >= MIN_RISE ? 'raised' : rise <= -MIN_DROP ? 'lowered' : undefined
    }
    const rise = (piece.y - baseline) / piece.size
    if (!isAbout(piece.size, size) || Math.abs(rise) < MIN_RISE_SAME_SIZE || !isClose(pieces[i - 1], piece)) {
      return undefined
    }
    return rise > 0 ? 'raised' : 'lowered'
  })
}

function isAbout(size: number, other: number): boolean {
  return Math.abs(size - other) <= other * 0.1
}

function isClose(before: TextItem | undefined, { x, size }: TextItem): boolean {
  return before !== undefined && x - before.x - before.width <= MAX_GAP * size
}

/** The most frequent baseline; the lowest of several. */
function baselineOf(pieces: readonly TextItem[]): number {
  const letters = new Map<number, number>()
  for (const { y, text } of pieces) letters.set(y, (letters.get(y) ?? 0) + text.length)
  let best = Infinity
  for (const [y, count] of letters) {
    const max = letters.get(best) ?? 0
    if (count > max || (count === max && y < best)) best = y
  }
  return best
}
