import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkQuestion } from '../../offline/sql/index.ts'
import { lookupIn, readSchema, rowsOf } from '../../../test/support/sqlite.ts'
import { withDay, similarPairs, findVerified } from './apply-terms.ts'
import { withinTables } from './select-terms.ts'
import { NO_TERMS, parseTerms, unknownTerms, type Terms } from './terms.ts'

const SCRIPT = `
CREATE TABLE mbr (mid INTEGER PRIMARY KEY, nm TEXT NOT NULL, lvl TEXT, gone DATE);
CREATE TABLE chk (cid INTEGER PRIMARY KEY, who INTEGER, amt NUMERIC(8,2), st TEXT);
INSERT INTO mbr VALUES (1,'Ada','G',NULL),(2,'Ben','S',NULL),(3,'Cleo','G','2025-01-01');
INSERT INTO chk VALUES (1,1,10,'ok'),(2,1,20,'void'),(3,2,5,'ok'),(4,3,7,'ok');`

const TERMS = `
tables:
  mbr: { called: [member, guest], where: gone IS NULL }
  chk: { called: [receipt] }
columns:
  mbr.gone: { called: [leaving date] }
  mbr.lvl: { called: [level], values: { G: [gold], S: [silver] } }
metrics:
  income: { called: [earnings], of: chk, value: SUM(amt), where: st <> 'void', unit: money }
joins: [chk.who = mbr.mid]
verified:
  - { question: Who is our best guest?, sql: "SELECT nm FROM mbr WHERE mid = 1" }
  - { question: How many gold guests left?, sql: "SELECT COUNT(*) FROM mbr" }
`

let db: Database.Database
let terms: Terms
beforeAll(async () => {
  db = new Database(':memory:')
  db.exec(SCRIPT)
  terms = await parseTerms(TERMS, 'club.yaml')
})
afterAll(() => void db.close())

describe('questions with words of a terms file', () => {
  it.each([
    ['how many members are there', [[2]]],
    ['how many gold members', [[1]]],
    ['which guests are silver', [['Ben']]],
    ['total income', [[22]]],
    [
      'earnings per member',
      [
        ['Ada', 10],
        ['Cleo', 7],
        ['Ben', 5],
      ],
    ],
    [
      'number of receipts per level',
      [
        ['G', 3],
        ['S', 1],
      ],
    ],
  ])('%s', async (question, rows) => {
    const linked = await linkQuestion(question, readSchema(db, 'club'), {
      lookup: lookupIn(db),
      today: '2026-01-15',
      terms,
    })
    if (linked.kind !== 'query') throw new Error(linked.kind === 'refusal' ? linked.reason : 'about the schema')
    expect(rowsOf(db, linked.sql).map((row) => row.slice(0, rows[0]?.length))).toEqual(rows)
  })

  it('puts filters with an OR in parentheses', async () => {
    const or = await parseTerms(
      `tables: { mbr: { where: gone IS NULL OR lvl = 'S' }, chk: { called: [receipt] } }
metrics: { income: { of: chk, value: SUM(amt) + SUM(cid) * 0, where: st = 'ok' OR st = 'void' } }
columns: { chk.amt: { called: [amount] }, mbr.nm: { called: [name] } }`,
      'club.yaml',
    )
    const of = async (question: string): Promise<unknown> => {
      const options = { lookup: lookupIn(db), today: '2026-01-15', terms: or }
      const linked = await linkQuestion(question, readSchema(db, 'club'), options)
      return linked.kind === 'query' ? rowsOf(db, linked.sql) : linked
    }
    expect(await of('income of receipts with an amount over 8')).toEqual([[30]])
    expect(await of('how many mbrs where name = Ada')).toEqual([[1]])
  })

  it('names each filter that they add', async () => {
    const options = { lookup: lookupIn(db), today: '2026-01-15', terms }
    expect(await linkQuestion('total income', readSchema(db, 'club'), options)).toMatchObject({
      assumptions: ["income counts rows where st <> 'void'"],
    })
    expect(await linkQuestion('how many members', readSchema(db, 'club'), options)).toMatchObject({
      assumptions: ['only members where gone IS NULL'],
    })
  })
})

describe('verified pairs', () => {
  it('answer the same question in any spelling', () => {
    expect(findVerified(terms, 'who is our  BEST guest')?.sql).toBe('SELECT nm FROM mbr WHERE mid = 1')
    expect(findVerified(terms, 'who is our worst guest?')).toBeUndefined()
  })

  it('are offered for similar questions, the nearest first', () => {
    expect(similarPairs(terms, 'how many guests left in May').map((p) => p.question)).toEqual([
      'How many gold guests left?',
    ])
    expect(similarPairs(terms, 'weather')).toEqual([])
  })
})

