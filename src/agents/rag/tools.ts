import { z } from 'zod'
import { combine, outsideData, ownData, type Provenance } from '../../core/provenance.ts'
import { given } from '../../core/given.ts'
import { defineTool, type Tool, type ToolInfo } from '../../core/tool.ts'
import type { HitInContext } from '../../knowledge/search/neighbours.ts'
import type { Retriever, SearchResult } from '../../knowledge/search/retriever.ts'
import type { Whose } from '../../knowledge/types.ts'

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

function labelsOf({ name, isUpload }: HitInContext['document']): Provenance {
  return isUpload === true ? ownData(`document ${name}`) : outsideData(`document ${name}`)
}

/** Searches documents. Documents that users sent are the operator's own data; files of folders are from outside. */
export function searchDocuments(retriever: Retriever, whose: () => Promise<Whose>): SearchDocuments {
  return defineTool({
    ...SEARCH_DOCUMENTS,
    reach: 'inside',
    input,
    provenance: ({ hits }) => combine(hits.map(({ document }) => labelsOf(document))),
    run: async ({ question, entities }, { signal }) =>
      retriever.search(await whose(), question, { limit: CANDIDATES, signal, ...given({ entities }) }),
  })
}
