import { omitUndefined } from '../../shared/json.ts'
import type { Chunk } from '../types.ts'
import type { Span } from './sentences.ts'

/** The part of a passage on one page, in characters of the document. */
export interface OnPage extends Span {
  readonly page?: number
}

/** Splits a passage by pages, in order; returns it whole if there are no pages. */
export function pagesOf({ start, end, page, pages = [] }: Pick<Chunk, 'start' | 'end' | 'page' | 'pages'>): OnPage[] {
  const starts = [{ start, ...omitUndefined({ page }) }, ...pages]
  return starts.map((one, i) => ({ ...one, end: starts[i + 1]?.start ?? end }))
}

/** The page of a character of a passage. */
export function pageAt(chunk: Parameters<typeof pagesOf>[0], at: number): OnPage {
  return pagesOf(chunk).findLast(({ start }) => start <= at) ?? chunk
}
