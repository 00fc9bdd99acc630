import { lineText, type Line } from './pdf-lines.ts'

/** The lines of a page, and where it ends at the bottom and at the top. */
export interface PageLines {
  readonly lines: readonly Line[]
  readonly bottom: number
  readonly top: number
}

/** Fraction of the page height, at the top and at the bottom, that contains running titles and page numbers. */
const MARGIN = 0.09
/** A line must come back on this many pages and on this share of them. */
const MIN_PAGES = 3
const MIN_SHARE = 0.6

/**
 * Removes text at the edge of most pages, such as a title or the page number. It would interrupt sentences and match
 * every search. Whole numbers in such lines may differ.
 */
export function withoutRunningTitles(pages: readonly PageLines[], page: number): readonly Line[] {
  const own = pages[page]!
  const edge = new Set(edgeOf(own))
  if (pages.length < MIN_PAGES || edge.size === 0) return own.lines
  // Neighbours tell as much as all pages, at a cost that does not grow with them.
  const near = pages.slice(Math.max(0, page - 5), page + 6).map((other) => new Set(edgeOf(other).map(patternOf)))
  return own.lines.filter((line) => {
    if (!edge.has(line)) return true
    const pattern = patternOf(line)
    const count = near.filter((other) => other.has(pattern)).length
    return count < MIN_PAGES || count < near.length * MIN_SHARE
  })
}

function edgeOf({ lines, bottom, top }: PageLines): readonly Line[] {
  const margin = (top - bottom) * MARGIN
  return lines.filter(({ y }) => y < bottom + margin || y > top - margin)
}

function patternOf(line: Line): string {
  return `${Math.round(line.y)} ${lineText(line).replaceAll(/(?<![\d.,])\d+(?![.,]?\d)/g, '0')}`
}
