/** A piece of text as it stands on a page; points from the left and from the bottom. */
export interface TextItem {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly size: number
}

/** What stands together in a line, parted from the next by more than a word's space. */
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
}

/** Of the size of letters: what parts words, and what parts columns. */
const WORD_GAP = 0.15
const COLUMN_GAP = 1.2
/** Lines of one size overlap less than this; raised and lowered letters overlap more. */
const SAME_LINE = 0.45

/** Puts the pieces of a page into lines, from top to bottom, and each line into cells, from left to right. */
export function linesOf(items: readonly TextItem[]): Line[] {
  const rows: { y: number; size: number; items: TextItem[] }[] = []
  for (const item of items.toSorted((a, b) => b.y - a.y || a.x - b.x)) {
    const row = rows.at(-1)
    if (row !== undefined && Math.abs(row.y - item.y) < SAME_LINE * Math.max(row.size, item.size)) {
      row.items.push(item)
      if (item.size > row.size) Object.assign(row, { y: item.y, size: item.size })
    } else rows.push({ y: item.y, size: item.size, items: [item] })
  }
  return rows.map(({ y, items }) => ({ y, size: usualSize(items), cells: cellsOf(items) }))
}

function cellsOf(items: readonly TextItem[]): Cell[] {
  const cells: { text: string; x0: number; x1: number }[] = []
  for (const { text, x, width, size } of items.toSorted((a, b) => a.x - b.x)) {
    const cell = cells.at(-1)
    const gap = cell === undefined ? Infinity : x - cell.x1
    if (cell === undefined || gap > COLUMN_GAP * size) cells.push({ text, x0: x, x1: x + width })
    else {
      const isApart = gap > WORD_GAP * size && !cell.text.endsWith(' ') && !text.startsWith(' ')
      cell.text += isApart ? ` ${text}` : text
      cell.x1 = Math.max(cell.x1, x + width)
    }
  }
  return cells.map((cell) => ({ ...cell, text: cell.text.trim() }))
}

/** The size that the most letters have, to a tenth of a point. */
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

/** All of a line's text. */
export function lineText({ cells }: Line): string {
  return cells.map(({ text }) => text).join(' ')
}
