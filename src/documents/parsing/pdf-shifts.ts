import type { Shift } from '../../shared/superscripts.ts'
import type { TextItem } from './pdf-lines.ts'

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
export function shiftsOf(pieces: readonly TextItem[], size: number): (Shift | undefined)[] {
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
