import type { Cell, Line } from './pdf-lines.ts'

/** Horizontal range of a table column. */
export interface Column {
  x0: number
  x1: number
}

/** The first and the last column of a group. */
export type Group = readonly [left: number, right: number]

/** Maximum distance of a heading from the middle or the left edge of its columns, in font sizes. */
const MAX_OFFSET = 0.75

/**
 * Returns the columns under each cell of a line, if it is a line of group headings: each is centred above its columns
 * or, if names repeat in each group, aligned with the left edge of the first. Undefined for any other line.
 * @param names texts of the line below, by column
 */
export function groupsIn(
  { cells, size }: Line,
  columns: readonly Column[],
  names: readonly string[],
): Group[] | undefined {
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
