import { z } from 'zod'
import type { ActorContext, AgentTask } from '../../domain/actor.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Outcome } from '../../domain/result.ts'
import { ruleText } from '../../shared/rule-text.ts'
import { hasSheets, pageLabel } from '../../shared/page-label.ts'
import { defineTool } from '../../domain/tool.ts'
import { knownLanguage, wordsForPassages } from '../../documents/search/languages.ts'
import type { SearchResult } from '../../documents/search/retriever.ts'
import { DOCUMENT_TYPES, type DocumentRecord, type Hit } from '../../documents/types.ts'
import { pagesOfHit, passageSource } from '../../agents/rag/passages.ts'
import { documentLabels, isUpload, nearestTo, type Shelf, termsOfName } from '../../agents/rag/shelf.ts'
import { LIST_DOCUMENTS, SEARCH_DOCUMENTS } from '../../agents/rag/tools.ts'
import { closestSentences, type QuotablePassage, type Quote } from './closest-sentence.ts'
import { readFilterWords, topicOf } from './filter-words.ts'

/** Passages that are looked at, and that are shown. */
const CANDIDATES = 20
const SHOWN = 3
/** What a place in the order of the search counts, as a share of the best sentence's score. */
const RANK_WEIGHT = 0.2
/** Documents, or words, that a decline names. */
const MAX_NAMED = 5
/** Documents of an overview. */
const MAX_OVERVIEW = 20
/** Around the passages, in the language of the question. */
const TEXTS = {
  en: {
    heading: 'Closest passages in your documents:',
    absent: 'Not in these passages',
    all: 'The documents that the question names have nothing on this, so all documents were searched.',
    page: pageLabel,
  },
  de: {
    heading: 'Die nächsten Stellen in Ihren Dokumenten:',
    absent: 'Nicht in diesen Stellen',
    all: 'Die genannten Dokumente enthalten dazu nichts, deshalb wurden alle durchsucht.',
    page: (file: string, page: number) => `${hasSheets(file) ? 'Blatt' : 'Seite'} ${page}`,
  },
}

const input = z.object({
  query: z.string().min(1),
  types: z.array(z.enum(DOCUMENT_TYPES)).readonly().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  documentIds: z.array(z.string()).readonly().optional(),
})

/** A search: it shows the closest passages, and the task counts as unanswered. Overviews are answers. */
export async function answerDocuments(task: AgentTask, ctx: ActorContext, shelf: Shelf): Promise<Outcome> {
  const text = ruleText(task.text)
  const documents = await shelf.store.documents(await shelf.scope())
  const meant = documentsMeant(text, documents)
  if (meant !== undefined && meant.length > 0) return overview(task, ctx, meant.slice(0, MAX_OVERVIEW), shelf)
  const { question, filter } = readFilterWords(text, String(ctx.request.context['current_date']), documents)
  const tool = searchTool(shelf)
  const filtered = await ctx.call(tool, { query: question, ...filter })
  const isWidened = filtered.hits.length === 0 && Object.keys(filter).length > 0
  const { hits, confidence, method, notes } = isWidened ? await ctx.call(tool, { query: question }) : filtered
  ctx.note('TOOL', 'Documents searched', { passages: hits.length, confidence, method, filter, notes })
  const closest = await closestPassages(question, hits)
  if (closest.length === 0)
    return ctx.decline(nothingFound(question, documents, notes), { data: dataOf(task, [], notes) })
  const texts = TEXTS[knownLanguage(ctx.request.question) === 'de' ? 'de' : 'en']
  const lines = closest.map(({ hit, quote }, i) => `${passageLabel(hit, texts.page)}: ${quote.text} [${i + 1}]`)
  const passages = closest.map(({ hit }) => hit)
  const absent = await absentWords(question, closest)
  const remark = [
    ...(isWidened ? [texts.all] : []),
    ...(absent.length === 0 ? [] : [`${texts.absent}: ${absent.join(', ')}.`]),
  ]
  const outcome = found(task, notes, [texts.heading, ...lines, ...remark], passages)
  return { ...outcome, unanswered: [task.text] }
}

