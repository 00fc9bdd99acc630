import { z } from 'zod'
import { TuttiError } from '../../core/errors.ts'
import { given } from '../../core/given.ts'
import type { Provenance } from '../../core/provenance.ts'
import type { Source } from '../../core/result.ts'
import { defineTool, type Tool, type ToolInfo } from '../../core/tool.ts'
import { loopTool, type LoopTool } from '../../core/toolkit.ts'
import { searchTerms } from '../../knowledge/search/analysis.ts'
import { DOCUMENT_TYPES, type DocumentRecord } from '../../knowledge/types.ts'
import { passagesOf, passageText } from './passages.ts'
import { documentsNamed, extentOf, isUpload, labelsOf, nearestTo, termsOfName, type Shelf } from './shelf.ts'

const DEFAULT_PASSAGES = 8
const MAX_PASSAGES = 20
/** Characters that one call of `read_document` returns. */
const MAX_READ = 14_000
const MAX_LISTED = 200

export const SEARCH_DOCUMENTS = {
  name: 'search_documents',
  description: 'Finds passages in the documents by words and meaning. Returns the closest ones, best first.',
  effect: 'read',
} as const satisfies ToolInfo

export const LIST_DOCUMENTS = {
  name: 'list_documents',
  description: 'Lists the documents with type, pages, date, size and description.',
  effect: 'read',
} as const satisfies ToolInfo

export const READ_DOCUMENT = {
  name: 'read_document',
  description: 'Reads a document in order, from its beginning or from a page on. Returns a small document whole.',
  effect: 'read',
} as const satisfies ToolInfo

const documentField = z.string().min(1).describe('name of the document, as listed')
// A pattern would be part of each prompt.
const day = z.string().refine((text) => /^\d{4}-\d\d-\d\d$/.test(text), 'must be a day, YYYY-MM-DD')

const place = z.number().int().min(1).max(100_000)

const searchInput = z.object({
  query: z.string().min(1).max(2_000).describe('what a passage would say, in the language of the documents'),
  document: documentField.optional(),
  type: z.enum(DOCUMENT_TYPES).optional(),
  from: day.optional().describe('earliest date of the document, YYYY-MM-DD'),
  to: day.optional().describe('latest date of the document, YYYY-MM-DD'),
  limit: z.number().int().min(1).max(MAX_PASSAGES).optional().describe(`passages, ${DEFAULT_PASSAGES} by default`),
})
const listInput = z.object({
  filter: z.string().optional().describe('words of name, type, topics or description, all of which must be there'),
})
const readInput = z.object({
  document: documentField,
  page: place.optional().describe('page, sheet or slide to begin with'),
  from: place.optional().describe('number of the passage to begin with'),
})

interface Output {
  /** What the model reads where there is no passage. */
  readonly lines: readonly string[]
  /** Of each passage, in the order of `texts`. */
  readonly sources: readonly Source[]
  readonly texts: readonly string[]
  readonly labels: Provenance
}

/** The tools of the documents that a run may search. */
export function documentTools(shelf: Shelf): readonly LoopTool[] {
  const source = { kind: 'document', name: 'documents' } as const
  return [
    loopTool(searchDocuments(shelf), source, show),
    loopTool(listDocuments(shelf), source, show),
    loopTool(readDocument(shelf), source, show),
  ]
}

function show({ lines, sources, texts }: Output, ids: readonly string[]): string {
  const passages = sources.map((source, at) => passageText({ source, text: texts[at]! }, ids[at]!))
  const text = lines.join('\n')
  // A list is one source of its own.
  const rest = sources.length === 0 && ids.length > 0 ? `[${ids[0]}]\n${text}` : text
  return [...passages, rest].filter((part) => part !== '').join('\n\n')
}

const common = { reach: 'inside', provenance: ({ labels }: Output) => labels } as const

