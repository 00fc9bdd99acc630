import { z } from 'zod'
import { untrusted } from '../../core/provenance.ts'
import { defineTool, type Tool, type ToolInfo } from '../../core/tool.ts'
import type { Retriever, SearchResult } from '../../knowledge/search/retriever.ts'

/** As many as a model chooses from (SPEC R5). */
const CANDIDATES = 20

const input = z.object({
  question: z.string().min(1),
  entities: z.record(z.string(), z.unknown()).optional(),
})

/** Whose documents, only a run tells. */
export const SEARCH_DOCUMENTS = {
  name: 'search_documents',
  description: 'Finds passages in the documents that were added, by their words and, where set up, their meaning.',
  effect: 'read',
} as const satisfies ToolInfo

export type SearchDocuments = Tool<z.infer<typeof input>, SearchResult>

/** Searches the documents of one owner. What a document says is nobody's order, so all of it is untrusted. */
export function searchDocuments(retriever: Retriever, owner: string): SearchDocuments {
  return defineTool({
    ...SEARCH_DOCUMENTS,
    reach: 'inside',
    input,
    provenance: ({ hits }) => untrusted(...new Set(hits.map(({ document }) => `document ${document.name}`))),
    run: ({ question, entities }, { signal }) =>
      retriever.search(owner, question, {
        limit: CANDIDATES,
        signal,
        ...(entities === undefined ? {} : { entities }),
      }),
  })
}
