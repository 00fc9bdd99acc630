import { groupRows, lineOf, lineText, usualSize, type TextItem } from './pdf-lines.ts'
import { tableLines, type MergedCells } from './table-rows.ts'

/** A straight line at one coordinate, from and to on the other axis. */
export interface Rule {
  readonly at: number
  readonly from: number
  readonly to: number
}

/** Lines that a page draws. */
export interface Rules {
  readonly horizontal: readonly Rule[]
  readonly vertical: readonly Rule[]
}

/** Maximum distance of lines that meet, in points. */
const NEAR = 3
/** Maximum number of pairs of lines, and of cells, of a page. */
const MAX_PAIRS = 1_000_000
const MAX_CELLS = 20_000
/** Rows without lines between them: this many lines of text in this share of the columns. */
const MIN_UNRULED_LINES = 3
const UNRULED_SHARE = 0.6

/** Replaces text inside grids of lines by one item for each grid, with its rows as a table. */
export function withGrids(items: readonly TextItem[], rules: Rules): readonly TextItem[] {
  return gridsIn(rules).reduce((left, grid) => {
    const inside = left.filter((item) => item.rows === undefined && isInside(item, grid))
    const rows = rowsOf(grid, inside)
    if (rows === undefined) return left
    const [x, y] = [grid.xs[0]!, grid.ys[0]!]
    const table = { text: rows.join('\n'), x, y, width: grid.xs.at(-1)! - x, size: usualSize(inside), rows }
    return [...left.filter((item) => !inside.includes(item)), table]
  }, items)
}

interface Grid extends Rules {
  /** From left to right. */
  readonly xs: readonly number[]
  /** From top to bottom. */
  readonly ys: readonly number[]
}

/** Groups of lines that meet. */
function gridsIn({ horizontal, vertical }: Rules): Grid[] {
  if (horizontal.length * vertical.length > MAX_PAIRS) return []
  const grids: Grid[] = []
  const remaining = new Set(horizontal)
  for (const first of horizontal) {
    if (!remaining.delete(first)) continue
    const [across, down] = [[first], new Set<Rule>()]
    for (const rule of across) {
      for (const side of vertical) {
        if (down.has(side) || !meet(rule, side)) continue
        down.add(side)
        for (const other of remaining) if (meet(other, side) && remaining.delete(other)) across.push(other)
      }
    }
    // A table may have no lines around it; then the others end at its edges.
    const xs = placesOf([...down], across)
    const ys = placesOf(across, [...down]).toReversed()
    const isGrid = xs.length > 2 && ys.length > 2 && xs.length * ys.length <= MAX_CELLS
    if (isGrid) grids.push({ horizontal: across, vertical: [...down], xs, ys })
  }
  return grids
}

function meet(rule: Rule, side: Rule): boolean {
  return isWithin(side.at, rule) && isWithin(rule.at, side)
}

function isWithin(place: number, { from, to }: Rule): boolean {
  return place >= from - NEAR && place <= to + NEAR
}

function placesOf(rules: readonly Rule[], others: readonly Rule[]): number[] {
  const edges = [Math.min(...others.map(({ from }) => from)), Math.max(...others.map(({ to }) => to))]
  const places = [...rules.map(({ at }) => at), ...edges].toSorted((a, b) => a - b)
  return places.filter((place, i) => i === 0 || place - places[i - 1]! > NEAR)
}

function isInside(item: TextItem, { xs, ys }: Grid): boolean {
  const [x, y] = middleOf(item)
  return x > xs[0]! && x < xs.at(-1)! && y < ys[0]! && y > ys.at(-1)!
}

function middleOf({ x, y, width, size }: TextItem): readonly [x: number, y: number] {
  return [x + width / 2, y + size * 0.3]
}

/** Undefined if the lines do not separate the rows and columns of the text. */
function rowsOf(grid: Grid, items: readonly TextItem[]): readonly string[] | undefined {
  const { xs, ys } = grid
  const regionOfCell = regionsByCell(grid)
  const regions = [...new Set(regionOfCell.values())]
  const texts = new Map<MergedCells, TextItem[]>(regions.map((region) => [region, []]))
  for (const item of items) {
    const [x, y] = middleOf(item)
    const column = xs.findLastIndex((left) => left <= x)
    const row = ys.findLastIndex((top) => top >= y) + 1
    const region = regionOfCell.get(cellKey(row, column))!
    if (item.x + item.width > xs[region.right + 1]! + NEAR || item.x < xs[region.left]! - NEAR) return undefined
    texts.get(region)!.push(item)
  }
  const rows = ys.slice(1).map((_, i) => ({ number: i + 1, cells: xs.slice(1).map(() => '') }))
  const tall = rows.map(() => 0)
  for (const [{ top, bottom, left }, own] of texts) {
    const lines = groupRows(own)
    rows[top - 1]!.cells[left] = lines.map((line) => lineText(lineOf(line))).join(' ')
    if (top === bottom && lines.length >= MIN_UNRULED_LINES) tall[top - 1]!++
    if (top < bottom && lines.length >= Math.max(MIN_UNRULED_LINES, bottom - top + 1)) return undefined
    if (lines.filter((line) => lineOf(line).cells.length > 1).length >= MIN_UNRULED_LINES) return undefined
  }
  if (tall.some((columns) => columns > 1 && columns >= (xs.length - 1) * UNRULED_SHARE)) return undefined
  const merged = regions.filter(({ top, bottom, left, right }) => bottom > top || right > left)
  const lines = tableLines(rows, merged)
  return lines.length > 1 ? lines : undefined
}

function cellKey(row: number, column: number): number {
  return row * MAX_CELLS + column
}

/** The region of each cell: cells without a line between them are one. */
function regionsByCell({ xs, ys, horizontal, vertical }: Grid): ReadonlyMap<number, MergedCells> {
  const regions = new Map<number, MergedCells>()
  const isLine = (rules: readonly Rule[], at: number, place: number): boolean =>
    rules.some((rule) => Math.abs(rule.at - at) <= NEAR && rule.from <= place && rule.to >= place)
  for (let row = 1; row < ys.length; row++) {
    for (let column = 0; column < xs.length - 1; column++) {
      if (regions.has(cellKey(row, column))) continue
      const [x, y] = [(xs[column]! + xs[column + 1]!) / 2, (ys[row - 1]! + ys[row]!) / 2]
      let [right, bottom] = [column, row]
      while (right < xs.length - 2 && !isLine(vertical, xs[right + 1]!, y)) right++
      while (bottom < ys.length - 1 && !isLine(horizontal, ys[bottom]!, x)) bottom++
      const region = { top: row, bottom, left: column, right }
      for (let r = row; r <= bottom; r++)
        for (let c = column; c <= right; c++) {
          if (!regions.has(cellKey(r, c))) regions.set(cellKey(r, c), region)
        }
    }
  }
  return regions
}