describe('a terms file', () => {
  it.each([
    ['tabels: {}', /Unrecognized key.*tabels/],
    ['metrics: { x: { of: chk, value: "(SELECT 1)" } }', /metrics\.x\.value: must be an expression/],
    ['joins: [a = b]', /joins\.0: must be table\.column = table\.column/],
    ['metrics: { x: { of: chk, value: "4217" } }', /club\.yaml.*metrics\.x\.value: reads nothing of a table/],
    ['metrics: { x: { of: chk, value: SUM(amt), where: "1=1) OR (1=1" } }', /metrics\.x\.where: must close each/],
    ['verified: [{ question: q, sql: SELECT 4217 AS n }]', /club\.yaml.*verified\.0\.sql: reads nothing of a table/],
    ['verified: [{ question: q, sql: SELECT 4217 AS n FROM chk }]', /verified\.0\.sql: reads nothing of a table/],
    [
      "verified: [{ question: q, sql: SELECT nm FROM mbr WHERE d < ':today' }]",
      /verified\.0\.sql: must have :today without/,
    ],
    ['verified: [{ question: q, sql: "SELECT nm FROM mbr WHERE d < :now" }]', /verified\.0\.sql: has a placeholder/],
    [
      "verified: [{ question: q, sql: \"SELECT nm FROM mbr -- a guest's\\nWHERE d < ':today' -- it's\" }]",
      /verified\.0\.sql: must have :today without/,
    ],
    ['verified: [{ question: q, sql: "SELECT nm FROM mbr WHERE d < $$:today$$" }]', /must have :today without/],
    ['verified: [{ question: q, sql: "SELECT nm FROM mbr WHERE d < $a$:today$a$" }]', /must have :today without/],
    ['a: [', /club\.yaml cannot be read/],
  ])('is refused with the position: %s', async (text, message) => {
    await expect(parseTerms(text, 'club.yaml')).rejects.toThrow(message)
  })

  it('reports names that the database does not have', async () => {
    const wrong = await parseTerms(
      'tables: { gst: {}, mbr: { where: gone IS NULL AND left_on > 1 } }\ncolumns: { mbr.x: {} }\njoins: [chk.who = mbr.mid]\nmetrics: { tips: { of: chk, value: SUM(tip), where: mbr.colour = 1 } }',
      'club.yaml',
    )
    expect(unknownTerms(wrong, readSchema(db, 'club'))).toEqual([
      'tables.gst',
      'tables.mbr.where: left_on',
      'columns.mbr.x',
      'metrics.tips.value: tip',
      'metrics.tips.where: mbr.colour',
    ])
  })
})

it('with an allow-list, terms of unlisted tables are dropped', async () => {
  const terms = await parseTerms(
    `tables: { mbr: { called: [member] }, chk: {} }
columns: { main.mbr.nm: {}, chk.tip: {} }
metrics: { members: { of: mbr, value: COUNT(*) }, tips: { of: chk, value: SUM(tip) }, late: { of: mbr, value: COUNT(*), where: chk.d > 1 } }
joins: [chk.who = mbr.mid]
verified:
  - { question: Who?, sql: 'WITH a AS (SELECT nm FROM mbr) SELECT nm FROM a' }
  - { question: Tips?, sql: "SELECT nm, 'FROM x' FROM mbr JOIN chk ON who = mid" }`,
    'club.yaml',
  )
  const { tables, columns, metrics, joins, verified } = withinTables(terms, ['MBR'])
  expect([tables, columns, metrics].map((entries) => Object.keys(entries))).toEqual([
    ['mbr'],
    ['main.mbr.nm'],
    ['members'],
  ])
  expect([joins, verified.map(({ question }) => question)]).toEqual([[], ['Who?']])
})

describe('the SQL of a verified pair', () => {
  it.each([
    ['SELECT 1 FROM t WHERE d < :today', "SELECT 1 FROM t WHERE d < '2026-10-31'"],
    ["SELECT 1 FROM t -- it's :today\nWHERE d < :TODAY", "SELECT 1 FROM t -- it's :today\nWHERE d < '2026-10-31'"],
    ['SELECT d::today, $$:today$$, "a:today" FROM t', 'SELECT d::today, $$:today$$, "a:today" FROM t'],
    ["SELECT /* ' */ :today FROM t /* ' */", "SELECT /* ' */ '2026-10-31' FROM t /* ' */"],
  ])('gets the date where it is a value: %s', (sql, dated) => {
    expect(withDay({ ...NO_TERMS, verified: [{ question: 'q', sql }] }, '2026-10-31').verified[0]!.sql).toBe(dated)
  })
})
