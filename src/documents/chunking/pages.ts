import { omitUndefined } from '../../shared/omit-undefined.ts'
import type { Chunk } from '../types.ts'
import type { Span } from './sentences.ts'

/** What of a passage stands on one page, in characters of the document. */
export interface OnPage extends Span {
  readonly page?: number
}

/** A passage by the pages that it goes over, in their order; all of it where there are none. */
export function pagesOf({ start, end, page, pages = [] }: Pick<Chunk, 'start' | 'end' | 'page' | 'pages'>): OnPage[] {
  const starts = [{ start, ...omitUndefined({ page }) }, ...pages]
  return starts.map((one, i) => ({ ...one, end: starts[i + 1]?.start ?? end }))
}

/** The page on which a character of a passage stands. */
export function pageAt(chunk: Parameters<typeof pagesOf>[0], at: number): OnPage {
  return pagesOf(chunk).findLast(({ start }) => start <= at) ?? chunk
}
