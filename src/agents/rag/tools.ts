import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined, truncateAtWord } from '../../shared/json.ts'
import type { Provenance } from '../../domain/provenance.ts'
import type { Source } from '../../domain/result.ts'
import { defineTool, type Tool, type ToolInfo, loopTool, type LoopTool } from '../../domain/tool.ts'
import { searchTerms } from '../../documents/search/analysis.ts'
import { DOCUMENT_TYPES, type DocumentRecord } from '../../documents/types.ts'
import { tableOfLines, type Table } from '../../domain/table.ts'
import { passagesOf, passageText } from './passages.ts'
import {
  chunksOfDocument,
  documentLabels,
  documentsNamed,
  documentsOf,
  describeExtent,
  isTable,
  isUpload,
  nearestTo,
  searchCorpora,
  termsOfName,
  type Corpus,
} from './corpora.ts'

const DEFAULT_PASSAGES = 8
const MAX_PASSAGES = 20
/** Characters that one call of `read_document` returns. */
const MAX_READ = 14_000
const MAX_LISTED = 200
/** Passages with less than this fraction of the best one's share of words are left out. */
const MIN_SHARE = 0.4
/** Of a description, above each passage. */
const MAX_TITLE = 90

export const SEARCH_DOCUMENTS = {
  name: 'search_documents',
  description: 'Finds passages in the documents by words and meaning, the best first.',
  effect: 'read',
} as const satisfies ToolInfo

export const LIST_DOCUMENTS = {
  name: 'list_documents',
  description: 'Lists the documents with type, pages, date, size and description.',
  effect: 'read',
} as const satisfies ToolInfo

export const READ_DOCUMENT = {
  name: 'read_document',
  description: 'Reads a document in order, from its beginning or from a page on.',
  effect: 'read',
} as const satisfies ToolInfo

const documentField = z.string().min(1)
// A pattern would be part of each prompt.
const day = z.string().refine((text) => /^\d{4}-\d\d-\d\d$/.test(text), 'must be a day, YYYY-MM-DD')

const place = z.number().int().min(1).max(100_000)

const searchInput = z.object({
  query: z.string().min(1).max(2_000),
  document: documentField.optional(),
  type: z.enum(DOCUMENT_TYPES).optional(),
  from: day.optional().describe('YYYY-MM-DD'),
  to: day.optional(),
  limit: z.number().int().min(1).max(MAX_PASSAGES).optional(),
})
const listInput = z.object({
  filter: z.string().optional().describe('words that must all be there'),
})
const readInput = z.object({
  document: documentField,
  page: place.optional().describe('page or sheet'),
  from: place.optional().describe('passage'),
})

interface Output {
  /** Text for the model if there is no passage. */
  readonly lines: readonly string[]
  /** Of each passage, in the order of `texts`. */
  readonly sources: readonly Source[]
  readonly texts: readonly string[]
  /** Of the documents of the passages, by their ids. */
  readonly descriptions?: Readonly<Record<string, string>>
  /** All rows of the sheet that was read. */
  readonly tabular?: Table
  readonly labels: Provenance
}

/** The tools of the documents that a run may search. */
export function documentTools(corpora: readonly Corpus[]): readonly LoopTool[] {
  const source = { kind: 'document', name: 'documents' } as const
  return [
    loopTool(searchDocuments(corpora), source, showFound),
    loopTool(listDocuments(corpora), source, show),
    loopTool(readDocument(corpora), source, show),
  ]
}

function show({ lines, sources, texts }: Output, ids: readonly string[]): string {
  const passages = sources.map((source, at) => passageText({ source, text: texts[at]! }, ids[at]!))
  const text = lines.join('\n')
  // A list is one source of its own.
  const rest = sources.length === 0 && ids.length > 0 ? `[${ids[0]}]\n${text}` : text
  return [...passages, rest].filter((part) => part !== '').join('\n\n')
}

/**
 * Passages that the model has already read are only named. A document's description is given beside its passages, since
 * a passage may lack it.
 */
function showFound(output: Output, ids: readonly string[], read: readonly Source[]): string {
  const { sources, texts, descriptions = {} } = output
  if (sources.length === 0) return show(output, ids)
  const passages = sources.map((source, at) => {
    const isRead = read.some(({ id }) => id === ids[at])
    const description = truncateAtWord(descriptions[source.passage?.documentId ?? ''] ?? '', MAX_TITLE)
    return isRead ? `[${ids[at]}] as above` : passageText({ source, text: texts[at]! }, ids[at]!, description)
  })
  const known = new Set(read.map(({ passage }) => passage?.documentId))
  const named = new Map(sources.map(({ name, passage }) => [passage?.documentId ?? '', name]))
  const descriptionLines = [...named].flatMap(([id, name]) => {
    const description = descriptions[id] ?? ''
    return description === '' || known.has(id) ? [] : [`${name}: ${description}`]
  })
  return [...passages, descriptionLines.join('\n')].filter((part) => part !== '').join('\n\n')
}

const common = { reach: 'inside', provenance: ({ labels }: Output) => labels } as const

