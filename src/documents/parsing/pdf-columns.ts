import { hasCrossing, type Row, type TextItem } from './pdf-lines.ts'

/** Rows that each of two columns must have, and on how many of them it must be apart from the other. */
const MIN_ROWS = 4
const APART_SHARE = 0.85
/** Minimum gap between columns, in font sizes; wider than any gap within a line of running text. */
const GUTTER = 0.5
const INNER_GAP = 1.4
const GAPS_AT_ONE_PLACE = 0.3
/** Lines of running text are longer than cells of a table, and fill their column. */
const RUNNING_TEXT_CHARACTERS = 18
const FILLED = 0.55
/** Of the width of its column: a line that continues behind its end. */
const FULL_LINE = 0.85
/** Where columns may begin: the places at which the most lines do. */
const CANDIDATES = 8

/**
 * The rows of a page in reading order. If consecutive rows leave a gutter free with running text on both sides, one
 * side is read before the other. The search is repeated on each side, above and below.
 */
export function sortByReadingOrder(rows: readonly Row[]): Row[] {
  const zone = zoneOf(rows)
  if (zone === undefined) return [...rows]
  const { from, to, left, right } = zone
  const sides = [left, right].map((side) => sortByReadingOrder(side).map((row) => ({ ...row, isInColumn: true })))
  return [...sortByReadingOrder(rows.slice(0, from)), ...sides.flat(), ...sortByReadingOrder(rows.slice(to))]
}

interface Zone {
  readonly from: number
  readonly to: number
  readonly left: readonly Row[]
  readonly right: readonly Row[]
}

/** The columns that go over the most rows. */
function zoneOf(rows: readonly Row[]): Zone | undefined {
  let best: Zone | undefined
  for (const x of startsOf(rows)) {
    for (const zone of zonesAt(rows, x)) {
      const isLonger = best === undefined || zone.to - zone.from > best.to - best.from
      if (isLonger && areColumns(zone, x)) best = zone
    }
  }
  return best
}

/** Where texts begin behind a gap, most usual first: a histogram over the rows. */
function startsOf(rows: readonly Row[]): number[] {
  const counts = new Map<number, number>()
  for (const { items, size } of rows) {
    for (const [i, { x }] of items.entries()) {
      const before = items[i - 1]
      if (before !== undefined && x - before.x - before.width < GUTTER * size) continue
      const place = Math.round(x / 2) * 2
      counts.set(place, (counts.get(place) ?? 0) + 1)
    }
  }
  const usual = [...counts].filter(([, count]) => count >= MIN_ROWS).toSorted(([, a], [, b]) => b - a)
  return usual.slice(0, CANDIDATES).map(([place]) => place - 2)
}

/** The stretches of rows that nothing crosses a place in. */
function zonesAt(rows: readonly Row[], x: number): Zone[] {
  const zones: Zone[] = []
  let from = 0
  for (let at = 0; at <= rows.length; at++) {
    const row = rows[at]
    if (row !== undefined && !hasCrossing(row, x)) continue
    const to = endOfZone(rows, from, at, x)
    const left = sideOf(rows.slice(from, to), (item) => item.x < x)
    const right = sideOf(rows.slice(from, to), (item) => item.x >= x)
    if (left.length >= MIN_ROWS && right.length >= MIN_ROWS) zones.push({ from, to, left, right })
    from = at + 1
  }
  return zones
}

/**
 * Short lines below the columns do not belong to the left one, unless they continue in its rhythm, or in another of its paragraphs: one
 * that has lines as wide as the column.
 */
function endOfZone(rows: readonly Row[], from: number, to: number, x: number): number {
  const last = rows.slice(from, to).findLastIndex(({ items }) => items.some((item) => item.x >= x))
  if (last < 0) return from
  const firstEnd = from + last + 1
  const left = sideOf(rows.slice(from, firstEnd), (item) => item.x < x).map(({ items }) => items)
  const start = Math.min(...left.map(([first]) => first!.x))
  const width = Math.max(...left.map(endOf)) - start
  const isFull = ({ items }: Row): boolean =>
    items[0]!.x - start < 0.1 * width && endOf(items) - start >= FULL_LINE * width
  const full = rows.slice(firstEnd, to).findLastIndex(isFull)
  let end = firstEnd + full + 1
  while (end < to && rows[end - 1]!.y - rows[end]!.y < 1.6 * rows[end]!.size) end++
  return end
}

function sideOf(rows: readonly Row[], isOn: (item: TextItem) => boolean): Row[] {
  return rows.flatMap((row) => {
    const items = row.items.filter(isOn)
    return items.length === 0 ? [] : [{ ...row, items }]
  })
}

function areColumns({ left, right }: Zone, x: number): boolean {
  const overlap = Math.min(left[0]!.y, right[0]!.y) - Math.max(left.at(-1)!.y, right.at(-1)!.y)
  if (overlap < (MIN_ROWS - 1) * left[0]!.size) return false
  const starts = right.map(({ items }) => items[0]!.x)
  const apart = left.filter(({ items, size }) => Math.min(...starts, Infinity) - endOf(items) >= GUTTER * size * 0.9)
  if (apart.length < left.length * APART_SHARE || Math.min(...starts) > x + 40) return false
  if (!isRunningText(left) || areRows(left, right)) return false
  return isRunningText(right) || zoneOf(right) !== undefined
}

/** Running text in one column. */
function isRunningText(rows: readonly Row[]): boolean {
  const left = Math.min(...rows.map(({ items }) => items[0]!.x))
  const right = Math.max(...rows.map(({ items }) => endOf(items)))
  const characters = rows.reduce((sum, { items }) => sum + items.reduce((all, { text }) => all + text.length, 0), 0)
  const widths = rows.map(({ items }) => endOf(items) - items[0]!.x).toSorted((a, b) => a - b)
  return (
    characters / rows.length >= RUNNING_TEXT_CHARACTERS &&
    widths[widths.length >> 1]! >= FILLED * (right - left) &&
    mostGapsAtOnePlace(rows) <= rows.length * GAPS_AT_ONE_PLACE
  )
}

/** Words that are spread over a line leave gaps anywhere; cells of a table leave them below each other. */
function mostGapsAtOnePlace(rows: readonly Row[]): number {
  const gaps = rows.flatMap(({ items, size }) =>
    items.slice(1).flatMap(({ x }, i) => {
      const start = items[i]!.x + items[i]!.width
      return x - start > INNER_GAP * size ? [{ start, end: x }] : []
    }),
  )
  const counts = gaps.map(({ end }) => gaps.filter((gap) => gap.start < end && gap.end >= end).length)
  return Math.max(0, ...counts)
}

/** Paragraphs that begin at one height on both sides, again and again, are cells of a table. */
function areRows(left: readonly Row[], right: readonly Row[]): boolean {
  const [few, many] = [paragraphStarts(left), paragraphStarts(right)].toSorted((a, b) => a.length - b.length)
  if (few!.length < 3) return false
  const same = few!.filter((y) => many!.some((other) => Math.abs(other - y) < 3))
  return same.length >= few!.length * 0.7
}

function paragraphStarts(rows: readonly Row[]): number[] {
  const steps = rows.slice(1).map(({ y }, i) => rows[i]!.y - y)
  const usual = steps.toSorted((a, b) => a - b)[steps.length >> 2] ?? 0
  return rows.flatMap(({ y }, i) => (i === 0 || steps[i - 1]! > usual * 1.25 ? [y] : []))
}

function endOf(items: readonly TextItem[]): number {
  return Math.max(...items.map(({ x, width }) => x + width))
}
