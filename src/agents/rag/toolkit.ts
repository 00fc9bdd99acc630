import { withStrikeNote } from '../../domain/strikethrough.ts'
import type { ActorContext } from '../../domain/actor.ts'
import { combine, type Provenance } from '../../domain/provenance.ts'
import type { Toolkit } from '../../domain/tool.ts'
import type { DocumentRecord } from '../../documents/types.ts'
import { tagged } from '../../domain/prompt-text.ts'
import { omitUndefined } from '../../shared/json.ts'
import { passagesOf, passageText } from './passages.ts'
import {
  chunksOfDocument,
  documentLabels,
  documentsOf,
  isTable,
  isUpload,
  pagesInWords,
  type Corpus,
} from './corpora.ts'
import { documentTools } from './tools.ts'

/** Characters of the list in the instructions: about 2,000 tokens. A longer one is left to `list_documents`. */
const MAX_LIST = 8_000
/** Maximum tokens of attached documents that are included in full. */
const MAX_WHOLE_TOKENS = 3_000
/** An attached document with more passages is not small; its text is not loaded. */
const MAX_WHOLE_CHUNKS = 100
/** Longer values are not shown in the head of a transcript, which has the labels of the user's own words (docs/safety.md). */
const MAX_HEAD_VALUE = 40

/** Names of documents are the operator's words, like names of tables. */
const HEAD: Provenance = { author: 'user', private: true, sources: [] }

export const TITLE = '## Documents'
const SEARCH = `Write a query in the language of the documents, as a passage would say it.
Search again with other words when the passages do not answer the question. read_document shows what stands around a passage.`
const ANSWER = 'Name the document when several say different things.'

/** The toolkit of the documents that a run may search: small attached ones whole; for the others tools, and a list or a count. */
export async function documentToolkit(
  { transcript }: Pick<ActorContext, 'transcript'>,
  corpora: readonly Corpus[],
): Promise<Toolkit> {
  const attached = await documentsOf(corpora.filter(({ isAttached }) => isAttached))
  const inLibrary = await documentsOf(corpora.filter(({ isAttached }) => !isAttached))
  const fullTexts = await wholeDocuments(corpora, attached, transcript)
  const searched = fullTexts === undefined ? [...attached, ...inLibrary] : inLibrary
  const list = searched.map(lineOf).join('\n')
  const listed =
    list.length <= MAX_LIST ? [tagged('documents', list)] : [`list_documents names ${countOf(searched.length)}.`]
  const instructions = [
    TITLE,
    ...(searched.length === 0 ? [] : [SEARCH]),
    ANSWER,
    ...(attached.length === 0 ? [] : [`The user attached ${countOf(attached.length)} to this question.`]),
    ...(fullTexts === undefined
      ? []
      : ['This is all of the text.', tagged('documents', withStrikeNote(fullTexts.text))]),
    ...(searched.length === 0 ? [] : listed),
  ].join('\n')
  const hasTools = searched.length > 0 || attached.some(isTable)
  return {
    instructions,
    tools: hasTools ? documentTools(corpora) : [],
    provenance: combine([HEAD, fullTexts?.provenance]),
    ...omitUndefined({ sources: fullTexts?.sources }),
  }
}

/** Attached documents in full, if they are small; undefined if there are none, or they do not fit. */
async function wholeDocuments(
  corpora: readonly Corpus[],
  documents: readonly DocumentRecord[],
  transcript: Pick<ActorContext['transcript'], 'name'>,
) {
  const count = documents.reduce((sum, { chunks }) => sum + chunks, 0)
  if (count === 0 || count > MAX_WHOLE_CHUNKS) return undefined
  const parts = await Promise.all(
    documents.map(async (document) =>
      (await chunksOfDocument(corpora, document)).map((chunk) => ({ chunk, document })),
    ),
  )
  if (parts.flat().reduce((sum, { chunk }) => sum + chunk.tokens, 0) > MAX_WHOLE_TOKENS) return undefined
  const passages = parts.flat().flatMap(passagesOf)
  const sources = transcript.name(passages.map(({ source }) => source))
  return {
    sources,
    text: passages.map((passage, at) => passageText(passage, sources[at]!.id!)).join('\n\n'),
    provenance: documentLabels(documents.map((document) => ({ name: document.name, ...isUpload(document) }))),
  }
}

/**
 * Name, extent and topics. Topics of untrusted documents are only in the results of `list_documents`, which carry their
 * labels.
 */
function lineOf(document: DocumentRecord): string {
  const { name, pages, date, topics } = document
  const extent = [pagesInWords(document), date].filter((part) => part !== undefined)
  const short = document.path === undefined ? topics.filter(({ length }) => length <= MAX_HEAD_VALUE) : []
  const topicList = short.length === 0 ? '' : `: ${short.join('; ')}`
  return `- ${name}${pages === undefined && date === undefined ? '' : ` (${extent.join(', ')})`}${topicList}`
}

function countOf(documents: number): string {
  return documents === 1 ? '1 document' : `${documents} documents`
}