function searchDocuments(corpora: readonly Corpus[]): Tool<z.infer<typeof searchInput>, Output> {
  return defineTool({
    ...SEARCH_DOCUMENTS,
    ...common,
    input: searchInput,
    run: async ({ query, document, type, from, to, limit = DEFAULT_PASSAGES }, { signal }) => {
      const documents = await documentsOf(corpora)
      const named = document === undefined ? undefined : documentsNamed(document, documents)
      const filter = omitUndefined({
        documentIds: named?.map(({ documentId }) => documentId),
        types: type === undefined ? undefined : [type],
        from,
        to,
      })
      const hits = await searchCorpora(corpora, query, { filter, limit, signal })
      if (hits.length === 0) {
        return listOf(nearestTo(query, named ?? documents), [
          'No passage was found; other words may find one. The nearest documents:',
        ])
      }
      const best = Math.max(...hits.map(({ coverage = 0 }) => coverage))
      const passages = hits.filter(({ coverage = best }) => coverage >= MIN_SHARE * best).flatMap(passagesOf)
      const found = new Set(passages.map(({ source }) => source.passage?.documentId))
      return {
        lines: [],
        descriptions: Object.fromEntries(
          documents.flatMap(({ documentId, description }) =>
            found.has(documentId) ? [[documentId, description]] : [],
          ),
        ),
        sources: passages.map(({ source }) => source),
        texts: passages.map(({ text }) => text),
        labels: documentLabels(hits.map((hit) => hit.document)),
      }
    },
  })
}

function listDocuments(corpora: readonly Corpus[]): Tool<z.infer<typeof listInput>, Output> {
  return defineTool({
    ...LIST_DOCUMENTS,
    ...common,
    input: listInput,
    run: async ({ filter = '' }) => {
      const documents = await documentsOf(corpora)
      const filterTerms = termsOfName(filter)
      const found = documents.filter(({ name, type, topics, description }) => {
        const terms = new Set([...termsOfName(`${name} ${type}`), ...searchTerms(`${topics.join(' ')} ${description}`)])
        return filterTerms.every((term) => terms.has(term))
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
  const lines = documents.map((document) => `- ${document.name} (${describeExtent(document)}): ${document.description}`)
  const labels = documentLabels(documents.map((document) => ({ name: document.name, ...isUpload(document) })))
  return { lines: [...before, ...lines], sources: [], texts: [], labels }
}

function readDocument(corpora: readonly Corpus[]): Tool<z.infer<typeof readInput>, Output> {
  return defineTool({
    ...READ_DOCUMENT,
    ...common,
    input: readInput,
    run: async ({ document: name, page, from = 1 }): Promise<Output> => {
      const [document, ...others] = documentsNamed(name, await documentsOf(corpora))
      if (others.length > 0) {
        const all = [document!, ...others].map((one) => `"${one.name}" (${one.documentId})`)
        throw new TuttiError('ToolError', `Several documents are called so; name one by its id: ${all.join(', ')}.`)
      }
      const chunks = await chunksOfDocument(corpora, document!)
      const passages = chunks.flatMap((chunk) => passagesOf({ chunk, document: document! }))
      const start =
        page === undefined ? from - 1 : passages.findIndex(({ source }) => (source.passage?.page ?? 1) >= page)
      if (start < 0 || start >= passages.length) {
        const pages = document!.pages === undefined ? '' : ` and ${document!.pages} pages`
        throw new TuttiError('ToolError', `"${document!.name}" has ${passages.length} passages${pages}.`)
      }
      const sheetOf = ({ source }: (typeof passages)[number]): number | undefined => source.passage?.page
      const isTabular = isTable(document!)
      const isSheet = isTabular && page !== undefined
      const rest = passages.slice(start).filter((one) => !isSheet || sheetOf(one) === sheetOf(passages[start]!))
      let used = 0
      const end = rest.findIndex(({ text }, at) => (used += text.length) > MAX_READ && at > 0)
      const read = rest.slice(0, end < 0 ? undefined : end)
      const last = start + read.length
      const more = last < passages.length ? `; ${READ_DOCUMENT.name} with from ${last + 1} reads on` : ''
      const sheets = new Set(read.map(sheetOf))
      const onSheets = passages.filter((one) => sheets.has(sheetOf(one))).map(({ text }) => text)
      const tabular = isTabular && sheets.size === 1 ? tableOfLines(onSheets.join('\n')) : undefined
      const chartInput =
        tabular === undefined ? 'the rows of one sheet, read by its page' : `all ${tabular.rowCount} rows by an id`
      const rows =
        !isTabular || (tabular === undefined && sheets.size < 2) ? '' : `; run_python and chart take ${chartInput}`
      return {
        lines: [`[Passages ${start + 1} to ${last} of ${passages.length}${more}${rows}.]`],
        sources: read.map(({ source }) => source),
        texts: read.map(({ text }) => text),
        ...omitUndefined({ tabular }),
        labels: documentLabels([{ name: document!.name, ...isUpload(document!) }]),
      }
    },
  })
}
