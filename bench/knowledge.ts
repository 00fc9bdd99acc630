/**
 * `npm run bench:knowledge [-- CHUNKS]`: what the store of documents costs on SQLite with 100,000 chunks (or as many as
 * given) of one owner and 1,000 of another in one file. Texts are made up, with words as frequent as in English (Zipf).
 */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks'
import { openKnowledgeStore } from '../src/knowledge/store/index.ts'
import type { KnowledgeStore } from '../src/knowledge/types.ts'
import { quantile } from './retrieval-measures.ts'
import { madeUpDocument, madeUpQuestions, madeUpVector } from './knowledge-texts.ts'

const CHUNKS_PER_DOCUMENT = 100
const SMALL = 1_000
const MODEL = 'made-up'
const DIMENSIONS = 768
const QUERIES = 60
const BATCH = 256

type Rows = Record<string, Record<string, string | number>>

async function main(chunks: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-knowledge-'))
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const file = join(folder, 'both.db')
  const store = openKnowledgeStore({ sqlitePath: file })
  const alone = openKnowledgeStore({ sqlitePath: join(folder, 'alone.db') })
  try {
    await fill(store, 'small', SMALL)
    await fill(alone, 'small', SMALL)
    const idle = await delayOf(() => new Promise((resolve) => setTimeout(resolve, 3_000)))
    const seconds = await fill(store, 'large', chunks, delay)
    const childMemory = await childrenMb()
    console.log(`Put in: ${chunks} chunks in ${seconds.toFixed(1)} s, ${(chunks / seconds).toFixed(0)} chunks/s`)
    console.log(`File: ${((await stat(file)).size / chunks / 1_024 || 0).toFixed(2)} KB a chunk`)
    console.log(`Memory: this process ${mb(process.memoryUsage().rss)} MB, the store's processes ${childMemory} MB`)
    const rows: Rows = {}
    delay.enable()
    await words(rows, store, alone, chunks)
    delay.disable()
    const embedding =
      (await embedAll(store, 'large')) + (await embedAll(store, 'small')) + (await embedAll(alone, 'small'))
    console.log(`Vectors of ${DIMENSIONS} kept: ${((chunks + 2 * SMALL) / embedding).toFixed(0)} a second`)
    delay.enable()
    await vectors(rows, store, alone, chunks)
    delay.disable()
    console.table(rows)
    console.log(`Event loop of this process with nothing to do: ${idle}`)
    console.log(`… while documents are put in and searched: ${figuresOf(delay)}`)
    await removal(store)
  } finally {
    await Promise.all([store.close(), alone.close()])
    await rm(folder, { recursive: true, force: true })
  }
}

async function words(rows: Rows, store: KnowledgeStore, alone: KnowledgeStore, chunks: number): Promise<void> {
  for (const expand of [false, true]) {
    const name = expand ? 'BM25 + RM3' : 'BM25'
    const ask = (of: KnowledgeStore, owner: string) => (query: string) =>
      of.lexical(owner, query, 20, undefined, expand)
    rows[`${name}, ${SMALL} alone in a file`] = await latencies(ask(alone, 'small'))
    rows[`${name}, ${SMALL} beside ${chunks} of another`] = await latencies(ask(store, 'small'))
    rows[`${name}, ${chunks}`] = await latencies(ask(store, 'large'))
  }
}

async function vectors(rows: Rows, store: KnowledgeStore, alone: KnowledgeStore, chunks: number): Promise<void> {
  const questions = Array.from({ length: QUERIES + 10 }, (_, at) => madeUpVector(1_000_000 + at, DIMENSIONS))
  const ask = (of: KnowledgeStore, owner: string) => (_: string, at: number) =>
    of.dense(owner, MODEL, questions[at]!, 20)
  rows[`vectors, ${SMALL} alone in a file`] = await latencies(ask(alone, 'small'))
  rows[`vectors, ${SMALL} beside ${chunks} of another`] = await latencies(ask(store, 'small'))
  rows[`vectors, ${chunks}`] = await latencies(ask(store, 'large'))
}

async function latencies(run: (query: string, at: number) => Promise<unknown>): Promise<Rows[string]> {
  const taken: number[] = []
  for (const [at, query] of madeUpQuestions(QUERIES + 10).entries()) {
    const startedAt = performance.now()
    await run(query, at)
    if (at >= 10) taken.push(performance.now() - startedAt)
  }
  return { 'p50, ms': quantile(taken, 0.5).toFixed(1), 'p95, ms': quantile(taken, 0.95).toFixed(1) }
}

/** Gives the seconds it took, without those of making up the texts. */
async function fill(store: KnowledgeStore, owner: string, chunks: number, delay?: IntervalHistogram): Promise<number> {
  let ms = 0
  for (let first = 0; first < chunks; first += CHUNKS_PER_DOCUMENT) {
    const document = madeUpDocument(first, Math.min(CHUNKS_PER_DOCUMENT, chunks - first))
    const startedAt = performance.now()
    delay?.enable()
    await store.put(owner, document)
    delay?.disable()
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

/** How long the event loop of this process is held up meanwhile; other programs on the machine do so, too. */
async function delayOf(action: () => Promise<unknown>): Promise<string> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await action()
  delay.disable()
  return figuresOf(delay)
}

function figuresOf(delay: IntervalHistogram): string {
  const ms = (nanoseconds: number): string => (nanoseconds / 1e6).toFixed(1)
  return `99 % below ${ms(delay.percentile(99))} ms, 99.9 % below ${ms(delay.percentile(99.9))} ms, at most ${ms(delay.max)} ms`
}

async function removal(store: KnowledgeStore): Promise<void> {
  const documents = (await store.documents('large')).slice(0, 10)
  const startedAt = performance.now()
  for (const { documentId } of documents) await store.remove('large', documentId)
  const ms = (performance.now() - startedAt) / documents.length
  console.log(`Removed: a document of ${CHUNKS_PER_DOCUMENT} chunks in ${ms.toFixed(0)} ms`)
}

/** Resident memory of the processes that this one has started; on Linux alone. */
async function childrenMb(): Promise<string> {
  const list = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8').catch(() => '')
  const sizes = await Promise.all(
    list
      .split(' ')
      .filter((pid) => pid !== '')
      .map(async (pid) => {
        const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
        return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024
      }),
  )
  return sizes.length === 0 ? 'not known' : sizes.map((size) => size.toFixed(0)).join(', ')
}

function mb(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0)
}

await main(Number(process.argv[2] ?? 100_000))
