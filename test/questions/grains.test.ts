import Database from 'libsql'
import { expect, it } from 'vitest'
import { linkQuestion } from '../../src/question-to-sql/index.ts'
import { lookupIn, readSchema, rowsOf } from '../../src/terms/sqlite.fixture.ts'
import { sample } from '../support/length.ts'
import { DOMAINS, STYLES } from './naming.ts'
import { questionsOf } from './questions.ts'
import { world, type World } from './world.ts'

const today = '2026-01-15'
const GRAIN = /\b(?:month|year|quarter|week|day)s?\b/

/** Nothing leads to them from what the questions are about. */
const strangers = ({ style }: World): string[] => {
  const table = `"${style.table('closing')}"`
  return [
    `CREATE TABLE ${table} (closing_code TEXT PRIMARY KEY, year INTEGER, quarter TEXT, month TEXT, week INTEGER, day INTEGER)`,
    `CREATE VIEW "${style.table('climate')}" AS SELECT year, quarter, month, week, day FROM ${table}`,
  ]
}

const read = (db: Database.Database, question: string) =>
  linkQuestion(question, readSchema(db, 'world'), { lookup: lookupIn(db), today })

it('a column “month” of a table or view that nothing leads to takes no question its months', async () => {
  let asked = 0
  for (const seed of sample(
    Array.from({ length: DOMAINS.length * STYLES.length }, (_, i) => i),
    6,
  )) {
    const w = world(seed)
    const [own, beside] = [new Database(':memory:'), new Database(':memory:')]
    for (const statement of w.script) [own, beside].forEach((db) => db.exec(statement))
    for (const statement of strangers(w)) beside.exec(statement)
    const more = ['month', 'year', 'quarter'].map((grain) => `number of ${w.domain.event}s per ${grain}`)
    for (const question of [...questionsOf(w).map((one) => one.question), ...more]) {
      if (!GRAIN.test(question)) continue
      const alone = await read(own, question)
      if (alone.kind !== 'query') continue
      asked++
      expect(await read(beside, question), question).toEqual(alone)
    }
    own.close()
    beside.close()
  }
  expect(asked).toBeGreaterThan(8)
})

it('a view of amounts is added up by its own months, in their order, and its rows are not counted', async () => {
  const db = new Database(':memory:')
  db.exec(`CREATE TABLE receipts (receipt_id INTEGER PRIMARY KEY, booked DATE, amount_in NUMERIC(10,2));
    INSERT INTO receipts VALUES (1, '2025-01-03', 7), (2, '2025-01-20', 1), (3, '2025-02-01', 90), (4, '2024-12-31', 5);
    CREATE TABLE months (month DATE, revenue NUMERIC(10,2));
    INSERT INTO months VALUES ('2024-12-01', 5), ('2025-01-01', 7), ('2025-01-01', 1), ('2025-02-01', 90);
    CREATE VIEW v_revenue AS SELECT month, revenue FROM months;`)
  // The table is what the view reads; only the view is shown to whoever asks.
  const { tables, ...schema } = readSchema(db, 'books')
  const shown = tables.filter(({ name }) => name !== 'months')
  const columns = tables.find(({ name }) => name === 'months')!.columns
  const own = { ...schema, tables: shown.map((t) => (t.name === 'v_revenue' ? { ...t, columns } : t)) }
  for (const question of [
    'Revenue by month in 2025',
    'total revenue by month in 2025',
    'total revenue per month in 2025',
  ]) {
    const linked = await linkQuestion(question, own, { lookup: lookupIn(db), today })
    expect(linked.kind === 'query' && rowsOf(db, linked.sql), JSON.stringify(linked)).toEqual([
      ['2025-01-01', 8],
      ['2025-02-01', 90],
    ])
  }
  const monthly = await linkQuestion('monthly revenue in 2025', own, { lookup: lookupIn(db), today })
  expect(monthly.kind).toBe('refusal')
  db.close()
})
