import type { ActorContext } from '../../core/actor.ts'
import type { Recollection } from '../../core/conversation.ts'
import type { Provenance } from '../../core/provenance.ts'
import type { Toolkit } from '../../core/toolkit.ts'
import type { DocumentRecord } from '../../knowledge/types.ts'
import { withId } from '../../grounding/citations.ts'
import { tagged } from '../../tool-loop/messages.ts'
import { passagesOf, passageText, type Passage } from './passages.ts'
import { isUpload, labelsOf, pagesInWords, type RagParts, type Shelf } from './shelf.ts'
import { documentTools } from './tools.ts'

/** Characters of the list in the instructions: about 2,000 tokens. A longer one is left to `list_documents`. */
const MAX_LIST = 8_000
/** Tokens of attached documents that the instructions hold whole. */
const MAX_WHOLE_TOKENS = 3_000
/** An attached document with more passages is not small; its text is not loaded. */
const MAX_WHOLE_CHUNKS = 100
/** Longer values are not shown in the head of a transcript, which has the labels of the user's own words (docs/safety.md). */
const MAX_HEAD_VALUE = 40

/** Names of documents are the operator's, as those of tables are. */
const HEAD: Provenance = { author: 'user', private: true, sources: [] }

export const TITLE = '## Documents'
const SEARCH = `search_documents finds passages; write the query in the language of the documents, with words that they would use.
Search again with other words when the passages do not answer the question. read_document shows what stands around a passage.`
const ANSWER = 'Name the document when several say different things. Say so when the documents do not answer.'

/** The toolkit of the documents that a run may search: small attached ones whole, else tools, and a list or a count. */
export async function documentToolkit(
  { owner, recollection }: Pick<ActorContext, 'owner' | 'recollection'>,
  shelf: Shelf,
  documents: readonly DocumentRecord[],
  collectionsOf: RagParts['collectionsOf'],
): Promise<Toolkit> {
  const whole = shelf.isAttached ? await wholeDocuments(shelf, documents, recollection) : undefined
  if (whole !== undefined) return whole
  const lines = documents.map(lineOf)
  const heading = shelf.isAttached ? attached(documents) : `There are ${countOf(documents.length)}.`
  const list = lines.join('\n')
  const listed =
    list.length <= MAX_LIST
      ? [tagged('documents', list)]
      : [...(await countsOf(owner, shelf, collectionsOf)), 'list_documents names them.']
  const instructions = [TITLE, SEARCH, ANSWER, heading, ...listed].join('\n')
  return { instructions, tools: documentTools(shelf), provenance: HEAD }
}

async function wholeDocuments(
  shelf: Shelf,
  documents: readonly DocumentRecord[],
  { results = [] }: Recollection,
): Promise<Toolkit | undefined> {
  if (documents.reduce((sum, { chunks }) => sum + chunks, 0) > MAX_WHOLE_CHUNKS) return undefined
  const whose = await shelf.whose()
  const passages: Passage[] = []
  let tokens = 0
  for (const document of documents) {
    for (const chunk of await shelf.store.chunks(whose, document.documentId)) {
      tokens += chunk.tokens
      passages.push(...passagesOf({ chunk, document }))
    }
    if (tokens > MAX_WHOLE_TOKENS) return undefined
  }
  const known = results.flatMap(({ source }) => source ?? [])
  const sources = passages.map(({ source }) => {
    known.push(withId(source, known))
    return known.at(-1)!
  })
  const text = passages.map((passage, at) => passageText(passage, sources[at]!.id!)).join('\n\n')
  return {
    instructions: [TITLE, ANSWER, `${attached(documents)} This is all of the text.`, tagged('documents', text)].join(
      '\n',
    ),
    tools: [],
    sources,
    provenance: labelsOf(documents.map((document) => ({ name: document.name, ...isUpload(document) }))),
  }
}

/** Name, extent and topics. Topics of documents from outside are for `list_documents`, whose results have their labels. */
function lineOf(document: DocumentRecord): string {
  const { name, pages, date, topics } = document
  const extent = [pagesInWords(document), date].filter((part) => part !== undefined)
  const short = document.path === undefined ? topics.filter(({ length }) => length <= MAX_HEAD_VALUE) : []
  const about = short.length === 0 ? '' : `: ${short.join('; ')}`
  return `- ${name}${pages === undefined && date === undefined ? '' : ` (${extent.join(', ')})`}${about}`
}

async function countsOf(owner: string, shelf: Shelf, collectionsOf: RagParts['collectionsOf']): Promise<string[]> {
  if (shelf.isAttached || collectionsOf === undefined) return []
  const [counts, names] = await Promise.all([shelf.store.counts(await shelf.whose()), collectionsOf(owner)])
  return [...counts].map(([of, count]) => {
    const name = names.get(of)
    return `- ${name === undefined ? 'the user’s own library' : `collection ${name}`}: ${countOf(count)}`
  })
}

function attached({ length }: readonly DocumentRecord[]): string {
  return `The user attached ${countOf(length)} to this question.`
}

function countOf(documents: number): string {
  return documents === 1 ? '1 document' : `${documents} documents`
}
