import { omitUndefined } from '../../shared/json.ts'
import { plainShifted, type Shift } from '../../shared/superscripts.ts'
import { shiftsOf } from './pdf-shifts.ts'

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
  /** Whether it is read from right to left; cells are stored from left to right. */
  readonly isRightToLeft?: boolean
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
  const isRtl = isRightToLeft(items)
  return {
    y,
    size,
    cells: cellsOf(items, isRtl, isInColumn ? SPREAD_GAP : COLUMN_GAP),
    ...(isRtl ? { isRightToLeft: true } : {}),
    ...omitUndefined({ rows: items[0]?.rows }),
  }
}

/** Whether a piece of the row crosses the position `x`. */
export function hasCrossing({ items }: Row, x: number): boolean {
  return items.some((item) => item.x < x - 0.5 && item.x + item.width > x + 0.5)
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

/** Whether most pieces with letters are in a right-to-left script. */
export function isRightToLeft(items: readonly TextItem[]): boolean {
  const rtl = items.filter(({ text }) => RIGHT_TO_LEFT.test(text)).length
  return rtl > 0 && rtl * 2 >= items.filter(({ text }) => /\p{L}/u.test(text)).length
}

function cellsOf(items: readonly TextItem[], isRtl: boolean, columnGap: number): Cell[] {
  const cells: TextItem[][] = []
  let end = -Infinity
  for (const item of items) {
    if (item.x - end > columnGap * item.size) cells.push([item])
    else cells.at(-1)!.push(item)
    end = Math.max(item.x + item.width, cells.at(-1)!.length === 1 ? -Infinity : end)
  }
  return cells.map((pieces) => ({
    text: joined(isRtl ? rightToLeftOrder(withShifts(pieces)) : withShifts(pieces)).trim(),
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

/** Orders pieces from right to left; numbers and words in other scripts stay from left to right. */
function rightToLeftOrder(pieces: readonly ShiftedItem[]): ShiftedItem[] {
  const ordered: ShiftedItem[] = []
  let other: ShiftedItem[] = []
  for (const piece of pieces.toReversed()) {
    if (/[\p{L}\p{N}]/u.test(piece.text) && !RIGHT_TO_LEFT.test(piece.text)) other.unshift(piece)
    else {
      ordered.push(...other, piece)
      other = []
    }
  }
  return [...ordered, ...other]
}

/** Merges the pieces of a superscript or subscript before they are marked as one. */
function joined(pieces: readonly ShiftedItem[]): string {
  let text = ''
  let run = ''
  for (const [i, piece] of pieces.entries()) {
    const before = pieces[i - 1]
    const gap = before === undefined ? 0 : Math.max(piece.x - before.x - before.width, before.x - piece.x - piece.width)
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
export function lineText({ cells, isRightToLeft: isRtl = false }: Line): string {
  const texts = cells.map(({ text }) => text)
  return (isRtl ? texts.reverse() : texts).join(' ')
}
