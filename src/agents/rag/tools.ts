import { z } from 'zod'
import { combine, outsideData, ownData, type Provenance } from '../../core/provenance.ts'
import { given } from '../../core/given.ts'
import { defineTool, type Tool, type ToolInfo } from '../../core/tool.ts'
import { isOrder, LEFT_OUT, withoutOrders } from '../../knowledge/search/orders.ts'
import type { HitInContext } from '../../knowledge/search/neighbours.ts'
import type { Retriever, SearchResult } from '../../knowledge/search/retriever.ts'
import type { Whose } from '../../knowledge/types.ts'
import { pagesOfHit } from './on-pages.ts'

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

interface ForAssistants extends SearchResult {
  /** Names of the documents of which something was left out, where there are any. */
  readonly heldBack?: readonly string[]
}

export type SearchDocuments = Tool<z.infer<typeof input>, ForAssistants>

/** What was found, without what is addressed to an assistant; a note says of which documents something was left out. */
export function forAssistants(found: SearchResult): ForAssistants {
  const poisoned = new Set<string>()
  const cleaned = (found.descriptions === undefined ? found.hits.flatMap(byPageIfPoisoned) : found.hits).map(
    (hit, place) => {
      const { chunk, before, after } = hit
      const clean = (text: string): string => {
        const rest = withoutOrders(text)
        if (rest !== text) poisoned.add(hit.document.name)
        return rest
      }
      const isBelowOne = chunk.section?.split(' › ').some(isOrder) === true
      if (isBelowOne) poisoned.add(hit.document.name)
      const text = isBelowOne ? LEFT_OUT : clean(chunk.text)
      const around = given({ before: before && clean(before), after: after && clean(after) })
      const description = found.descriptions === undefined ? undefined : clean(found.descriptions[place]!)
      return { hit: { ...hit, ...around, chunk: { ...chunk, text } }, description }
    },
  )
  if (poisoned.size === 0) return found
  const left = cleaned.filter(({ hit }) => hit.chunk.text.trim() !== LEFT_OUT)
  const heldBack = [...poisoned].toSorted()
  const note = `Words in ${heldBack.join(', ')} that are addressed to an assistant, not to readers, were left out.`
  return {
    ...found,
    heldBack,
    hits: left.map(({ hit }) => hit),
    // The last one is told where nothing is left.
    notes: left.length === 0 ? [...found.notes, note] : [note, ...found.notes],
    ...(found.descriptions === undefined ? {} : { descriptions: left.map(({ description }) => description!) }),
  }
}

/** Once something of a passage is left out, nobody knows any more where its pages begin. */
function byPageIfPoisoned(hit: HitInContext): readonly HitInContext[] {
  return withoutOrders(hit.chunk.text) === hit.chunk.text ? [hit] : pagesOfHit(hit)
}

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
      forAssistants(
        await retriever.search(await whose(), question, { limit: CANDIDATES, signal, ...given({ entities }) }),
      ),
  })
}