function searchDocuments(shelf: Shelf): Tool<z.infer<typeof searchInput>, Output> {
  return defineTool({
    ...SEARCH_DOCUMENTS,
    ...common,
    input: searchInput,
    run: async ({ query, document, type, from, to, limit = DEFAULT_PASSAGES }, { signal }) => {
      const whose = await shelf.whose()
      const documents = await shelf.store.documents(whose)
      const named = document === undefined ? undefined : documentsNamed(document, documents)
      const filter = given({
        documentIds: named?.map(({ documentId }) => documentId),
        types: type === undefined ? undefined : [type],
        from,
        to,
      })
      const { hits } = await shelf.passages(whose, query, { filter, limit, signal })
      if (hits.length === 0) {
        return listOf(nearestTo(query, named ?? documents), [
          'No passage was found; other words may find one. The nearest documents:',
        ])
      }
      const passages = hits.flatMap(passagesOf)
      return {
        lines: aboutDocuments(
          documents.filter(({ documentId }) => hits.some((hit) => hit.document.documentId === documentId)),
        ),
        sources: passages.map(({ source }) => source),
        texts: passages.map(({ text }) => text),
        labels: labelsOf(hits.map((hit) => hit.document)),
      }
    },
  })
}

/** What the documents of the passages are: a passage alone may not say whose contract it is from. */
function aboutDocuments(documents: readonly DocumentRecord[]): readonly string[] {
  return documents.flatMap(({ name, description }) => (description === '' ? [] : [`${name}: ${description}`]))
}

function listDocuments(shelf: Shelf): Tool<z.infer<typeof listInput>, Output> {
  return defineTool({
    ...LIST_DOCUMENTS,
    ...common,
    input: listInput,
    run: async ({ filter = '' }) => {
      const documents = await shelf.store.documents(await shelf.whose())
      const wanted = termsOfName(filter)
      const found = documents.filter(({ name, type, topics, description }) => {
        const terms = new Set([...termsOfName(`${name} ${type}`), ...searchTerms(`${topics.join(' ')} ${description}`)])
        return wanted.every((term) => terms.has(term))
      })
      if (found.length === 0 && documents.length > 0) {
        const none = `None of ${documents.length} documents has all of these words. The nearest:`
        return listOf(nearestTo(filter, documents), [none])
      }
      const count = `${found.length} of ${documents.length} documents${found.length > MAX_LISTED ? `, the first ${MAX_LISTED} of them` : ''}:`
      return listOf(found.slice(0, MAX_LISTED), [count])
    },
  })
}

function listOf(documents: readonly DocumentRecord[], before: readonly string[]): Output {
  const lines = documents.map((document) => `- ${document.name} (${extentOf(document)}): ${document.description}`)
  const labels = labelsOf(documents.map((document) => ({ name: document.name, ...isUpload(document) })))
  return { lines: [...before, ...lines], sources: [], texts: [], labels }
}

function readDocument(shelf: Shelf): Tool<z.infer<typeof readInput>, Output> {
  return defineTool({
    ...READ_DOCUMENT,
    ...common,
    input: readInput,
    run: async ({ document: name, page, from = 1 }): Promise<Output> => {
      const whose = await shelf.whose()
      const [document, ...others] = documentsNamed(name, await shelf.store.documents(whose))
      if (others.length > 0) {
        const all = [document!, ...others].map((one) => `"${one.name}" (${one.documentId})`)
        throw new TuttiError('ToolError', `Several documents are called so; name one by its id: ${all.join(', ')}.`)
      }
      const chunks = await shelf.store.chunks(whose, document!.documentId)
      const passages = chunks.flatMap((chunk) => passagesOf({ chunk, document: document! }))
      const start =
        page === undefined ? from - 1 : passages.findIndex(({ source }) => (source.passage?.page ?? 1) >= page)
      if (start < 0 || start >= passages.length) {
        const pages = document!.pages === undefined ? '' : ` and ${document!.pages} pages`
        throw new TuttiError('ToolError', `"${document!.name}" has ${passages.length} passages${pages}.`)
      }
      let used = 0
      const end = passages.findIndex(({ text }, at) => at >= start && (used += text.length) > MAX_READ && at > start)
      const read = passages.slice(start, end < 0 ? undefined : end)
      const last = start + read.length
      const more = last < passages.length ? `; ${READ_DOCUMENT.name} with from ${last + 1} reads on` : ''
      return {
        lines: [`[Passages ${start + 1} to ${last} of ${passages.length}${more}.]`],
        sources: read.map(({ source }) => source),
        texts: read.map(({ text }) => text),
        labels: labelsOf([{ name: document!.name, ...isUpload(document!) }]),
      }
    },
  })
}
