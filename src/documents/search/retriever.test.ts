import { beforeAll, describe, expect, it } from 'vitest'
import { TuttiError } from '../../domain/errors.ts'
import { systemClock } from '../../shared/clock.ts'
import { createIngestor } from '../ingest/ingestor.ts'
import { knowledgeStore } from '../../../test/documents/support/knowledge-store.ts'
import { documentOf } from '../../../test/documents/support/stored-document.ts'
import type { Embedder, Hit } from '../types.ts'
import { createRetriever } from './retriever.ts'

const store = knowledgeStore()
const OWNER = 'ada'

beforeAll(async () => {
  const policy = documentOf('returns-policy.pdf', [
    'Returns. Customers may send goods back within 30 days of delivery.',
    'Damaged goods are replaced at no cost; the customer sends a photograph to support.',
    'The refund is paid within five working days.',
    'Warehouses are open on weekdays from eight to five.',
  ])
  await store.put(OWNER, {
    ...policy,
    type: 'pdf',
    date: '2026-02-01',
    chunks: policy.chunks.map((chunk, place) => ({
      ...chunk,
      page: place + 1,
      section: place < 3 ? 'Returns' : 'Warehouses',
    })),
  })
  await store.put(OWNER, {
    ...documentOf('notes.md', ['Meeting about the new office. Coffee machine is broken.']),
    type: 'md',
  })
  await store.put(OWNER, {
    ...documentOf('copy.txt', ['Damaged goods are replaced at no cost; the customer sends a photograph to support.']),
    date: '2020-05-05',
  })
  await store.put(OWNER, { ...documentOf('sales.xlsx', ['Region | Sales of damaged goods\nNorth | 12']), type: 'xlsx' })
})

const texts = (hits: readonly Hit[]): string[] => hits.map(({ chunk }) => chunk.text)

describe('search without an embedding model', () => {
  it('finds the passage with its place and context, and reports a keyword search', async () => {
    const result = await createRetriever({ store }).search(OWNER, 'At what cost are damaged goods replaced?', {
      filter: { types: ['pdf', 'md'] },
    })
    expect(result.method).toBe('lexical')
    expect(result.notes.join(' ')).toContain('No embedding model')
    const [best] = result.hits
    expect(best).toMatchObject({
      document: { name: 'returns-policy.pdf', type: 'pdf' },
      chunk: { page: 2, section: 'Returns', ordinal: 1 },
    })
    const { chunk, document } = best!
    expect(await store.text(OWNER, document.documentId, chunk.start, chunk.end)).toBe(chunk.text)
    expect(result.confidence).toBeGreaterThan(0.6)
    expect(result.confidence).toBeLessThanOrEqual(1)
  })

  it('reports that nothing was found, with a confidence', async () => {
    const result = await createRetriever({ store }).search(OWNER, 'zebra migration in Tanzania')
    expect(result).toMatchObject({ hits: [], confidence: 0 })
    expect(result.notes.join(' ')).toContain('Nothing on this was found in 4 documents.')
    const almost = await createRetriever({ store }).search(OWNER, 'zebra migration in Tanzania by customers')
    expect(almost.confidence).toBeLessThan(0.3)
    const nobody = await createRetriever({ store }).search('bob', 'damaged goods')
    expect(nobody).toMatchObject({ hits: [], confidence: 0 })
    expect(nobody.notes.join(' ')).toContain('no documents')
  })

  it('is limited only by the filter, whatever the query contains', async () => {
    const { search } = createRetriever({ store })
    const { hits } = await search(OWNER, 'damaged goods in the PDF')
    expect(hits.map(({ document }) => document.type)).toEqual(expect.arrayContaining(['pdf', 'xlsx']))
    const narrowed = await search(OWNER, 'damaged goods', { filter: { from: '2020-01-01', to: '2020-12-31' } })
    expect(narrowed.hits.map(({ document }) => document.name)).toEqual(['copy.txt'])
  })
})

describe('search with another embedding model than that of the documents', () => {
  const vector = (size: number): Float32Array => new Float32Array(size).fill(1)
  const embedder = (model: string, size: number): Embedder => ({
    model,
    embed: async (given) => given.map(() => vector(size)),
  })

  it.each([
    ['another model', 'test:two', 3],
    ['another dimension under the same name', 'test:one', 5],
  ])('searches by keywords and reports how to fix it: %s', async (_, model, size) => {
    const owner = `other-${size}-${model}`
    await store.put(owner, documentOf('a.txt', ['Lamps are red.', 'Kettles are blue.']))
    const ingest = (made: Embedder) => createIngestor({ store, clock: systemClock, embedder: made })
    expect(await ingest(embedder('test:one', 3)).embedPending(owner)).toBe(2)
    const other = embedder(model, size)
    const ask = () => createRetriever({ store, embedder: other }).search(owner, 'Which kettles are there?')
    const before = await ask()
    expect(texts(before.hits)[0]).toBe('Kettles are blue.')
    expect([before.method, before.notes.join(' ')]).toEqual(['lexical', expect.stringContaining('tutti docs reindex')])
    expect(await ingest(other).reindex(owner)).toBe(2)
    const after = await ask()
    expect([after.method, after.notes]).toEqual(['hybrid', []])
  })
})

describe('search with an embedding model', () => {
  /** Embeds texts about coffee and drinks as equal. */
  const embedder: Embedder = {
    model: 'test:two',
    embed: async (given) =>
      given.map((text) => (/coffee|drink/i.test(text) ? Float32Array.of(0, 1) : Float32Array.of(1, 0.1))),
  }

  it('finds by meaning what keywords miss, and reports passages without a vector', async () => {
    const owner = 'eve'
    await store.put(owner, documentOf('a.txt', ['Coffee is free of charge.', 'Lunch is at noon.']))
    const { search } = createRetriever({ store, embedder })
    const before = await search(owner, 'hot drinks')
    expect(before).toMatchObject({ hits: [], method: 'lexical' })
    expect(before.notes.join(' ')).toContain('not embedded yet')
    const chunks = await store.unembedded(owner, embedder.model, 10)
    const vectors = await embedder.embed(texts(chunks.map((chunk) => ({ chunk }) as Hit)), 'passage')
    await store.embed(owner, embedder.model, new Map(chunks.map(({ chunkId }, at) => [chunkId, vectors[at]!])))
    const after = await search(owner, 'hot drinks')
    expect(after.method).toBe('hybrid')
    expect(after.notes).toEqual([])
    expect(after.hits[0]!.chunk.text).toBe('Coffee is free of charge.')
    expect(after.confidence).toBeLessThan(0.5)
  })

  it('falls back to keywords when the model fails', async () => {
    const broken: Embedder = {
      model: 'test:broken',
      embed: () => Promise.reject(new TuttiError('ModelUnavailable', 'The server is away.')),
    }
    const result = await createRetriever({ store, embedder: broken }).search(OWNER, 'damaged goods')
    expect(result.method).toBe('lexical')
    expect(result.notes.join(' ')).toContain('The server is away.')
    expect(result.hits).not.toEqual([])
  })

  it('stops on abort', async () => {
    const waiting: Embedder = {
      model: 'test:waiting',
      embed: (_, __, signal) => Promise.reject(signal?.reason as Error),
    }
    const signal = AbortSignal.abort(new TuttiError('Cancelled', 'Stopped.'))
    const search = createRetriever({ store, embedder: waiting }).search(OWNER, 'goods', { signal })
    await expect(search).rejects.toMatchObject({ code: 'Cancelled' })
  })
})
