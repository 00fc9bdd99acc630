import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '../../http/client.ts'
import { embedPending } from '../ingest/ingestor.ts'
import { createRetriever } from '../search/retriever.ts'
import { knowledgeStore } from '../../../test/documents/support/knowledge-store.ts'
import { openForAll } from '../../../test/support/opened.ts'
import { documentOf } from '../../../test/documents/support/stored-document.ts'
import type { Embedder, KnowledgeStore } from '../types.ts'
import { createQdrantClient } from './client.ts'
import { type FakePoint, type QdrantServer, startQdrant } from '../../../test/documents/support/qdrant-server.ts'
import { withQdrant } from './with-qdrant.ts'

const KEY = 'qdrant-secret'
const MODEL = 'test:model'

const plain = knowledgeStore()
const http = openForAll(async () => createHttpClient({ allowHosts: ['127.0.0.1'] }))
let server: QdrantServer
let store: KnowledgeStore
let owner: string
let owners = 0
let asked: string[]

/** The vector of a text counts these words. */
const WORDS = ['red', 'green', 'blue']
const vectorOf = (text: string): Float32Array =>
  Float32Array.of(...WORDS.map((word) => text.split(word).length - 1), 0.1)

const embedder: Embedder = {
  model: MODEL,
  embed: async (texts) => {
    asked.push(...texts)
    return texts.map(vectorOf)
  },
}

const over = (url: string, key = KEY): KnowledgeStore => withQdrant(plain, createQdrantClient({ url, key }, http))
const embed = (into = store, by = embedder): Promise<number> => embedPending(into, by, owner, {})
const nameOf = (of: string): string => `user_${of}_documents`
const pointsOf = (of = owner): FakePoint[] => [...(server.collections.get(nameOf(of))?.points.values() ?? [])]
const ofType = (type: string): FakePoint[] => pointsOf().filter(({ payload }) => payload['type'] === type)
const found = async (text: string, into = store): Promise<string[]> =>
  (await into.dense(owner, MODEL, vectorOf(text), 10)).map(({ chunk }) => chunk.text)

beforeEach(async () => {
  server = await startQdrant(KEY)
  store = over(server.url)
  owner = `owner-${++owners}`
  asked = []
})

afterEach(() => server.close())

