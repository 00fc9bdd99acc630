/**
 * `npm run bench:retrieval -- DIR`: how well passages are found, and how fast. DIR holds `corpus.jsonl` (`_id`, `title`,
 * `text`), `queries.jsonl` (`_id`, `text`) and `qrels.tsv` (query, document, grade; a head line), as in BEIR. Runs on
 * SQLite, and on PostgreSQL where DATABASE_URL names one or this machine has it. Rows with vectors need an embedding
 * model (`TUTTI_EMBEDDING_URL` or `TUTTI_EMBEDDING_MODEL`).
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/shared/clock.ts'
import { createEmbedder } from '../src/documents/embedding/embedder.ts'
import { fuseRankings } from '../src/documents/search/rank-fusion.ts'
import { openKnowledgeStore, type StorePlace } from '../src/documents/store/index.ts'
import type { Embedder, Hit, KnowledgeStore } from '../src/documents/types.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { evaluate, type Judgements, quantile, type Ranking } from './retrieval-measures.ts'
import { embeddingFromEnv } from '../src/app/config/embedding.ts'

const OWNER = `bench-${randomUUID()}`
/** Deep enough for fusion and for recall at 20. */
const DEPTH = 100
const BATCH = 64

interface Collection {
  readonly corpus: readonly { readonly _id: string; readonly title?: string; readonly text: string }[]
  readonly queries: readonly { readonly _id: string; readonly text: string }[]
  readonly judgements: Judgements
}

type Method = (query: string, vector: Float32Array | undefined) => Promise<readonly Hit[]>

async function main(folder: string | undefined): Promise<void> {
  if (folder === undefined) throw new Error('Name the folder: npm run bench:retrieval -- DIR')
  const collection = await readCollection(folder)
  const config = embeddingFromEnv(process.env)
  const embedder = config === undefined ? undefined : createEmbedder(config, { fetch, clock: systemClock })
  const temp = await mkdtemp(join(tmpdir(), 'tutti-retrieval-'))
  const postgres = process.env['DATABASE_URL'] === undefined ? await startPostgres() : undefined
  const postgresUrl = process.env['DATABASE_URL'] ?? postgres?.url
  const places: [string, StorePlace][] = [['SQLite', { sqlitePath: join(temp, 'knowledge.db') }]]
  if (postgresUrl !== undefined) places.push(['PostgreSQL', { postgresUrl }])
  const { corpus, queries } = collection
  console.log(`${corpus.length} documents, ${queries.length} questions, ${embedder?.model ?? 'no embedding model'}`)
  try {
    for (const [name, place] of places) console.table(await measure(name, place, collection, embedder))
  } finally {
    await postgres?.stop()
    await rm(temp, { recursive: true, force: true })
  }
}

async function readCollection(folder: string): Promise<Collection> {
  const lines = async (name: string): Promise<string[]> =>
    (await readFile(join(folder, name), 'utf8')).split('\n').filter((line) => line.trim() !== '')
  const judgements = new Map<string, Map<string, number>>()
  for (const line of (await lines('qrels.tsv')).slice(1)) {
    const [query, document, grade] = line.split('\t') as [string, string, string]
    const grades = judgements.get(query) ?? new Map<string, number>()
    judgements.set(query, grades.set(document, Number(grade)))
  }
  return {
    corpus: (await lines('corpus.jsonl')).map((line) => JSON.parse(line) as Collection['corpus'][number]),
    queries: (await lines('queries.jsonl'))
      .map((line) => JSON.parse(line) as Collection['queries'][number])
      .filter(({ _id }) => judgements.has(_id)),
    judgements,
  }
}

async function measure(
  database: string,
  place: StorePlace,
  collection: Collection,
  embedder: Embedder | undefined,
): Promise<Record<string, Record<string, string>>> {
  const store = openKnowledgeStore(place)
  try {
    const ids = await fill(store, collection, embedder)
    const vectors = await embedder?.embed(
      collection.queries.map(({ text }) => text),
      'query',
    )
    const table: Record<string, Record<string, string>> = {}
    for (const [name, method] of methods(store, embedder)) {
      table[`${database}: ${name}`] = await measureMethod(method, collection, ids, vectors)
    }
    for (const { documentId } of await store.documents(OWNER)) await store.remove(OWNER, documentId)
    return table
  } finally {
    await store.close()
  }
}

function methods(store: KnowledgeStore, embedder: Embedder | undefined): [string, Method][] {
  const lexical = (query: string) => store.lexical(OWNER, query, DEPTH)
  const first: [string, Method][] = [['BM25', lexical]]
  if (embedder === undefined) return first
  const dense = async (vector: Float32Array | undefined) =>
    vector === undefined ? [] : store.dense(OWNER, embedder.model, vector, DEPTH)
  const hybrid: Method = async (query, vector) => fuseRankings(await Promise.all([lexical(query), dense(vector)]))
  return [...first, ['dense', (_, vector) => dense(vector)], ['hybrid', hybrid]]
}

/** One document, a chunk for each entry of the corpus; gives the entries' ids by place. */
async function fill(
  store: KnowledgeStore,
  { corpus }: Collection,
  embedder: Embedder | undefined,
): Promise<readonly string[]> {
  let text = ''
  const chunks = corpus.map((entry, ordinal) => {
    const passage = `${entry.title ?? ''} ${entry.text}`
    const start = text.length
    text += `${passage}\n`
    return { ordinal, text: passage, start, end: start + passage.length, kind: 'text' as const, tokens: 0 }
  })
  await store.put(OWNER, {
    name: 'corpus.txt',
    type: 'txt',
    hash: createHash('sha256').update(text).digest('hex'),
    description: '',
    topics: [],
    bytes: text.length,
    addedAt: Date.now(),
    notes: [],
    text,
    chunks,
    parents: chunks.map(() => undefined),
  })
  for (;;) {
    const missing = embedder === undefined ? [] : await store.unembedded(OWNER, embedder.model, BATCH)
    if (embedder === undefined || missing.length === 0) return corpus.map(({ _id }) => _id)
    const vectors = await embedder.embed(
      missing.map((chunk) => chunk.text),
      'passage',
    )
    await store.embed(OWNER, embedder.model, new Map(missing.map(({ chunkId }, at) => [chunkId, vectors[at]!])))
  }
}

async function measureMethod(
  method: Method,
  { queries, judgements }: Collection,
  ids: readonly string[],
  vectors: readonly Float32Array[] | undefined,
): Promise<Record<string, string>> {
  const rankings = new Map<string, Ranking>()
  const latencies: number[] = []
  for (const [index, { _id, text }] of queries.entries()) {
    const startedAt = performance.now()
    const hits = await method(text, vectors?.[index])
    latencies.push(performance.now() - startedAt)
    rankings.set(
      _id,
      hits.map(({ chunk }) => ids[chunk.ordinal]!),
    )
  }
  const { ndcg10, recall20 } = evaluate(rankings, judgements)
  return {
    'nDCG@10': ndcg10.toFixed(4),
    'recall@20': recall20.toFixed(4),
    'p50, ms': quantile(latencies, 0.5).toFixed(1),
    'p95, ms': quantile(latencies, 0.95).toFixed(1),
  }
}

await main(process.argv[2])
