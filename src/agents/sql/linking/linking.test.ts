import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Dialect } from '../../../databases/schema.ts'
import { MUSIC, SHOP, UGLY } from './fixtures.fixture.ts'
import { linkQuestion } from './index.ts'
import type { Linked } from './index.ts'
import { MUSIC_QUESTIONS, PARAPHRASES, REFUSED, SHOP_QUESTIONS, UGLY_QUESTIONS } from './questions.fixture.ts'
import { lookupIn, readSchema, rowsOf } from './sqlite-schema.fixture.ts'

const TODAY = '2026-11-22'
const SOURCES = { music: MUSIC, shop: SHOP, ugly: UGLY }
type Name = keyof typeof SOURCES

const databases = new Map<Name, Database.Database>()

beforeAll(() => {
  for (const [name, sql] of Object.entries(SOURCES)) {
    const db = new Database(':memory:')
    db.exec(sql)
    databases.set(name as Name, db)
  }
})

afterAll(() => {
  for (const db of databases.values()) db.close()
})

function database(name: Name): Database.Database {
  const db = databases.get(name)
  if (db === undefined) throw new Error(`No database ${name}`)
  return db
}

function ask(name: Name, question: string, dialect: Dialect = 'sqlite'): Promise<Linked> {
  const db = database(name)
  return linkQuestion(question, { ...readSchema(db, name), dialect }, { lookup: lookupIn(db), today: TODAY })
}

/** The answer's rows, cut to as many columns as the reference has; in order where the reference is ordered. */
async function answerRows(name: Name, question: string, width: number): Promise<readonly (readonly unknown[])[]> {
  const linked = await ask(name, question)
  if (linked.kind !== 'query') throw new Error(linked.kind === 'refusal' ? `Refused: ${linked.reason}` : 'A schema answer')
  return rowsOf(database(name), linked.sql).map((row) => row.slice(0, width))
}

function sorted(rows: readonly (readonly unknown[])[]): readonly string[] {
  return rows.map((r) => JSON.stringify(r)).sort()
}

const TABLES: readonly (readonly [Name, readonly (readonly [string, string])[]])[] = [
  ['music', MUSIC_QUESTIONS],
  ['shop', SHOP_QUESTIONS],
  ['ugly', UGLY_QUESTIONS],
]

describe.each(TABLES)('questions about %s give the rows of a query written by hand', (name, questions) => {
  it.each(questions)('%s', async (question, reference) => {
    const expected = rowsOf(database(name), reference)
    const actual = await answerRows(name, question, expected[0]?.length ?? 1)
    if (/ORDER BY/.test(reference)) expect(actual).toEqual(expected)
    else expect(sorted(actual)).toEqual(sorted(expected))
  })
})

describe('the same question in other words gives the same rows', () => {
  it.each(PARAPHRASES)('%s: %s', async (name, ...wordings) => {
    const results = await Promise.all(wordings.map((w) => answerRows(name, w, 2)))
    for (const [i, rows] of results.entries()) expect(rows, wordings[i]).toEqual(results[0])
  })
})

describe('what cannot be understood is refused, and the reason names it', () => {
  it.each(REFUSED)('%s: %s', async (name, question, named) => {
    const linked = await ask(name, question)
    expect(linked.kind, linked.kind === 'query' ? linked.sql : '').toBe('refusal')
    if (linked.kind === 'refusal') expect(linked.reason).toMatch(named)
  })
})