describe('the content of Qdrant', () => {
  it('is a collection with the indexes, a point for each chunk and one for the document', async () => {
    const given = documentOf('colours.pdf', ['red goods', 'green and blue'])
    const chunks = given.chunks.map((chunk) => ({ ...chunk, page: 3, section: 'Colours › Returned goods' }))
    const { record } = await store.put(owner, {
      ...given,
      chunks,
      type: 'pdf',
      date: '2026-02-03',
      addedAt: Date.UTC(2026, 1, 4),
    })
    expect(await embed()).toBe(2)
    const collection = server.collections.get(nameOf(owner))!
    expect(collection.size).toBe(4)
    expect(Object.fromEntries(collection.indexes)).toMatchObject({
      'metadata.doc_type': 'keyword',
      'metadata.date': 'keyword',
      'metadata.section_title': 'text',
    })
    const [entry, ...more] = ofType('document_entry')
    expect(more).toEqual([])
    expect(entry!.payload).toEqual({
      type: 'document_entry',
      doc_id: record.documentId,
      embedding_model: MODEL,
      filename: 'colours.pdf',
      description: 'About colours.pdf.',
      doc_type: 'pdf',
      uploaded_at: '2026-02-04T00:00:00.000Z',
      total_chunks: 2,
    })
    const points = ofType('chunk')
    expect(points.map(({ payload }) => payload['text'])).toEqual(['red goods', 'green and blue'])
    expect(points[0]!.payload['metadata']).toMatchObject({
      filename: 'colours.pdf',
      page: 3,
      section_title: 'Colours › Returned goods',
      doc_type: 'pdf',
      date: '2026-02-03',
      chunk_id: `${record.documentId}:0`,
    })
  })

  it('is found there, with the same results as the store alone for any filter', async () => {
    const add = async (name: string, type: 'pdf' | 'md', date: string | undefined, section: string | undefined) => {
      const given = documentOf(name, ['red red', 'red green', 'blue red green'], { type, path: `/docs/${name}` })
      const chunks = given.chunks.map((chunk, at) => (at > 0 && section !== undefined ? { ...chunk, section } : chunk))
      return store.put(owner, { ...given, chunks, ...(date === undefined ? {} : { date }) })
    }
    const { record } = await add('a/one', 'pdf', '2026-01-15', 'Returns and refunds')
    await add('a/two', 'pdf', '2026-02-15T10:00', 'Größe')
    await add('ab/three', 'md', undefined, undefined)
    await embed()
    const filters: Parameters<KnowledgeStore['lexical']>[3][] = [
      undefined,
      { types: ['pdf'] },
      { types: [] },
      { from: '2026-02' },
      { to: '2026-02-15' },
      { from: '2026-01-16', to: '2026-02-14' },
      { section: 'RETURN refunds' },
      { section: 'grosse' },
      { section: 'of the' },
      { documentIds: [record.documentId, 'gone'], types: ['pdf', 'md'], from: '2020' },
    ]
    const counts: number[] = []
    for (const filter of filters) {
      const figures = async (of: KnowledgeStore): Promise<unknown[]> => {
        const hits = await of.dense(owner, MODEL, vectorOf('green green red'), 20, filter)
        return hits
          .map((hit) => ({ ...hit, score: Number(hit.score.toFixed(5)) }))
          .toSorted((a, b) => b.score - a.score || (a.chunk.chunkId < b.chunk.chunkId ? -1 : 1))
      }
      const hits = await figures(store)
      expect(hits).toEqual(await figures(plain))
      counts.push(hits.length)
    }
    expect(counts).toEqual([9, 6, 0, 3, 6, 0, 2, 2, 4, 3])
  })

  it('is deleted with the document, and the collection with the last one', async () => {
    const { record: a } = await store.put(owner, documentOf('a', ['red', 'green']))
    const { record: b } = await store.put(owner, documentOf('b', ['blue']))
    await embed()
    expect(await store.remove(owner, 'unknown')).toBe(false)
    expect(await store.remove(owner, a.documentId)).toBe(true)
    expect(new Set(pointsOf().map(({ payload }) => payload['doc_id']))).toEqual(new Set([b.documentId]))
    expect(await store.remove(owner, b.documentId)).toBe(true)
    expect(server.collections.size).toBe(0)
    expect(await found('red')).toEqual([])
  })

  it('is updated when a document is replaced', async () => {
    await store.put(owner, documentOf('a', ['red', 'red red green']))
    await embed()
    await store.put(owner, documentOf('a', ['blue'], { hash: 'new' }))
    expect(await found('red')).toEqual([])
    expect(pointsOf()).toHaveLength(3)
    await embed()
    expect(ofType('chunk').map(({ payload }) => payload['text'])).toEqual(['blue'])
    expect(ofType('document_entry')).toHaveLength(1)
  })

  it('is rebuilt for another embedding model', async () => {
    await store.put(owner, documentOf('a', ['red', 'green']))
    await embed()
    const other: Embedder = { model: 'test:other', embed: async (texts) => texts.map(() => Float32Array.of(1, 2)) }
    expect(await embed(store, other)).toBe(2)
    expect(server.collections.get(nameOf(owner))!.size).toBe(2)
    expect(new Set(pointsOf().map(({ payload }) => payload['embedding_model']))).toEqual(new Set(['test:other']))
    expect(await found('red')).toEqual([])
    expect(await store.dense(owner, 'test:other', Float32Array.of(1, 2), 5)).toHaveLength(2)
    const same: Embedder = { model: 'test:third', embed: async (texts) => texts.map(() => Float32Array.of(2, 1)) }
    expect(await embed(store, same)).toBe(2)
    expect(await store.dense(owner, 'test:other', Float32Array.of(1, 2), 5)).toEqual([])
  })

  it('is sent in batches', async () => {
    const texts = Array.from({ length: 150 }, (_, at) => `red ${at}`)
    await store.put(owner, documentOf('long', texts))
    const chunks = await store.unembedded(owner, MODEL, 500)
    await store.embed(owner, MODEL, new Map(chunks.map(({ chunkId, text }) => [chunkId, vectorOf(text)])))
    expect(await store.unembedded(owner, MODEL, 500)).toEqual([])
    const sent = server.requests.filter(({ line }) => line.includes('/points?'))
    expect(sent.map(({ body }) => (body as { points: unknown[] }).points.length)).toEqual([64, 64, 22, 1])
    expect(ofType('chunk')).toHaveLength(150)
  })
})

