import { lineText, type Line } from './pdf-lines.ts'

/** Lines at the top and at the bottom of a page that may be a running title or the number of the page. */
const EDGE_LINES = 2
/** A line must come back on this many pages and on this share of them. */
const FEWEST_PAGES = 3
const SMALLEST_SHARE = 0.6

/**
 * A page without what stands at the edge of most pages, such as a title or the page's number; it would be cut into the
 * middle of sentences, and found by every search. Numbers in such lines may differ.
 */
export function withoutRunningTitles(
  pages: readonly (readonly Line[])[],
  lines: readonly Line[],
  page: number,
): readonly Line[] {
  if (pages.length < FEWEST_PAGES) return lines
  // Neighbours tell as much as all pages, at a cost that does not grow with them.
  const near = pages.slice(Math.max(0, page - 5), page + 6).map((other) => new Set(edgeOf(other).map(patternOf)))
  const edge = new Set(edgeOf(lines))
  return lines.filter((line) => {
    if (!edge.has(line)) return true
    const pattern = patternOf(line)
    const count = near.filter((other) => other.has(pattern)).length
    return count < FEWEST_PAGES || count < near.length * SMALLEST_SHARE
  })
}

function edgeOf(lines: readonly Line[]): readonly Line[] {
  return [...lines.slice(0, EDGE_LINES), ...lines.slice(-EDGE_LINES)]
}

function patternOf(line: Line): string {
  return `${Math.round(line.y)} ${lineText(line).replaceAll(/\d+/g, '0')}`
}
