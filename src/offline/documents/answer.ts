import { z } from 'zod'
import type { ActorContext, AgentTask } from '../../domain/actor.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Outcome } from '../../domain/result.ts'
import { ruleText } from '../../shared/rule-text.ts'
import { hasSheets, pageLabel } from '../../shared/page-label.ts'
import { defineTool } from '../../domain/tool.ts'
import { knownLanguage, wordsForPassages } from '../../documents/search/languages.ts'
import type { SearchResult } from '../../documents/search/retriever.ts'
import type { DocumentRecord, Hit } from '../../documents/types.ts'
import { pagesOfHit, passageSource } from '../../agents/rag/passages.ts'
import { documentLabels, nearestTo, type Corpus } from '../../agents/rag/corpora.ts'
import { SEARCH_DOCUMENTS } from '../../agents/rag/tools.ts'
import { closestSentences, type QuotablePassage, type Quote } from './closest-sentence.ts'
import { readFileNames, topicOf } from './question-words.ts'

/** Passages that are looked at, and that are shown. */
const CANDIDATES = 20
const SHOWN = 4
/** What a place in the order of the search counts, as a share of the best sentence's score. */
const RANK_WEIGHT = 0.2
/** Documents that a decline names. */
const MAX_NAMED = 5
/** Around the passages, in the language of the question. */
const TEXTS = {
  en: {
    heading: 'Closest passages in your documents:',
    page: pageLabel,
  },
  de: {
    heading: 'Die nächsten Stellen in Ihren Dokumenten:',
    page: (file: string, page: number) => `${hasSheets(file) ? 'Blatt' : 'Seite'} ${page}`,
  },
}

const input = z.object({
  query: z.string().min(1),
  documentIds: z.array(z.string()).readonly().optional(),
})

/** A search: it shows the closest passages, and the task counts as unanswered. */
export async function answerDocuments(task: AgentTask, ctx: ActorContext, corpus: Corpus): Promise<Outcome> {
  const text = ruleText(task.text)
  const documents = await corpus.store.documents(await corpus.scope())
  const { question, documentIds } = readFileNames(text, documents)
  const { hits, confidence, method, notes } = await ctx.call(searchTool(corpus), {
    query: question,
    ...(documentIds.length === 0 ? {} : { documentIds }),
  })
  ctx.note('TOOL', 'Documents searched', { passages: hits.length, confidence, method, documentIds, notes })
  const closest = await closestPassages(question, hits)
  if (closest.length === 0)
    return ctx.decline(nothingFound(question, documents, notes), { data: dataOf(task, [], notes) })
  const texts = TEXTS[knownLanguage(ctx.request.question) === 'de' ? 'de' : 'en']
  const lines = closest.map(({ hit, quote }, i) => `${passageLabel(hit, texts.page)}: ${quote.text} [${i + 1}]`)
  const passages = closest.map(({ hit }) => hit)
  return {
    answer: [texts.heading, ...lines].join('\n\n'),
    data: dataOf(task, passages, notes),
    sources: passages.map(passageSource),
    unanswered: [task.text],
  }
}

function searchTool({ search, scope }: Corpus) {
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
async function closestPassages(question: string, hits: readonly Hit[]): Promise<readonly QuotedHit[]> {
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
  return { chunks, query, notes, by: 'fallback' }
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
