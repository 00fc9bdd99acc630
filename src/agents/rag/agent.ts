import { defineAgent, type ActorContext, type Agent } from '../../domain/actor.ts'
import type { Toolkit } from '../../domain/tool.ts'
import { workWith } from '../../tool-loop/agent-loop.ts'
import { withStandIn, type StandIn } from '../stand-in.ts'
import { documentToolkit, TITLE } from './toolkit.ts'
import { documentsOf, corporaFor, type RagParts, type Corpus } from './corpora.ts'
import { documentTools, LIST_DOCUMENTS, READ_DOCUMENT, SEARCH_DOCUMENTS } from './tools.ts'

/** Answers from documents: its tools search, list and read them, and a model writes the answer. */
export function ragAgent(parts: RagParts, offline?: StandIn<Corpus>): Agent {
  const { hasDocuments, howToSetUp = 'Name them with the option documents.' } = parts
  const toolkit = (ctx: ActorContext) => openToolkit(ctx, parts, howToSetUp)
  const agent = defineAgent({
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
    planning: { rank: 5 },
    typicalLatencyMs: 5_000,
    tools: [SEARCH_DOCUMENTS, LIST_DOCUMENTS, READ_DOCUMENT],
    limits: { timeoutMs: 180_000, retries: 2 },
    // Evaluated for each question: documents may be added while the server runs.
    get unavailable() {
      return hasDocuments() ? undefined : `No documents have been added. ${howToSetUp}`
    },
    // Others may have added some since.
    worksAnyway: () => true,
    createTools: (_task, ctx) => documentTools(corporaFor(ctx, parts)).map(({ tool }) => tool),
    toolkit,
    run: async (task, ctx) => workWith(task, ctx, await toolkit(ctx)),
  })
  return withStandIn(agent, offline, (ctx) => corporaFor(ctx, parts)[0]!)
}

async function openToolkit(ctx: ActorContext, parts: RagParts, howToSetUp: string): Promise<Toolkit> {
  const corpora = corporaFor(ctx, parts)
  const documents = await documentsOf(corpora)
  if (documents.length === 0) {
    const reason = ctx.request.collections === undefined ? howToSetUp : 'The chosen collections are empty.'
    return { instructions: `${TITLE}\nThere are no documents. ${reason}`, tools: [] }
  }
  return documentToolkit(ctx, corpora)
}
