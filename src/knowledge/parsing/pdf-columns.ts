import type { Cell, Line } from './pdf-lines.ts'

/** Lines of two columns must be this many, and this share of the page. */
const FEWEST_LINES = 8
const SMALLEST_SHARE = 0.4
/** Cells of running text are longer than those of tables. */
const RUNNING_TEXT_CHARACTERS = 22

/**
 * The lines of a page in the order in which they are read: on a page of two columns, the left one before the right one,
 * between the lines that go over both.
 */
export function inReadingOrder(lines: readonly Line[]): Line[] {
  const gutter = gutterOf(lines)
  if (gutter === undefined) return [...lines]
  const ordered: Line[] = []
  let left: Line[] = []
  let right: Line[] = []
  const flush = (): void => {
    ordered.push(...left, ...right)
    left = []
    right = []
  }
  for (const line of lines) {
    const before = line.cells.filter(({ x1 }) => x1 <= gutter)
    const after = line.cells.filter(({ x0 }) => x0 >= gutter)
    if (before.length + after.length < line.cells.length) {
      flush()
      ordered.push(line)
      continue
    }
    if (before.length > 0) left.push({ ...line, cells: before })
    if (after.length > 0) right.push({ ...line, cells: after })
  }
  flush()
  return ordered
}

/** Where the gap between two columns of running text lies; `undefined` on a page that has none. */
function gutterOf(lines: readonly Line[]): number | undefined {
  const pairs = lines.flatMap(({ cells: [left, right, ...more] }) =>
    left !== undefined && right !== undefined && more.length === 0 ? [{ left, right }] : [],
  )
  if (pairs.length < FEWEST_LINES || pairs.length < lines.length * SMALLEST_SHARE) return undefined
  if (!isRunningText(pairs.map(({ left }) => left)) || !isRunningText(pairs.map(({ right }) => right))) return undefined
  // Most lines of the right column start at one place; a few are moved in.
  const starts = pairs.map(({ right }) => right.x0).toSorted((a, b) => a - b)
  const gutter = starts[Math.floor(starts.length * 0.1)]! - 1
  const fitting = pairs.filter(({ left, right }) => left.x1 <= gutter && right.x0 >= gutter)
  return fitting.length >= pairs.length * 0.8 ? gutter : undefined
}

function isRunningText(cells: readonly Cell[]): boolean {
  return cells.reduce((sum, { text }) => sum + text.length, 0) / cells.length >= RUNNING_TEXT_CHARACTERS
}