describe('every query parses in the other dialects', () => {
  const all = TABLES.flatMap(([name, questions]) => questions.map(([question]) => [name, question] as const))

  it('PostgreSQL, by its own grammar', async () => {
    const { parse } = await import('libpg-query')
    for (const [name, question] of all) {
      const linked = await ask(name, question, 'postgres')
      if (linked.kind !== 'query') throw new Error(question)
      const tree = await parse(linked.sql)
      expect(tree.stmts, linked.sql).toHaveLength(1)
      expect(Object.keys(tree.stmts?.[0]?.stmt ?? {})).toEqual(['SelectStmt'])
    }
  })

  it('MySQL', async () => {
    const parser = await import('@guanmingchiu/sqlparser-ts')
    await parser.init()
    for (const [name, question] of all) {
      const linked = await ask(name, question, 'mysql')
      if (linked.kind !== 'query') throw new Error(question)
      expect(parser.parse(linked.sql, 'mysql'), linked.sql).toHaveLength(1)
    }
  })

  it('quotes mixed case in PostgreSQL, and joins names by CONCAT in MySQL', async () => {
    const postgres = await ask('music', 'which customer spent the most', 'postgres')
    expect(postgres).toMatchObject({ sql: expect.stringContaining('"Invoice"."Total"') })
    const mysql = await ask('music', 'which customer spent the most', 'mysql')
    expect(mysql).toMatchObject({ sql: expect.stringContaining("CONCAT(Customer.FirstName, ' ', Customer.LastName)") })
  })

  it('writes dates as each dialect does', async () => {
    const sqlOf = async (dialect: Dialect): Promise<string> => {
      const linked = await ask('shop', 'revenue per month', dialect)
      return linked.kind === 'query' ? linked.sql : ''
    }
    expect(await sqlOf('sqlite')).toContain("STRFTIME('%Y-%m', orders.order_date)")
    expect(await sqlOf('postgres')).toContain("TO_CHAR(orders.order_date, 'YYYY-MM')")
    expect(await sqlOf('mysql')).toContain("DATE_FORMAT(orders.order_date, '%Y-%m')")
  })

  it('escapes what it takes from the question and the data', async () => {
    const db = database('music')
    const schema = readSchema(db, 'music')
    const lookup = async (term: string) => (term === "O'Neil\\" ? [{ table: 'Artist', column: 'Name', value: term }] : [])
    const question = 'how many albums by "O\'Neil\\"'
    const sqlite = await linkQuestion(question, schema, { lookup, today: TODAY })
    expect(sqlite).toMatchObject({ kind: 'query', sql: expect.stringContaining("'O''Neil\\'") })
    const mysql = await linkQuestion(question, { ...schema, dialect: 'mysql' }, { lookup, today: TODAY })
    expect(mysql).toMatchObject({ kind: 'query', sql: expect.stringContaining("'O''Neil\\\\'") })
  })
})

describe('questions about the schema need no query', () => {
  it.each(['list all tables', 'what tables are there?', 'show tables', 'which tables do we have'])('%s', async (question) => {
    const linked = await ask('music', question)
    expect(linked).toMatchObject({ kind: 'schema', shape: 'table-list' })
    if (linked.kind === 'schema') expect(linked.table.rows.map((r) => r['table'])).toContain('InvoiceLine')
  })

  it.each(['what columns does the customers table have?', 'describe customers', 'list the columns of customer', 'which columns are in the customer table'])(
    '%s',
    async (question) => {
      const linked = await ask('music', question)
      expect(linked).toMatchObject({ kind: 'schema', shape: 'describe' })
      if (linked.kind === 'schema') {
        expect(linked.table.rows).toContainEqual({ column: 'SupportRepId', type: 'integer', nullable: 'yes', key: '', references: 'Employee.EmployeeId' })
      }
    },
  )

  it('names the tables there are when asked for one that is not', async () => {
    expect(await ask('music', 'what columns does the spaceships table have')).toMatchObject({ kind: 'refusal', reason: expect.stringContaining('Album') })
  })
})

describe('readings that were chosen are told', () => {
  it.each([
    ['music', 'tracks by AC/DC', /Track\.Composer/],
    ['music', 'revenue by genre', /InvoiceLine\.UnitPrice × InvoiceLine\.Quantity/],
    ['ugly', 'revenue per customer', /going by its name/],
    ['shop', 'revenue last year', /2025-01-01 to 2025-12-31/],
    ['music', 'revenue per playlist', /add up to more than the whole/],
    ['music', 'which genres earned the least', /count as zero/],
  ] as const)('%s: %s', async (name, question, told) => {
    const linked = await ask(name, question)
    expect(linked).toMatchObject({ kind: 'query', assumptions: expect.arrayContaining([expect.stringMatching(told)]) })
  })

  it('lowers confidence with each', async () => {
    const sure = await ask('music', 'how many customers are there')
    const unsure = await ask('music', 'which genres earned the least')
    expect(sure.kind === 'query' && unsure.kind === 'query' && sure.confidence > unsure.confidence).toBe(true)
  })
})

it('keeps to the row limit it is given', async () => {
  const db = database('music')
  const linked = await linkQuestion('list all tracks', readSchema(db, 'music'), { lookup: lookupIn(db), today: TODAY, maxRows: 3 })
  expect(linked).toMatchObject({ kind: 'query', sql: expect.stringMatching(/LIMIT 3$/) })
})

it('lets errors of the lookup through', async () => {
  const lookup = () => Promise.reject(new Error('connection lost'))
  await expect(linkQuestion('customers in Brazil', readSchema(database('music'), 'music'), { lookup, today: TODAY })).rejects.toThrow('connection lost')
})
