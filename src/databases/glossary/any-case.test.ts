import fc from 'fast-check'
import Database from 'libsql'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../../../test/support/postgres.ts'
import { testSeed } from '../../../test/support/seed.ts'
import type { Dialect } from '../schema.ts'
import { hasText, isOneOf, lowerCase } from './any-case.ts'
import { quoteLiteral } from './dialect.ts'

/** Words are found in the same cells by each database, whatever language it was made in: those that lowerCase returns. */

/** Letters of many scripts, both spellings of each near each other, and what means something to patterns. */
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

/** What is found otherwise than it should be. */
async function wrongOnes(
  dialect: Dialect,
  texts: string,
  run: (sql: string) => Promise<unknown[][]>,
): Promise<string[]> {
  const wrong: string[] = []
  for (const [made, sought] of worlds) {
    // Each is found as it is, and written otherwise.
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
      await hold(hasText(texts, text, dialect), (cell) => lowerCase(cell).includes(lowerCase(text)))
    await hold(isOneOf(texts, small, dialect), (cell) => small.includes(lowerCase(cell)))
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

it('MySQL, whose small letters are its own, takes them of what is looked for as of the cell', () => {
  fc.assert(
    fc.property(word, (text) => {
      const [, cell, sought] = /^INSTR\(CAST\((.*) AS BINARY\), CAST\((.*) AS BINARY\)\) > 0$/s.exec(
        hasText('x0x', text, 'mysql'),
      )!
      expect(sought).toBe(cell!.replace('x0x', () => quoteLiteral(text, 'mysql')))
    }),
    { seed: testSeed() },
  )
})

it('a word has the same small letters however it is written, and those that it had', () => {
  const lower = fc.string({ unit: fc.constantFrom(...'abzäöéøжњդω'), maxLength: 8 })
  fc.assert(
    fc.property(lower, (text) => {
      expect([lowerCase(text), lowerCase(text.toUpperCase())]).toEqual([text, text])
    }),
    { seed: testSeed() },
  )
})
