import { defineAgent, type ActorContext, type Agent } from '../../core/actor.ts'
import type { Owner } from '../../core/owner.ts'
import type { Toolkit } from '../../core/toolkit.ts'
import { collectionOwner } from '../../knowledge/collections.ts'
import { workWith } from '../agent-loop.ts'
import { documentSection } from './document-list.ts'
import { answerOffline } from './offline/answer.ts'
import { attachedTo, shelfFor, type RagParts } from './shelf.ts'
import { documentTools, LIST_DOCUMENTS, READ_DOCUMENT, SEARCH_DOCUMENTS } from './tools.ts'

const INSTRUCTIONS = `## Documents
search_documents finds passages; write the query in the language of the documents, with words that they would use.
Search again with other words when the passages do not answer the question. read_document shows what stands around a passage.
Name the document when several say different things. Say so when the documents do not answer.`

/**
 * Answers from documents: its tools search, list and read them, and the model decides what answers the question. Without a
 * model it quotes the sentences that fit best.
 */
export function ragAgent(parts: RagParts): Agent {
  const { hasDocuments, howToSetUp = 'Name them with the option documents.' } = parts
  const toolkit = (ctx: ActorContext) => openToolkit(ctx, parts, howToSetUp)
  return defineAgent({
    name: 'rag',
    label: 'the documents',
    description: 'Answers from documents that were added, such as policies, contracts, handbooks, reports and minutes.',
    capabilities: ['search in documents', 'answers that name file, page and section'],
    useCases: [
      'what a policy, contract or manual says',
      'finding a passage in reports, minutes or notes',
      'facts that are written down rather than kept in a database',
    ],
    keywords: [
      'document',
      'docs',
      'policy',
      'policies',
      'contract',
      'handbook',
      'manual',
      'guideline',
      'minutes',
      'newsletter',
      'brochure',
      'report say',
      'pdf',
      'file say',
      'say about',
      'says about',
      'according to',
      'clause',
      'faq',
      'written down',
      'price list',
      'warranty',
      'terms and conditions',
      'uploaded',
    ],
    planning: {
      rank: 5,
      isLastResort: true,
      // Without them the question is planned all the same; what is wrong with the documents is told by who looks into them.
      topics: (owner, request) => topicsFor(owner, request, parts).catch(() => []),
    },
    typicalLatencyMs: 5_000,
    tools: [SEARCH_DOCUMENTS, LIST_DOCUMENTS, READ_DOCUMENT],
    limits: { timeoutMs: 180_000, retries: 2 },
    // Evaluated for each question: documents may be added while the server runs.
    get unavailable() {
      return hasDocuments() ? undefined : `No documents have been added. ${howToSetUp}`
    },
    // Others may have added some since.
    worksAnyway: () => true,
    lend: (_task, ctx) => documentTools(shelfFor(ctx, parts)).map(({ tool }) => tool),
    toolkit,
    run: async (task, ctx) =>
      (await ctx.transcript.model()) === undefined
        ? answerOffline(task, ctx, shelfFor(ctx, parts))
        : workWith(task, ctx, await toolkit(ctx)),
  })
}

async function topicsFor(
  owner: Owner,
  request: ActorContext['request'],
  { topicsOf, shelvesOf }: RagParts,
): Promise<readonly string[]> {
  if (topicsOf === undefined) return []
  const attached = attachedTo(request)
  if (attached !== undefined) return topicsOf(collectionOwner(owner, attached.collection ?? ''), true)
  return topicsOf(await shelvesOf(owner, request.collections), false)
}

async function openToolkit(ctx: ActorContext, parts: RagParts, howToSetUp: string): Promise<Toolkit> {
  const shelf = shelfFor(ctx, parts)
  const documents = parts.hasDocuments() ? await shelf.store.documents(await shelf.whose()) : []
  if (documents.length === 0) {
    const why = ctx.request.collections === undefined ? howToSetUp : 'The chosen collections are empty.'
    return { instructions: `## Documents\nThere are no documents. ${why}`, tools: [] }
  }
  const { instructions, ...section } = await documentSection(ctx, shelf, documents, parts.collectionsOf)
  return { instructions: `${INSTRUCTIONS}\n${instructions}`, tools: documentTools(shelf), ...section }
}
