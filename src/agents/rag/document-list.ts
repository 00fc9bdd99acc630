import type { ActorContext } from '../../core/actor.ts'
import type { Provenance } from '../../core/provenance.ts'
import { hasSheets } from '../../core/sheets.ts'
import type { Toolkit } from '../../core/toolkit.ts'
import type { DocumentRecord } from '../../knowledge/types.ts'
import { tagged } from '../../tool-loop/messages.ts'
import { passagesOf, passageText, type Passage } from './passages.ts'
import { isUpload, labelsOf, type RagParts, type Shelf } from './shelf.ts'

/** Characters of the list in the instructions: about 2,000 tokens. A longer one is left to `list_documents`. */
const MAX_LIST = 8_000
/** Tokens of attached documents that the instructions hold whole. */
const MAX_WHOLE_TOKENS = 8_000
/** An attached document with more passages is not small; its text is not loaded. */
const MAX_WHOLE_CHUNKS = 100
/** Longer values are not shown in the head of a transcript, which has the labels of the user's own words (docs/safety.md). */
const MAX_HEAD_VALUE = 40

type Section = Pick<Toolkit, 'instructions' | 'sources' | 'provenance'>

/** Names of documents are the operator's, as those of tables are. */
const HEAD: Provenance = { author: 'user', private: true, sources: [] }

/** What the instructions say of the documents that a run may search: small attached ones whole, else a list or a count. */
export async function documentSection(
  { owner }: Pick<ActorContext, 'owner'>,
  shelf: Shelf,
  documents: readonly DocumentRecord[],
  collectionsOf: RagParts['collectionsOf'],
): Promise<Section> {
  const whole = shelf.isAttached ? await wholeDocuments(shelf, documents) : undefined
  if (whole !== undefined) return whole
  const lines = documents.map(lineOf)
  const heading = shelf.isAttached
    ? `The user attached ${countOf(documents.length)} to this question.`
    : `There are ${countOf(documents.length)}.`
  const list = lines.join('\n')
  if (list.length <= MAX_LIST) return { instructions: `${heading}\n${tagged('documents', list)}`, provenance: HEAD }
  const counts = await countsOf(owner, shelf, collectionsOf)
  return { instructions: [heading, ...counts, 'list_documents names them.'].join('\n'), provenance: HEAD }
}

async function wholeDocuments(shelf: Shelf, documents: readonly DocumentRecord[]): Promise<Section | undefined> {
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
  const sources = passages.map(({ source }, at) => ({ ...source, id: `s${at + 1}` }))
  const text = passages.map((passage, at) => passageText(passage, `s${at + 1}`)).join('\n\n')
  return {
    instructions: `The user attached ${countOf(documents.length)} to this question. This is all of the text.\n${tagged('documents', text)}`,
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

/** Type, pages, date and size of a document. */
export function extentOf(document: DocumentRecord): string {
  const { type, date, bytes } = document
  const size = `${Math.max(1, Math.round(bytes / 1_000))} kB`
  return [type, pagesInWords(document), date, size].filter((part) => part !== undefined).join(', ')
}

function pagesInWords({ name, pages }: DocumentRecord): string | undefined {
  return pages === undefined ? undefined : `${pages} ${hasSheets(name) ? 'sheet' : 'page'}${pages === 1 ? '' : 's'}`
}

async function countsOf(owner: string, shelf: Shelf, collectionsOf: RagParts['collectionsOf']): Promise<string[]> {
  if (shelf.isAttached || collectionsOf === undefined) return []
  const [counts, names] = await Promise.all([shelf.store.counts(await shelf.whose()), collectionsOf(owner)])
  return [...counts].map(([of, count]) => {
    const name = names.get(of)
    return `- ${name === undefined ? 'the user’s own library' : `collection ${name}`}: ${countOf(count)}`
  })
}

function countOf(documents: number): string {
  return documents === 1 ? '1 document' : `${documents} documents`
}
