import { omitUndefined, truncateAtWord } from '../../shared/json.ts'
import type { Source } from '../../domain/result.ts'
import { pageLabel } from '../../shared/page-label.ts'
import { pagesOf } from '../../documents/chunking/pages.ts'
import type { Hit } from '../../documents/types.ts'

/** Characters of a passage that a citation shows. */
const MAX_EXCERPT = 300

/** A passage as a model reads it and an answer cites it; of one page at most. */
export interface Passage {
  readonly source: Source
  readonly text: string
}

/** The passages of a hit: a citation is of one page. */
export function passagesOf(hit: Pick<Hit, 'chunk' | 'document'>): readonly Passage[] {
  return pagesOfHit(hit).map((part) => ({ source: passageSource(part), text: part.chunk.text }))
}

/** A hit page by page, each as a hit of its own. */
export function pagesOfHit<T extends Pick<Hit, 'chunk'>>(hit: T): readonly T[] {
  const { pages, ...chunk } = hit.chunk
  if (pages === undefined) return [hit]
  return pagesOf(hit.chunk).map((one) => {
    const text = chunk.text.slice(one.start - chunk.start, one.end - chunk.start).trimEnd()
    return { ...hit, chunk: { ...chunk, ...one, end: one.start + text.length, text } }
  })
}

export function passageSource({ chunk, document }: Pick<Hit, 'chunk' | 'document'>): Source {
  const { page, section, start, end, text } = chunk
  return {
    kind: 'document',
    name: document.name,
    excerpt: truncateAtWord(text, MAX_EXCERPT),
    passage: { documentId: document.documentId, start, end, ...omitUndefined({ page, section }) },
  }
}

/** `[s5] policy.pdf, page 3, section Refunds` above the text. @param about kind of document, shown after its name */
export function passageText({ source: { name, passage }, text }: Passage, id: string, about = ''): string {
  const { page, section } = passage ?? {}
  const place = [
    about === '' ? name : `${name} (${about})`,
    ...(page === undefined ? [] : [pageLabel(name, page)]),
    ...(section === undefined ? [] : [`section ${section}`]),
  ]
  return `[${id}] ${place.join(', ')}\n${text}`
}
