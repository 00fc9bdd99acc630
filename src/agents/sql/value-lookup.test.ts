import fc from 'fast-check'
import Database from 'libsql'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../../../test/support/postgres.ts'
import type { ActorContext } from '../../core/actor.ts'
import { createSqlTools } from './tools.ts'
import { valueLookup } from './value-lookup.ts'

type Run = (sql: string) => Promise<unknown[][]>

/** Words as questions and cells have them: close to each other, in several spellings. */
const word = fc.oneof(
  fc.constantFrom(
    'ann',
    'Ann',
    'ANN',
    'änn',
    'Änn',
    'ÄNN',
    'a',
    'A',
    'ann ',
    "o'neil",
    "O'Neil",
    'ß',
    'SS',
    'ss',
    'İ',
    'i',
    '',
    '1',
  ),
  fc.string({ unit: fc.constantFrom('a', 'A', 'b'), maxLength: 3 }),
)
const COLUMNS = Array.from({ length: 14 }, (_, n) => ({ table: 'cells', column: `c${n}` }))

function lookupBy(run: Run, dialect: 'sqlite' | 'postgres') {
  let queries = 0
  const call = async (_tool: unknown, { sql }: { sql: string }) => {
    queries++
    return { result: { success: true, columns: [], data: await run(sql), row_count: 0 } }
  }
  const lookup = valueLookup({ call } as unknown as ActorContext, createSqlTools([]), 'x', dialect)
  return { lookup, queries: () => queries }
}

async function sameAsOneByOne(run: Run, dialect: 'sqlite' | 'postgres', numRuns: number): Promise<void> {
  const cells = fc.array(fc.array(word, { minLength: 14, maxLength: 14 }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(cells, fc.uniqueArray(word, { maxLength: 60 }), async (rows, terms) => {
      await run('DELETE FROM cells')
      const quoted = rows.map((row) => `(${row.map((cell) => `'${cell.replaceAll("'", "''")}'`).join(', ')})`)
      if (rows.length > 0) await run(`INSERT INTO cells VALUES ${quoted.join(', ')}`)
      const { lookup, queries } = lookupBy(run, dialect)
      const together = await lookup(terms, COLUMNS)
      // Fewer than one by one: two for each.
      if (terms.length > 20 && rows.length < 4) expect(queries()).toBeLessThan(2 * terms.length)
      const sorted = (hits: readonly object[]) => hits.map((hit) => JSON.stringify(hit)).toSorted()
      for (const [at, term] of terms.entries()) {
        const [alone] = await lookupBy(run, dialect).lookup([term], COLUMNS)
        expect([term, sorted(together[at]!)]).toEqual([term, sorted(alone!)])
      }
    }),
    { numRuns },
  )
}

const CREATE = `CREATE TABLE cells (${COLUMNS.map(({ column }) => `${column} text`).join(', ')})`

describe('words that are looked up together are found as each alone', () => {
  it('in SQLite', async () => {
    const db = new Database(':memory:')
    db.exec(CREATE)
    const run: Run = async (sql) =>
      /^SELECT/.test(sql) ? (db.prepare(sql).raw(true).all([]) as unknown[][]) : (db.exec(sql), [])
    await sameAsOneByOne(run, 'sqlite', 60)
    db.close()
  })

  describe.skipIf(inject('postgresUrl') === '')('(PostgreSQL needs a local installation)', () => {
    let client: pg.Client
    beforeAll(async () => {
      client = new pg.Client(await createTestDatabase(inject('postgresUrl')))
      await client.connect()
    })
    afterAll(() => client.end())

    it.each(['"default"', '"und-x-icu"'])('in PostgreSQL, sorted by %s', async (collation) => {
      await client.query(`DROP TABLE IF EXISTS cells; ${CREATE.replaceAll(' text', ` text COLLATE ${collation}`)}`)
      const run: Run = async (sql) => (await client.query({ text: sql, rowMode: 'array' })).rows as unknown[][]
      await sameAsOneByOne(run, 'postgres', 20)
    })

    it('in PostgreSQL where letters with and without accents are the same', async () => {
      await client.query(`DROP TABLE IF EXISTS cells;
        CREATE COLLATION IF NOT EXISTS loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
        ${CREATE.replaceAll(' text', ' text COLLATE loose')}`)
      const run: Run = async (sql) => (await client.query({ text: sql, rowMode: 'array' })).rows as unknown[][]
      await sameAsOneByOne(run, 'postgres', 20)
    })
  })
})
