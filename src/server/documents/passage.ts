import { TuttiError } from '../../domain/errors.ts'
import { pageAt, pagesOf } from '../../documents/chunking/pages.ts'
import type { KnowledgeStore, OwnerScope } from '../../documents/types.ts'

/**
 * The context of a passage: its page, or its section in formats without pages.
 * @throws TuttiError `InvalidRequest` for characters that the document does not have
 */
export async function passageIn(
  store: KnowledgeStore,
  scope: OwnerScope,
  documentId: string,
  mark: { readonly start: number; readonly end: number },
) {
  const chunks = await store.chunks(scope, documentId)
  const at = chunks.find(({ end }) => end > mark.start)
  if (at === undefined || mark.end <= mark.start) {
    throw new TuttiError('InvalidRequest', 'The document has no such passage; it may have changed since.')
  }
  const { section } = at
  const { page } = pageAt(at, mark.start)
  const around = chunks.flatMap((chunk) =>
    page === undefined ? (chunk.section === section ? [chunk] : []) : pagesOf(chunk).filter((one) => one.page === page),
  )
  const start = Math.min(mark.start, ...around.map((chunk) => chunk.start))
  const end = Math.max(mark.end, ...around.map((chunk) => chunk.end))
  const text = (await store.text(scope, documentId, start, end)) ?? ''
  const place = { start: mark.start - start, end: Math.min(mark.end - start, text.length) }
  return { page, section, start, text, mark: place }
}
