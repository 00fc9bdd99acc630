import Database from 'libsql'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lookupIn, readSchema, rowsOf } from '../terms/sqlite.fixture.ts'
import { linkQuestion } from './index.ts'

/** What is open is what was not closed, where the rows say no more of it. */

const OPEN = ['How many tickets are still open?', 'How many tickets are open?', 'How many open tickets are there?']
const CLOSED = ['How many tickets are closed?', 'How many tickets are not open?']

async function asked(db: Database.Database, question: string) {
  const linked = await linkQuestion(question, readSchema(db, 'desk'), { lookup: lookupIn(db), today: '2026-01-15' })
  return linked.kind === 'query' ? rowsOf(db, linked.sql)[0]?.[0] : linked.kind
}

it.each(['closed', 'closed_at', 'closed_on'])('%s', async (column) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), fc.boolean(), async (closed, isKept) => {
      const db = new Database(':memory:')
      const state = isKept ? ', status TEXT' : ''
      db.exec(`CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, opened DATE NOT NULL, ${column} DATE${state})`)
      closed.forEach((isClosed, at) => {
        const day = isClosed ? "'2025-02-01'" : 'NULL'
        db.exec(`INSERT INTO tickets VALUES (${at + 1}, '2025-01-01', ${day}${isKept ? ", 'waiting'" : ''})`)
      })
      const done = closed.filter(Boolean).length
      for (const question of OPEN)
        expect(await asked(db, question), question).toBe(isKept ? 'refusal' : closed.length - done)
      const said = await Promise.all(CLOSED.map((question) => asked(db, question)))
      expect(said).toEqual(isKept ? [done, 'refusal'] : [done, done])
      expect(await asked(db, 'How many tickets were still open in 2025?')).toBe('refusal')
      db.close()
    }),
    { numRuns: 8, seed: 14 },
  )
})

it('a column “discount %” is no share', async () => {
  const db = new Database(':memory:')
  db.exec(`CREATE TABLE orders (order_id INTEGER PRIMARY KEY, state TEXT, "discount %" NUMERIC(5,2));
    INSERT INTO orders VALUES (1, 'shipped', 10), (2, 'shipped', 20), (3, 'draft', 90), (4, 'shipped', NULL)`)
  for (const name of ['discount %', 'discount'])
    expect(await asked(db, `Average ${name} of shipped orders`), name).toBe(15)
  db.close()
})