/** The descriptions of documents, each with its first passage as source. */
async function overview(
  task: AgentTask,
  ctx: ActorContext,
  documents: readonly DocumentRecord[],
  shelf: Shelf,
): Promise<Outcome> {
  const tool = defineTool<{ readonly documentIds: readonly string[] }, readonly Hit[]>({
    ...LIST_DOCUMENTS,
    reach: 'inside',
    input: z.object({ documentIds: z.array(z.string()) }),
    provenance: (hits) => documentLabels(hits.map(({ document }) => document)),
    run: async () => {
      const scope = await shelf.scope()
      const openings = documents.map(async (document) => {
        const [chunk] = await shelf.store.chunks(scope, document.documentId, 0, 0)
        return chunk === undefined ? [] : [{ chunk, document: { ...document, ...isUpload(document) }, score: 1 }]
      })
      return (await Promise.all(openings)).flat()
    },
  })
  const hits = await ctx.call(tool, { documentIds: documents.map(({ documentId }) => documentId) })
  const descriptions = new Map(documents.map(({ documentId, description }) => [documentId, description]))
  const lines = hits.map(
    ({ document: { name, documentId } }, i) => `${name}: ${descriptions.get(documentId)} [${i + 1}]`,
  )
  return found(task, [], lines, hits)
}

function searchTool({ search, scope }: Shelf) {
  return defineTool<z.infer<typeof input>, SearchResult>({
    ...SEARCH_DOCUMENTS,
    reach: 'inside',
    input,
    provenance: ({ hits }) => documentLabels(hits.map(({ document }) => document)),
    run: async ({ query, ...filter }, { signal }) =>
      search(await scope(), query, { limit: CANDIDATES, signal, filter: omitUndefined(filter) }),
  })
}

interface QuotedHit {
  /** Of one page; of a table the row. */
  readonly hit: Hit
  readonly quote: Quote
}

/** The passages whose best sentence has most words of the question; ties keep the order of the search. */
export async function closestPassages(question: string, hits: readonly Hit[]): Promise<readonly QuotedHit[]> {
  const pages = hits.flatMap((hit, rank) => pagesOfHit(hit).map((page) => ({ hit: page, rank })))
  const topic = topicOf(question)
  const words = await wordsForPassages(topic, hits)
  const quotes = closestSentences(
    topic,
    pages.map(({ hit }) => quotable(hit)),
    words,
  )
  const best = new Map<number, QuotedHit>()
  for (const [i, { hit, rank }] of pages.entries()) {
    const quote = quotes[i]
    if (quote === undefined || quote.score <= (best.get(rank)?.quote.score ?? -1)) continue
    best.set(rank, { hit: hit.chunk.kind === 'table' ? rowOf(hit, quote) : hit, quote })
  }
  const top = Math.max(...[...best.values()].map(({ quote }) => quote.score))
  const value = ([rank, { quote }]: [number, QuotedHit]): number => quote.score / top - RANK_WEIGHT * rank
  return [...best]
    .toSorted((a, b) => value(b) - value(a))
    .slice(0, SHOWN)
    .map(([, shown]) => shown)
}

/** The words of a question that none of the passages has. */
async function absentWords(question: string, shown: readonly QuotedHit[]): Promise<readonly string[]> {
  const topic = topicOf(question)
  const words = await wordsForPassages(
    topic,
    shown.map(({ hit }) => hit),
  )
  const presentTerms = new Set(
    shown.flatMap(({ hit: { chunk, document }, quote }) =>
      words.terms(`${document.name} ${chunk.section} ${chunk.text} ${quote.text}`.replaceAll('_', ' ')),
    ),
  )
  const topicWords = topic.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []
  const absent = topicWords.filter((word) => words.terms(word).some((term) => !presentTerms.has(term)))
  return [...new Set(absent)].slice(0, MAX_NAMED).map((word) => `“${word}”`)
}

function quotable({ chunk }: Hit): QuotablePassage {
  return {
    text: chunk.text,
    isTable: chunk.kind === 'table',
    headings: new Set((chunk.section ?? '').split(' › ')),
  }
}

