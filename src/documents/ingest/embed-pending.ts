import { TuttiError } from '../../domain/errors.ts'
import type { Chunk, Embedder, KnowledgeStore } from '../types.ts'
import type { IngestOptions } from './ingestor.ts'

const BATCH = 64

/**
 * Creates the missing vectors of an owner's passages, in batches. Finished batches are kept if it is stopped.
 * @returns the number of passages that got a vector
 * @throws TuttiError the error of the embedding model, or the signal's reason
 */
export async function embedPending(
  store: KnowledgeStore,
  embedder: Embedder,
  owner: string,
  { signal, onProgress }: IngestOptions,
): Promise<number> {
  const { model } = embedder
  let count = 0
  let total = 0
  let last: string | undefined
  for (;;) {
    signal?.throwIfAborted()
    const chunks = await store.unembedded(owner, model, BATCH)
    const [first] = chunks
    if (first === undefined) break
    if (first.chunkId === last) throw new TuttiError('Internal', `The store does not keep vectors of ${model}.`)
    last = first.chunkId
    if (total === 0) total = await pendingChunks(store, owner, chunks.length)
    const vectors = await embedder.embed(chunks.map(passageText), 'passage', signal)
    await store.embed(owner, model, new Map(chunks.map(({ chunkId }, i) => [chunkId, vectors[i]!])))
    count += chunks.length
    onProgress?.({ name: model, stage: 'embedding', done: Math.min(1, count / total) })
  }
  return count
}

async function pendingChunks(store: KnowledgeStore, owner: string, atLeast: number): Promise<number> {
  const records = await store.documents(owner)
  const missing = records.reduce((sum, { chunks, embedded }) => sum + chunks - embedded, 0)
  return Math.max(atLeast, missing)
}

/** Include the headings: a passage from the middle of a section says little without them. */
function passageText({ text, section }: Chunk): string {
  return section === undefined ? text : `${section}\n${text}`
}