describe('when store and Qdrant differ', () => {
  it('embeds interrupted passages again', async () => {
    await store.put(owner, documentOf('a', ['red', 'green']))
    const broken: KnowledgeStore = { ...plain, embed: () => Promise.reject(new Error('killed')) }
    const dying = withQdrant(broken, createQdrantClient({ url: server.url, key: KEY }, http))
    await expect(embed(dying)).rejects.toThrow('killed')
    expect(ofType('chunk')).toHaveLength(2)
    expect(ofType('document_entry')).toEqual([])
    expect(await embed()).toBe(2)
    expect(pointsOf()).toHaveLength(3)
    expect(await store.documents(owner)).toMatchObject([{ embedded: 2 }])
  })

  it('fills a new or emptied Qdrant', async () => {
    const texts = Array.from({ length: 100 }, (_, at) => `red ${at}`)
    await plain.put(owner, documentOf('a', texts))
    await plain.put(owner, documentOf('b', ['green']))
    await embed(plain)
    expect(await found('green')).toContain('green')
    expect(await embed()).toBe(101)
    expect(pointsOf()).toHaveLength(103)
    server.collections.clear()
    expect(await embed()).toBe(101)
    const before = server.requests.length
    expect(await embed()).toBe(0)
    const lines = server.requests.slice(before).map(({ line }) => line)
    expect(lines.filter((line) => line.startsWith('PUT'))).toEqual([])
    expect(lines.length).toBeLessThan(6)
  })

  it('fills the gap of a lost batch, without embedding the others again', async () => {
    const texts = Array.from({ length: 100 }, (_, at) => `red ${at}`)
    await store.put(owner, documentOf('a', texts))
    let writes = 0
    server.interfere = (line) => (line.includes('/points?') && ++writes === 2 ? 500 : undefined)
    await expect(embed()).rejects.toMatchObject({ code: 'StorageError', retryable: true })
    server.interfere = () => undefined
    asked = []
    expect(await embed()).toBe(36)
    expect(asked).toHaveLength(36)
    expect(pointsOf()).toHaveLength(101)
  })

  it('continues an interrupted creation of the collection', async () => {
    await store.put(owner, documentOf('a', ['red']))
    server.interfere = (line) => (line.includes('/index') ? 503 : undefined)
    await expect(embed()).rejects.toMatchObject({ code: 'StorageError' })
    server.interfere = () => undefined
    expect(await embed()).toBe(1)
    expect(await found('red')).toEqual(['red'])
  })

  it('shows nothing of a removed document, and deletes its points with the next comparison', async () => {
    await store.put(owner, documentOf('kept', ['red green', 'red blue']))
    const { record } = await store.put(owner, documentOf('gone', ['red', 'red', 'red', 'red']))
    await embed()
    await plain.remove(owner, record.documentId)
    const hits = await store.dense(owner, MODEL, vectorOf('red'), 2)
    expect(hits.map(({ document }) => document.name)).toEqual(['kept', 'kept'])
    expect(await embed()).toBe(0)
    expect(pointsOf().map(({ payload }) => payload['doc_id'])).not.toContain(record.documentId)
    const [kept] = await store.documents(owner)
    await plain.remove(owner, kept!.documentId)
    expect(await embed()).toBe(0)
    expect(server.collections.size).toBe(0)
  })
})

describe('a collection of another program', () => {
  it('is left unchanged', async () => {
    await store.put(owner, documentOf('a', ['red']))
    await embed()
    const foreign: FakePoint = { id: '00000000-0000-0000-0000-000000000001', vector: {}, payload: { text: 'theirs' } }
    const collection = server.collections.get(nameOf(owner))!
    collection.points.set(foreign.id, foreign)
    const other: Embedder = { model: 'test:other', embed: async (texts) => texts.map(() => Float32Array.of(1, 2)) }
    await expect(embed(store, other)).rejects.toThrow('was created by another program')
    expect(collection.points.has(foreign.id)).toBe(true)
    const [document] = await store.documents(owner)
    expect(await store.remove(owner, document!.documentId)).toBe(true)
    expect(await embed()).toBe(0)
    expect(pointsOf()).toEqual([foreign])
  })
})

describe('without Qdrant', () => {
  it('names the host that does not answer, keeps working, and pays for no vector', async () => {
    const away = await startQdrant(KEY)
    const down = over(away.url)
    const host = new URL(away.url).host
    const { record } = await down.put(owner, documentOf('a', ['red goods']))
    await embed(down)
    await away.close()
    await down.put(owner, documentOf('b', ['green goods']))
    asked = []
    const failed = embed(down)
    await expect(failed).rejects.toMatchObject({ code: 'StorageError', retryable: true })
    await expect(failed).rejects.toThrow(`Qdrant at ${host} does not answer`)
    expect(asked).toEqual([])
    await expect(down.remove(owner, record.documentId)).rejects.toThrow(host)
    expect(await down.document(owner, record.documentId)).toBeDefined()
    const { search } = createRetriever({ store: down, embedder })
    const result = await search(owner, 'red goods')
    expect(result.method).toBe('lexical')
    expect(result.hits[0]!.chunk.text).toBe('red goods')
    const told = result.notes.filter((note) => note.includes(host))
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('found by their words alone')
    expect(JSON.stringify(result)).not.toContain(KEY)
  })

  it('distinguishes a wrong key and a wrong server from one that is down, and shows no key', async () => {
    const refused = over(server.url, 'wrong-secret').dense(owner, MODEL, vectorOf('red'), 3)
    await expect(refused).rejects.toThrow('Check TUTTI_QDRANT_KEY')
    await expect(refused).rejects.not.toThrow(/secret/)
    const elsewhere = over(`${server.url}/nowhere`).unembedded(owner, MODEL, 3)
    await expect(elsewhere).rejects.toThrow('is not a Qdrant server')
    server.interfere = () => 500
    await expect(found('red')).rejects.toMatchObject({ code: 'StorageError', retryable: true })
  })
})
