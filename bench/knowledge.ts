/**
 * `npm run bench:knowledge [-- CHUNKS]`: what the store of documents costs on SQLite with 100,000 chunks (or as many as
 * given) of one owner and 1,000 of another in one file. Texts are made up, with words as frequent as in English (Zipf).
 */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openKnowledgeStore } from '../src/documents/store/index.ts'
import type { KnowledgeStore } from '../src/documents/types.ts'
import { quantile } from './retrieval-measures.ts'
import { childrenUse, LoopDelay } from './processes.ts'
import { madeUpDocument, madeUpQuestions, madeUpVector } from './knowledge-texts.ts'

const CHUNKS_PER_DOCUMENT = 100
const SMALL = 1_000
const MODEL = 'made-up'
const DIMENSIONS = 768
const QUERIES = 60
/** Queries that are not counted: the first ones read the file. */
const WARM_UP = 10
const BATCH = 256

type Rows = Record<string, Record<string, string | number>>

async function main(chunks: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-knowledge-'))
  const [idle, busy] = [new LoopDelay(), new LoopDelay()]
  const file = join(folder, 'both.db')
  const store = openKnowledgeStore({ sqlitePath: file })
  const alone = openKnowledgeStore({ sqlitePath: join(folder, 'alone.db') })
  try {
    await fill(store, 'small', SMALL, busy)
    await fill(alone, 'small', SMALL, busy)
    for (let call = 0; call < 100; call++) await idle.during(() => new Promise((resolve) => setTimeout(resolve, 30)))
    const before = await childrenUse()
    const seconds = await fill(store, 'large', chunks, busy)
    const { cpuMs, peakMb } = await childrenUse()
    const perSecond = (chunks / (cpuMs - before.cpuMs)) * 1_000
    console.log(
      `Put in: ${chunks} chunks in ${seconds.toFixed(1)} s; ${perSecond.toFixed(0)} a second of processor time`,
    )
    console.log(`File: ${((await stat(file)).size / chunks / 1_024).toFixed(2)} KB a chunk`)
    console.log(
      `Memory: this process ${mb(process.memoryUsage().rss)} MB, the store's processes ${peakMb.join(', ')} MB`,
    )
    const rows: Rows = {}
    await words(rows, store, alone, chunks, busy)
    let embedding = 0
    for (const [of, owner] of [
      [store, 'large'],
      [store, 'small'],
      [alone, 'small'],
    ] as const)
      embedding += await embedAll(of, owner)
    console.log(`Vectors of ${DIMENSIONS} kept: ${((chunks + 2 * SMALL) / embedding).toFixed(0)} a second`)
    await vectors(rows, store, alone, chunks, busy)
    console.table(rows)
    console.log(`Event loop of this process held up at the longest, with nothing to do (calls of 30 ms): ${idle}`)
    console.log(`… while documents are put in and searched: ${busy}`)
    await removal(store)
  } finally {
    await Promise.all([store.close(), alone.close()])
    await rm(folder, { recursive: true, force: true })
  }
}

async function words(
  rows: Rows,
  store: KnowledgeStore,
  alone: KnowledgeStore,
  chunks: number,
  busy: LoopDelay,
): Promise<void> {
  for (const expand of [false, true]) {
    const name = expand ? 'BM25 + RM3' : 'BM25'
    const ask = (of: KnowledgeStore, owner: string) => (query: string) =>
      of.lexical(owner, query, 20, undefined, expand)
    rows[`${name}, ${SMALL} alone in a file`] = await latencies(ask(alone, 'small'), busy)
    rows[`${name}, ${SMALL} beside ${chunks} of another`] = await latencies(ask(store, 'small'), busy)
    rows[`${name}, ${chunks}`] = await latencies(ask(store, 'large'), busy)
  }
}

async function vectors(
  rows: Rows,
  store: KnowledgeStore,
  alone: KnowledgeStore,
  chunks: number,
  busy: LoopDelay,
): Promise<void> {
  const questions = Array.from({ length: QUERIES + WARM_UP }, (_, at) => madeUpVector(1_000_000 + at, DIMENSIONS))
  const ask = (of: KnowledgeStore, owner: string) => (_: string, at: number) =>
    of.dense(owner, MODEL, questions[at]!, 20)
  rows[`vectors, ${SMALL} alone in a file`] = await latencies(ask(alone, 'small'), busy)
  rows[`vectors, ${SMALL} beside ${chunks} of another`] = await latencies(ask(store, 'small'), busy)
  rows[`vectors, ${chunks}`] = await latencies(ask(store, 'large'), busy)
}

async function latencies(
  run: (query: string, at: number) => Promise<unknown>,
  busy: LoopDelay,
): Promise<Record<string, string>> {
  const taken: number[] = []
  const before = await childrenUse()
  for (const [at, query] of madeUpQuestions(QUERIES + WARM_UP).entries()) {
    const startedAt = performance.now()
    await busy.during(() => run(query, at))
    if (at >= WARM_UP) taken.push(performance.now() - startedAt)
  }
  const { cpuMs } = await childrenUse()
  const cpu = (cpuMs - before.cpuMs) / (QUERIES + WARM_UP)
  return {
    'processor, ms': cpu.toFixed(1),
    'p50, ms': quantile(taken, 0.5).toFixed(1),
    'p95, ms': quantile(taken, 0.95).toFixed(1),
  }
}

/** Gives the seconds it took, without those of making up the texts. */
async function fill(store: KnowledgeStore, owner: string, chunks: number, busy: LoopDelay): Promise<number> {
  let ms = 0
  for (let first = 0; first < chunks; first += CHUNKS_PER_DOCUMENT) {
    const document = madeUpDocument(first, Math.min(CHUNKS_PER_DOCUMENT, chunks - first))
    const startedAt = performance.now()
    await busy.during(() => store.put(owner, document))
    ms += performance.now() - startedAt
  }
  return ms / 1_000
}

async function embedAll(store: KnowledgeStore, owner: string): Promise<number> {
  let ms = 0
  for (let seed = 0; ; seed += BATCH) {
    const startedAt = performance.now()
    const missing = await store.unembedded(owner, MODEL, BATCH)
    if (missing.length === 0) return ms / 1_000
    const batch = new Map(missing.map(({ chunkId }, at) => [chunkId, madeUpVector(seed + at, DIMENSIONS)]))
    await store.embed(owner, MODEL, batch)
    ms += performance.now() - startedAt
  }
}

async function removal(store: KnowledgeStore): Promise<void> {
  const documents = (await store.documents('large')).slice(0, 10)
  const startedAt = performance.now()
  for (const { documentId } of documents) await store.remove('large', documentId)
  const ms = (performance.now() - startedAt) / documents.length
  console.log(`Removed: a document of ${CHUNKS_PER_DOCUMENT} chunks in ${ms.toFixed(0)} ms`)
}

function mb(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0)
}

await main(Number(process.argv[2] ?? 100_000))
