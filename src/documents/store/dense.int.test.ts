import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { createTestDatabase } from '../../../test/support/postgres.ts'
import type { Hit } from '../types.ts'
import { openPostgresDatabase } from './postgres-database.ts'
import type { SqlDatabase } from './sql.ts'
import { SqlKnowledge } from './sql-store.ts'
import { openSqliteDatabase } from './sqlite-database.ts'
import { documentOf } from '../../../test/documents/support/stored-document.ts'

const SIZE = 96
/** Several batches of vectors. */
const CHUNKS = 2_600
const MODEL = 'm'

const postgresUrl = inject('postgresUrl')

/** Whether the server has pgvector. Determined before the tests are collected, because their titles name it. */
const hasPgvector = postgresUrl !== '' && (await asksPgvector())

async function asksPgvector(): Promise<boolean> {
  const database = await openPostgresDatabase(await createTestDatabase(postgresUrl))
  try {
    return await database.read(async (sql) => sql.hasPgvector)
  } finally {
    await database.close()
  }
}

/** Near one of forty centres, like texts about the same topic. */
function vectorOf(seed: number): Float32Array {
  const wave = (a: number, b: number): number => Math.sin(a * 127.1 + b * 311.7) * 43_758.5453
  const noise = (a: number, b: number): number => wave(a, b) - Math.floor(wave(a, b)) - 0.5
  return Float32Array.from({ length: SIZE }, (_, at) => noise(seed % 40, at) + 0.7 * noise(seed + 1_000, at))
}

function cosine(a: Float32Array, b: Float32Array): number {
  const product = (x: Float32Array, y: Float32Array): number =>
    x.reduce((total, value, at) => total + value * y[at]!, 0)
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b))
}

async function fill(store: SqlKnowledge, owner: string, offset: number): Promise<void> {
  for (const name of ['one', 'two']) {
    await store.put(
      owner,
      documentOf(
        name,
        Array.from({ length: CHUNKS / 2 }, (_, at) => `${name} ${at}`),
      ),
    )
  }
  const chunks = await store.unembedded(owner, MODEL, CHUNKS)
  for (let at = 0; at < chunks.length; at += 650) {
    const part = chunks.slice(at, at + 650)
    await store.embed(owner, MODEL, new Map(part.map(({ chunkId }, i) => [chunkId, vectorOf(offset + at + i)])))
  }
}

const place = ({ document, chunk }: Hit): number => chunk.ordinal + (document.name === 'two' ? CHUNKS / 2 : 0)

const PLACES: readonly (readonly [string, boolean, (folder: string) => Promise<SqlDatabase>])[] = [
  ['SQLite', false, (folder) => openSqliteDatabase(join(folder, 'knowledge.db'))],
  [
    hasPgvector ? 'PostgreSQL with pgvector' : 'PostgreSQL (pgvector is not installed)',
    postgresUrl === '',
    async () => openPostgresDatabase(await createTestDatabase(postgresUrl)),
  ],
]

describe.each(PLACES)('nearest of many vectors on %s', (_, isMissing, open) => {
  describe.skipIf(isMissing)('(PostgreSQL needs a local installation)', () => {
    const folder = temporaryFolder()
    let store: SqlKnowledge

    beforeAll(async () => {
      store = new SqlKnowledge(await open(folder))
      await fill(store, 'owner', 0)
      await fill(store, 'other', 0)
    })

    afterAll(() => store?.close())

    it('equals an exhaustive search, except for a few', async () => {
      let found = 0
      for (let query = 0; query < 20; query++) {
        const vector = vectorOf(50_000 + query * 7)
        const exact = Array.from({ length: CHUNKS }, (__, at) => ({ at, score: cosine(vector, vectorOf(at)) }))
          .sort((a, b) => b.score - a.score)
          .slice(0, 10)
        const hits = await store.dense('owner', MODEL, vector, 10)
        expect(hits[0]!.score).toBeCloseTo(exact[0]!.score, 4)
        const places = new Set(hits.map(place))
        found += exact.filter(({ at }) => places.has(at)).length
      }
      expect(found / 200).toBeGreaterThan(0.95)
    })

    it('applies the filter, and drops removed documents', async () => {
      const one = (await store.documents('owner')).find(({ name }) => name === 'one')
      const filtered = await store.dense('owner', MODEL, vectorOf(7), 10, { documentIds: [one!.documentId] })
      expect(filtered).toHaveLength(10)
      expect(new Set(filtered.map(({ document }) => document.name))).toEqual(new Set(['one']))
      expect((await store.dense('owner', MODEL, vectorOf(7), 1)).map(place)).toEqual([7])
      await store.remove('owner', one!.documentId)
      const left = await store.dense('owner', MODEL, vectorOf(7), 10)
      expect(new Set(left.map(({ document }) => document.name))).toEqual(new Set(['two']))
      expect((await store.dense('other', MODEL, vectorOf(7), 1)).map(place)).toEqual([7])
    })
  })
})
