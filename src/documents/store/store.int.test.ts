import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../../../test/support/postgres.ts'
import { createHttpClient } from '../../http/client.ts'
import { createQdrantClient } from '../qdrant/client.ts'
import { startQdrant } from '../../../test/documents/support/qdrant-server.ts'
import { withQdrant } from '../qdrant/with-qdrant.ts'
import { collectionOwner } from '../collections.ts'
import type { DocumentType, Hit, KnowledgeStore } from '../types.ts'
import { openKnowledgeStore, type StorePlace } from './index.ts'
import { documentOf } from '../../../test/documents/support/stored-document.ts'

const postgresUrl = inject('postgresUrl')

const TABLES = ['owners', 'documents', 'texts', 'chunks', 'postings', 'lengths', 'vectors']

interface Place {
  readonly place: StorePlace
  /** Wrapper around the store. */
  readonly wrap?: (store: KnowledgeStore) => KnowledgeStore
  /** Rows of each table. */
  rows(): Promise<Record<string, number>>
  remove(): Promise<void>
}

async function sqlitePlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-knowledge-'))
  const sqlitePath = join(folder, 'new', 'knowledge.db')
  return {
    place: { sqlitePath },
    async rows() {
      const { default: Database } = await import('libsql')
      const db = new Database(sqlitePath)
      try {
        return await countRows(async (sql) => Number((db.prepare(sql).get([]) as { n: number }).n))
      } finally {
        db.close()
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function qdrantPlace(): Promise<Place> {
  const sqlite = await sqlitePlace()
  const server = await startQdrant()
  const http = createHttpClient({ allowHosts: [new URL(server.url).host] })
  return {
    ...sqlite,
    wrap: (store) => withQdrant(store, createQdrantClient({ url: server.url }, http)),
    async remove() {
      await Promise.all([sqlite.remove(), http.close(), server.close()])
    },
  }
}

async function postgresPlace(): Promise<Place> {
  const url = await createTestDatabase(postgresUrl)
  return {
    place: { postgresUrl: url },
    async rows() {
      const { default: pg } = await import('pg')
      const client = new pg.Client(url)
      await client.connect()
      try {
        return await countRows(async (sql) => Number((await client.query<{ n: string }>(sql)).rows[0]!.n))
      } finally {
        await client.end()
      }
    },
    remove: async () => {},
  }
}

async function countRows(count: (sql: string) => Promise<number>): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  for (const table of TABLES) rows[table] = await count(`SELECT count(*) AS n FROM knowledge_${table}`)
  return rows
}

/** A search result without document ids, which differ in each run. */
function figures(hits: readonly Hit[]): unknown {
  return hits.map(({ chunk, document, score }) => [document.name, chunk.ordinal, chunk.text, score])
}

const PLACES = [
  { name: 'SQLite', open: sqlitePlace, isMissing: false },
  { name: 'SQLite, with vectors in a stand-in for Qdrant', open: qdrantPlace, isMissing: false },
  { name: 'PostgreSQL', open: postgresPlace, isMissing: postgresUrl === '' },
]

describe.each(PLACES)('knowledge store on $name', ({ open, isMissing }) => {
  describe.skipIf(isMissing)('(PostgreSQL needs a local installation)', () => {
    let at: Place
    let store: KnowledgeStore
    let owners = 0
    const newOwner = (): string => `user-${++owners}`

    beforeAll(async () => {
      at = await open()
      const opened = openKnowledgeStore(at.place)
      store = at.wrap?.(opened) ?? opened
    })

    afterAll(async () => {
      await store?.close()
      await at?.remove()
    })

    it('lists a document, its text and its chunks', async () => {
      const owner = newOwner()
      const given = documentOf('plan.pdf', ['First part.', 'Second part.'], {
        type: 'pdf',
        path: '/docs/plan.pdf',
        pages: 2,
        date: '2026-03-04',
        notes: ['Page 2 has no text.'],
        bytes: 3_000_000_000,
        addedAt: 1_790_000_000_000,
        parents: [undefined, 0],
      })
      const { record, isNew } = await store.put(owner, given)
      expect(isNew).toBe(true)
      const { text, chunks, parents, ...rest } = given
      expect(record).toEqual({ ...rest, documentId: record.documentId, chunks: 2, embedded: 0 })
      expect(await store.documents(owner)).toEqual([record])
      expect(await store.document(owner, record.documentId)).toEqual(record)
      expect(await store.text(owner, record.documentId)).toBe(text)
      expect(await store.text(owner, record.documentId, 6, 10)).toBe('part')
      const read = await store.chunks(owner, record.documentId)
      expect(read).toEqual([
        { ...chunks[0], chunkId: read[0]!.chunkId },
        { ...chunks[1], chunkId: read[1]!.chunkId, parentId: read[0]!.chunkId },
      ])
      expect(await store.chunks(owner, record.documentId, 1, 5)).toEqual([read[1]])
      expect(parents).toEqual([undefined, 0])
    })

    it('lists the newest first', async () => {
      const owner = newOwner()
      await store.put(owner, documentOf('b', ['x'], { addedAt: 2 }))
      await store.put(owner, documentOf('a', ['x'], { addedAt: 1 }))
      await store.put(owner, documentOf('c', ['x'], { addedAt: 3 }))
      expect((await store.documents(owner)).map(({ name }) => name)).toEqual(['c', 'b', 'a'])
    })

    it('leaves a document with the same content unchanged, and replaces a different one', async () => {
      const owner = newOwner()
      const first = await store.put(owner, documentOf('a.txt', ['red apples', 'green pears'], { path: '/x/a.txt' }))
      const again = await store.put(owner, documentOf('a.txt', ['red apples', 'green pears'], { path: '/x/a.txt' }))
      expect(again).toEqual({ record: first.record, isNew: false })
      const other = await store.put(owner, documentOf('a.txt', ['blue plums'], { path: '/x/a.txt' }))
      expect(other.isNew).toBe(true)
      expect(await store.documents(owner)).toEqual([other.record])
      expect(await store.lexical(owner, 'apples pears', 10)).toEqual([])
      expect(await store.lexical(owner, 'plums', 10)).toHaveLength(1)
    })

    it('distinguishes an upload from a file of the same name', async () => {
      const owner = newOwner()
      await store.put(owner, documentOf('a.txt', ['one']))
      await store.put(owner, documentOf('a.txt', ['two'], { path: 'a.txt' }))
      expect(await store.documents(owner)).toHaveLength(2)
    })

    it('removes every row of a removed document', async () => {
      const owner = newOwner()
      const before = await at.rows()
      const { record: kept } = await store.put(owner, documentOf('kept', ['stay here', 'and here']))
      await embedAll(owner, 'm', 4)
      const between = await at.rows()
      const { record } = await store.put(owner, documentOf('gone', ['stay a while', 'ünïcode 文字'], { path: '/gone' }))
      await embedAll(owner, 'm', 4)
      await store.put(owner, documentOf('gone', ['another text of it'], { path: '/gone' }))
      const [replaced] = await store.documents(owner)
      expect(await store.remove(owner, record.documentId)).toBe(false)
      expect(await store.remove(owner, replaced!.documentId)).toBe(true)
      expect(await store.remove(owner, replaced!.documentId)).toBe(false)
      expect(await at.rows()).toEqual(between)
      await store.remove(owner, kept.documentId)
      expect(await at.rows()).toEqual(before)
      expect(await store.documents(owner)).toEqual([])
    })

    it('returns nothing of other owners', async () => {
      const [one, two] = [newOwner(), newOwner()]
      const { record } = await store.put(one, documentOf('secret.txt', ['the secret recipe']))
      await store.put(two, documentOf('other.txt', ['nothing here']))
      const [chunk] = await store.unembedded(one, 'm', 10)
      await store.embed(two, 'm', new Map([[chunk!.chunkId, Float32Array.of(1, 0)]]))
      for (const owner of [two, newOwner()]) {
        expect(await store.document(owner, record.documentId)).toBeUndefined()
        expect(await store.text(owner, record.documentId)).toBeUndefined()
        expect(await store.chunks(owner, record.documentId)).toEqual([])
        expect(await store.lexical(owner, 'secret recipe', 10)).toEqual([])
        expect(await store.lexical(owner, 'secret', 10, { documentIds: [record.documentId] })).toEqual([])
        expect(await store.dense(owner, 'm', Float32Array.of(1, 0), 10)).toEqual([])
        expect(await store.remove(owner, record.documentId)).toBe(false)
      }
      expect(await store.unembedded(one, 'm', 10)).toHaveLength(1)
    })

    it('finds words in any form, case and accent, and by name and heading', async () => {
      const owner = newOwner()
      const chunks = documentOf('returns-policy.pdf', [
        'Damaged goods go back within 30 days.',
        'Größe des Cafés',
        'ok',
      ])
      await store.put(owner, {
        ...chunks,
        chunks: chunks.chunks.map((chunk, i) => (i === 2 ? { ...chunk, section: 'Shipping costs' } : chunk)),
      })
      const found = async (query: string) => (await store.lexical(owner, query, 1))[0]?.chunk.ordinal
      expect(await found('DAMAGING a good')).toBe(0)
      expect(await found('grosse cafe')).toBe(1)
      expect(await found('GRÖSSE')).toBe(1)
      expect(await found('shipping')).toBe(2)
      expect(await store.lexical(owner, 'return policies', 10)).toHaveLength(3)
      for (const nothing of ['', 'the of and', '?!', 'zebra'])
        expect(await store.lexical(owner, nothing, 10)).toEqual([])
      expect(await store.lexical(owner, 'damaged', 0)).toEqual([])
    })

    it('stores texts that databases refuse, at their positions', async () => {
      const owner = newOwner()
      const long = `${'x'.repeat(16_383)}😀${'y'.repeat(20_000)}`
      const { record } = await store.put(
        owner,
        documentOf('odd', ['a\0b \ud800 c', long, "'; DROP TABLE knowledge_texts; --"]),
      )
      const [odd, big, quote] = await store.chunks(owner, record.documentId)
      expect(odd!.text).toBe('a\ufffdb \ufffd c')
      expect(big!.text).toBe(long)
      expect(quote!.text).toBe("'; DROP TABLE knowledge_texts; --")
      for (const [from, to] of [
        [16_380, 16_400],
        [16_394, 16_395],
        [0, 16_384],
        [30_000, 99_999],
      ] as const) {
        const whole = await store.text(owner, record.documentId)
        expect(await store.text(owner, record.documentId, from, to)).toBe(whole!.slice(from, to))
      }
      expect(await store.text(owner, record.documentId, 50, 50)).toBe('')
    })

    it('refuses chunks outside the text, and stores nothing', async () => {
      const owner = newOwner()
      const document = documentOf('bad', ['text'])
      const before = await at.rows()
      await expect(
        store.put(owner, { ...document, chunks: [{ ...document.chunks[0]!, end: 99 }] }),
      ).rejects.toMatchObject({ code: 'Internal' })
      await expect(store.put('', document)).rejects.toMatchObject({ code: 'InvalidRequest' })
      expect(await at.rows()).toEqual(before)
    })

    it('keeps a document without any chunk', async () => {
      const owner = newOwner()
      const { record } = await store.put(owner, documentOf('empty', []))
      expect(await store.text(owner, record.documentId)).toBe('')
      expect(await store.chunks(owner, record.documentId)).toEqual([])
      expect(await store.lexical(owner, 'empty', 5)).toEqual([])
      expect(await store.remove(owner, record.documentId)).toBe(true)
    })

    describe('filters', () => {
      const owner = 'filters'
      const ids = new Map<string, string>()

      beforeAll(async () => {
        const add = async (name: string, type: DocumentType, path: string, date?: string, section?: string) => {
          const plain = documentOf(name, [`alpha ${name}`, `alpha beta ${name}`])
          const chunks = plain.chunks.map((chunk, i) =>
            i === 1 && section !== undefined ? { ...chunk, section } : chunk,
          )
          const { record } = await store.put(owner, {
            ...plain,
            type,
            path,
            chunks,
            ...(date === undefined ? {} : { date }),
          })
          ids.set(name, record.documentId)
        }
        await add('one', 'pdf', '/docs/a/one.pdf', '2026-01-15', 'Policies › Returns and refunds')
        await add('two', 'docx', '/docs/a/b/two.docx', '2026-02-15', 'Größe')
        await add('three', 'md', '/docs/ab/three.md')
        await embedAll(owner, 'm', 8)
      })

      const CASES: readonly (readonly [string, Parameters<KnowledgeStore['lexical']>[3], readonly string[]])[] = [
        ['type', { types: ['pdf'] }, ['one', 'one']],
        ['types', { types: ['pdf', 'md'] }, ['one', 'one', 'three', 'three']],
        ['no type', { types: [] }, []],
        ['from', { from: '2026-02-01' }, ['two', 'two']],
        ['to', { to: '2026-01-15' }, ['one', 'one']],
        ['days', { from: '2026-01-15', to: '2026-02-15' }, ['one', 'one', 'two', 'two']],
        ['section', { section: 'RETURN' }, ['one']],
        ['section with accents', { section: 'grosse' }, ['two']],
        ['several', { types: ['docx'], section: 'größe' }, ['two']],
        ['nothing', {}, ['one', 'one', 'three', 'three', 'two', 'two']],
      ]

      it.each(CASES)('by %s, in both arms', async (_, filter, names) => {
        const lexical = await store.lexical(owner, 'alpha', 20, filter)
        const dense = await store.dense(owner, 'm', new Float32Array(8).fill(1), 20, filter)
        for (const hits of [lexical, dense]) expect(hits.map(({ document }) => document.name).sort()).toEqual(names)
      })

      it('by document', async () => {
        const filter = { documentIds: [ids.get('two')!, 'unknown'] }
        const hits = await store.lexical(owner, 'alpha one', 20, filter)
        expect(hits.map(({ document }) => document.name)).toEqual(['two', 'two'])
      })
    })

    it('separates collections of an owner from the library and from each other', async () => {
      const owner = newOwner()
      await store.put(collectionOwner(owner, 'one'), documentOf('in a collection', ['alpha']))
      await store.put(`${owner}x`, documentOf('of another', ['alpha']))
      expect(await store.documents(owner)).toEqual([])
      expect(await store.collections(owner)).toEqual(['one'])
      expect(await store.collections(`${owner}x`)).toEqual([])
      expect(await store.lexical(owner, 'alpha', 5)).toEqual([])
    })

    describe('vectors', () => {
      it('finds the nearest by cosine, of one model at a time', async () => {
        const owner = newOwner()
        await store.put(owner, documentOf('v', ['a', 'b', 'c']))
        const [a, b, c] = await store.unembedded(owner, 'm1', 10)
        await store.embed(
          owner,
          'm1',
          new Map([
            [a!.chunkId, Float32Array.of(3, 0)],
            [b!.chunkId, Float32Array.of(1, 1)],
          ]),
        )
        expect(await store.unembedded(owner, 'm1', 10)).toEqual([c])
        expect((await store.documents(owner))[0]!.embedded).toBe(2)
        const hits = await store.dense(owner, 'm1', Float32Array.of(9, 1), 10)
        expect(hits.map(({ chunk }) => chunk.text)).toEqual(['a', 'b'])
        expect(hits[0]!.score).toBeCloseTo(9 / Math.sqrt(82), 5)
        expect(await store.dense(owner, 'm2', Float32Array.of(9, 1), 10)).toEqual([])
        await store.embed(owner, 'm2', new Map([[c!.chunkId, Float32Array.of(1, 2, 3)]]))
        expect(await store.dense(owner, 'm1', Float32Array.of(9, 1), 10)).toEqual([])
        expect(await store.dense(owner, 'm2', Float32Array.of(1, 2, 3), 10)).toHaveLength(1)
        expect((await store.unembedded(owner, 'm2', 1)).map(({ text }) => text)).toEqual(['a'])
        expect((await store.documents(owner))[0]!.embedded).toBe(1)
      })

      it('refuses vectors of another length', async () => {
        const owner = newOwner()
        await store.put(owner, documentOf('v', ['a', 'b']))
        const [a, b] = await store.unembedded(owner, 'm', 10)
        await store.embed(owner, 'm', new Map([[a!.chunkId, Float32Array.of(1, 0)]]))
        const wrong = store.embed(owner, 'm', new Map([[b!.chunkId, Float32Array.of(1, 0, 0)]]))
        await expect(wrong).rejects.toMatchObject({ code: 'InvalidRequest' })
        await expect(store.dense(owner, 'm', Float32Array.of(1), 3)).rejects.toMatchObject({ code: 'InvalidRequest' })
        await expect(
          store.embed(owner, 'm', new Map([[b!.chunkId, Float32Array.of(Number.NaN, 0)]])),
        ).rejects.toMatchObject({ code: 'InvalidRequest' })
        expect(await store.unembedded(owner, 'm', 10)).toEqual([b])
      })

      it('accepts the same vectors twice, and ignores those of removed chunks', async () => {
        const owner = newOwner()
        const { record } = await store.put(owner, documentOf('v', ['a']))
        const [a] = await store.unembedded(owner, 'm', 10)
        const vectors = new Map([
          [a!.chunkId, Float32Array.of(1, 0)],
          ['gone:0', Float32Array.of(0, 1)],
          [`${record.documentId}:7`, Float32Array.of(0, 1)],
        ])
        await store.embed(owner, 'm', vectors)
        await store.embed(owner, 'm', vectors)
        expect(await store.dense(owner, 'm', Float32Array.of(0, 1), 10)).toHaveLength(1)
        expect((await store.documents(owner))[0]!.embedded).toBe(1)
      })
    })

    async function embedAll(owner: string, model: string, size: number): Promise<void> {
      const chunks = await store.unembedded(owner, model, 1_000)
      await store.embed(owner, model, new Map(chunks.map(({ chunkId }, place) => [chunkId, vectorOf(place, size)])))
    }
  })
})

/** Deterministic pseudo-random numbers. */
function vectorOf(seed: number, size: number): Float32Array {
  return Float32Array.from({ length: size }, (_, at) => Math.sin(seed * 12.9898 + at * 78.233) + 0.01)
}

const word = fc.constantFrom('wing', 'flow', 'heat', 'layers', 'Größe', 'the', 'shock', 'x1', '文字', 'ship')
const passage = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))
const collection = fc.array(fc.array(passage, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 })

describe.skipIf(postgresUrl === '')('both databases (PostgreSQL needs a local installation)', () => {
  it('give the same scores for any texts and question', async () => {
    const places = await Promise.all([sqlitePlace(), postgresPlace()])
    const stores = places.map(({ place }) => openKnowledgeStore(place))
    let owners = 0
    try {
      await fc.assert(
        fc.asyncProperty(collection, passage, fc.nat(5), async (documents, query, gone) => {
          const owner = `o${++owners}`
          const [sqlite, postgres] = await Promise.all(
            stores.map(async (store) => {
              const ids: string[] = []
              for (const [place, passages] of documents.entries()) {
                ids.push((await store.put(owner, documentOf(`d${place}`, passages))).record.documentId)
              }
              if (ids[gone] !== undefined) await store.remove(owner, ids[gone])
              return [figures(await store.lexical(owner, query, 10)), figures(await store.lexical(owner, query, 3))]
            }),
          )
          expect(postgres).toEqual(sqlite)
        }),
        { numRuns: 25 },
      )
    } finally {
      await Promise.all(stores.map((store) => store.close()))
      await Promise.all(places.map((place) => place.remove()))
    }
  })
})
