import fc from 'fast-check'
import Database from 'libsql'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../../../../test/support/postgres.ts'
import { testSeed } from '../../../../test/support/seed.ts'
import type { ActorContext } from '../../../core/actor.ts'
import { createSqlTools } from '../tools.ts'
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

/** Terms of random cells that are found otherwise together than alone; and how many queries they took of those that each alone takes. */
async function otherThanAlone(run: Run, dialect: 'sqlite' | 'postgres', numRuns: number) {
  const cells = fc.array(fc.array(word, { minLength: 14, maxLength: 14 }), { maxLength: 12 })
  const worlds = fc.sample(fc.tuple(cells, fc.uniqueArray(word, { maxLength: 60 })), { numRuns, seed: testSeed() })
  const sorted = (hits: readonly object[]) =>
    hits
      .map((hit) => JSON.stringify(hit))
      .toSorted()
      .join()
  const different: string[] = []
  const queries = { together: 0, alone: 0 }
  for (const [rows, terms] of worlds) {
    await run('DELETE FROM cells')
    const quoted = rows.map((row) => `(${row.map((cell) => `'${cell.replaceAll("'", "''")}'`).join(', ')})`)
    if (rows.length > 0) await run(`INSERT INTO cells VALUES ${quoted.join(', ')}`)
    const all = lookupBy(run, dialect)
    const together = await all.lookup(terms, COLUMNS)
    queries.together += all.queries()
    for (const [at, term] of terms.entries()) {
      const one = lookupBy(run, dialect)
      const [alone] = await one.lookup([term], COLUMNS)
      queries.alone += one.queries()
      if (sorted(together[at]!) !== sorted(alone!)) different.push(`${term} in ${JSON.stringify(rows)}`)
    }
  }
  return { different, queries }
}

const CREATE = `CREATE TABLE cells (${COLUMNS.map(({ column }) => `${column} text`).join(', ')})`

describe('words that are looked up together are found as each alone', () => {
  it('in SQLite', async () => {
    const db = new Database(':memory:')
    db.exec(CREATE)
    const run: Run = async (sql) =>
      sql.startsWith('SELECT') ? (db.prepare(sql).raw(true).all([]) as unknown[][]) : (db.exec(sql), [])
    const { different, queries } = await otherThanAlone(run, 'sqlite', 60)
    expect(different).toEqual([])
    expect(queries.together).toBeLessThan(queries.alone / 2)
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
      expect((await otherThanAlone(run, 'postgres', 20)).different).toEqual([])
    })

    it('in PostgreSQL where letters with and without accents are the same', async () => {
      await client.query(`DROP TABLE IF EXISTS cells;
        CREATE COLLATION IF NOT EXISTS loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
        ${CREATE.replaceAll(' text', ' text COLLATE loose')}`)
      const run: Run = async (sql) => (await client.query({ text: sql, rowMode: 'array' })).rows as unknown[][]
      expect((await otherThanAlone(run, 'postgres', 20)).different).toEqual([])
    })
  })
})