function rowOf(hit: Hit, { start, end }: Quote): Hit {
  const { chunk } = hit
  const text = chunk.text.slice(start, end)
  return { ...hit, chunk: { ...chunk, text, start: chunk.start + start, end: chunk.start + end } }
}

/** `policy.pdf (page 3, Refunds)`. */
function passageLabel(
  { chunk: { page, section }, document: { name } }: Hit,
  label: (file: string, page: number) => string,
): string {
  const parts = [
    ...(page === undefined ? [] : [label(name, page)]),
    ...(section === undefined ? [] : [section.split(' › ').at(-1)!]),
  ]
  return parts.length === 0 ? name : `${name} (${parts.join(', ')})`
}

/** `data` of a result of the rag agent. */
function found(
  task: AgentTask,
  notes: readonly string[],
  paragraphs: readonly string[],
  hits: readonly Hit[],
): Outcome {
  return {
    answer: paragraphs.join('\n\n'),
    data: dataOf(task, hits, notes),
    sources: hits.map(passageSource),
  }
}

function dataOf({ text: query }: AgentTask, hits: readonly Hit[], notes: readonly string[]) {
  const chunks = hits.map(({ chunk, document, score }) => ({
    chunk_id: chunk.chunkId,
    score,
    text: chunk.text,
    metadata: {
      filename: document.name,
      doc_type: document.type,
      ...omitUndefined({ page: chunk.page, section_title: chunk.section, date: document.date }),
    },
  }))
  const sources = hits.map(({ chunk: { page, section }, document: { name } }) => ({
    type: 'document',
    source: name,
    ...omitUndefined({ page, section }),
  }))
  return { chunks, sources, query, notes, by: 'fallback' }
}

/** Why there is no passage, with the documents that there are. */
function nothingFound(question: string, documents: readonly DocumentRecord[], notes: readonly string[]): string {
  if (documents.length === 0) return notes.at(-1) ?? 'There are no documents yet. Add some, then ask again.'
  const names = nearestTo(question, documents)
    .slice(0, MAX_NAMED)
    .map(({ name }) => name)
  const omittedCount = documents.length - names.length
  const list = names.join(', ')
  return `No passage has words of the question. Documents: ${list}${omittedCount === 0 ? '' : ` and ${omittedCount} more`}.`
}

const DOCS = String.raw`(?:all\s+)?(?:my|our|the|these|those)\s+(?:documents?|docs?|files?|papers?)`
/** Questions about all documents, not about their content. */
const ALL = new RegExp(
  String.raw`^\W*(?:what\s+(?:are|is\s+in)\s+${DOCS}(?:\s+about)?|what\s+do\s+${DOCS}\s+(?:cover|contain|talk\s+about|deal\s+with)|(?:what|which)\s+(?:documents|docs|files)\s+(?:do\s+(?:i|we|you)\s+have|are\s+there)|(?:list|show|describe|summari[sz]e)\s+(?:me\s+)?${DOCS})\W*$`,
  'i',
)
/** A question about one document, by its name: “What is the returns policy about?”. */
const ONE =
  /^\W*(?:what\s+is\s+(?:in\s+)?(?:the\s+)?(.{3,80}?)\s+about|worum\s+geht\s+es\s+(?:in|bei)\s+(.{3,80}?)|wovon\s+handelt\s+(.{3,80}?))\W*$/i

/** The documents that a question about documents themselves means; undefined for a question about their content. */
function documentsMeant(question: string, documents: readonly DocumentRecord[]): readonly DocumentRecord[] | undefined {
  if (ALL.test(question)) return documents
  const documentName = ONE.exec(question)
    ?.slice(1)
    .find((name) => name !== undefined)
  if (documentName === undefined) return undefined
  const nameWords = nameTerms(documentName)
  const found = documents.filter(({ name }) => {
    const terms = nameTerms(name.split(/[/\\]/).at(-1)!)
    return (
      nameWords.length > 0 && nameWords.every((term) => terms.includes(term)) && 2 * nameWords.length >= terms.length
    )
  })
  return found.length === 0 ? undefined : found
}

function nameTerms(name: string): readonly string[] {
  return termsOfName(name.replace(/\.[^./\\]{1,5}$/, ''))
}
