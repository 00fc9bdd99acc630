import { z } from 'zod'
import { given } from '../../../core/given.ts'
import { defineTool, type Tool } from '../../../core/tool.ts'
import type { SearchResult } from '../../../knowledge/search/retriever.ts'
import { labelsOf, type Shelf } from '../shelf.ts'
import { SEARCH_DOCUMENTS } from '../tools.ts'

/** Passages that quotations are taken from (SPEC R5). */
const CANDIDATES = 20

const input = z.object({
  question: z.string().min(1),
  entities: z.record(z.string(), z.unknown()).optional(),
})

export type SearchByQuestion = Tool<z.infer<typeof input>, SearchResult>

/** Searches documents with a question as a user wrote it: where to look is read from the question, too. */
export function searchByQuestion({ search, whose }: Shelf): SearchByQuestion {
  return defineTool({
    ...SEARCH_DOCUMENTS,
    reach: 'inside',
    input,
    provenance: ({ hits }) => labelsOf(hits.map(({ document }) => document)),
    run: async ({ question, entities }, { signal }) =>
      search(await whose(), question, { limit: CANDIDATES, signal, ...given({ entities }) }),
  })
}
