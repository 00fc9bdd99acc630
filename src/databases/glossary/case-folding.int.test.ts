import fc from 'fast-check'
import Database from 'libsql'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../../../test/support/postgres.ts'
import { testSeed } from '../../../test/support/seed.ts'
import type { Dialect } from '../schema.ts'
import { containsText, equalsAny, lowerCase } from './case-folding.ts'
import { quoteLiteral } from './dialect.ts'

/** Every database finds a word in the same cells as `smallOf`, for any locale of the database. */

/** Letters of many scripts in both cases, and the special characters of patterns. */
const letter = fc.oneof(
  fc.constantFrom(
    ...'aAkKäÄöÖßẞéÉøØıIiİσΣςωΩжЖњЊǆǅǄդԴꭰᎠ\u212a\u212b',
    '𐐨',
    '𐐀',
    '*',
    '?',
    '[',
    ']',
    '^',
    '-',
    '%',
    '_',
    "'",
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).filter((one) => !/[\0\\]/.test(one)),
)
const word = fc.string({ unit: letter, maxLength: 4 })
const WORLDS = { numRuns: 60, seed: testSeed() }
const worlds = fc.sample(
  fc.tuple(fc.array(word, { minLength: 1, maxLength: 30 }), fc.array(word, { minLength: 1, maxLength: 8 })),
  WORLDS,
)

/** Searches whose results differ from those expected. */
async function wrongOnes(
  dialect: Dialect,
  texts: string,
  run: (sql: string) => Promise<unknown[][]>,
): Promise<string[]> {
  const wrong: string[] = []
  for (const [made, sought] of worlds) {
    // Each is searched in its own and in other spellings.
    const cells = [...new Set([...made, ...sought.map((text) => text.toUpperCase()), ...sought])]
    const rows = cells.map((cell) => quoteLiteral(cell, dialect))
    const from = `(${rows.map((row) => `SELECT ${row} AS cell`).join(' UNION ALL ')}) AS cells`
    const hold = async (sql: string, is: (cell: string) => boolean): Promise<void> => {
      const found = await run(`SELECT cell FROM ${from} WHERE ${sql}`)
      const [got, wanted] = [found.flat().toSorted(), cells.filter(is).toSorted()]
      if (JSON.stringify(got) !== JSON.stringify(wanted)) wrong.push(`${sql}: ${String(got)} for ${String(wanted)}`)
    }
    const small = sought.map(lowerCase)
    for (const text of sought)
      await hold(containsText(texts, text, dialect), (cell) => lowerCase(cell).includes(lowerCase(text)))
    await hold(equalsAny(texts, small, dialect), (cell) => small.includes(lowerCase(cell)))
  }
  return wrong
}

it('is found in SQLite', async () => {
  const db = new Database(':memory:')
  const run = async (sql: string) => db.prepare(sql).raw(true).all([]) as unknown[][]
  expect(await wrongOnes('sqlite', 'cell', run)).toEqual([])
  db.close()
})

describe.skipIf(inject('postgresUrl') === '')('(PostgreSQL needs a local installation)', () => {
  let client: pg.Client
  beforeAll(async () => {
    client = new pg.Client(await createTestDatabase(inject('postgresUrl')))
    await client.connect()
  })
  afterAll(() => client.end())

  it.each(['"default"', '"und-x-icu"', '"tr-x-icu"'])('is found in PostgreSQL, sorted by %s', async (collation) => {
    const run = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows as unknown[][]
    expect(await wrongOnes('postgres', `CAST(cell AS text) COLLATE ${collation}`, run)).toEqual([])
  })
})

it('lower-cases every spelling of a word the same way, and keeps lower-case letters', () => {
  const lower = fc.string({ unit: fc.constantFrom(...'abzäöéøжњդω'), maxLength: 8 })
  fc.assert(
    fc.property(lower, (text) => {
      expect([lowerCase(text), lowerCase(text.toUpperCase())]).toEqual([text, text])
    }),
    { seed: testSeed() },
  )
})
