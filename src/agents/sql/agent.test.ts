import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Libsql from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chinook } from '../../../test/fixtures/databases/sql-guard/chinook.ts'
import everyday from '../../../test/fixtures/questions/everyday.json' with { type: 'json' }
import { engineFor, request } from '../../../test/support/engine-world.ts'
import { ScriptedModels, type Script, type ScriptedCall } from '../../../test/support/tool-loops.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { systemClock } from '../../shared/clock.ts'
import type { RequestInput } from '../../domain/request.ts'
import { openDatabase, type Database } from '../../databases/database.ts'
import { createSqlGuard } from '../../databases/sql-guard/index.ts'
import { createDemoDatabase } from '../../app/demo-data.ts'
import { createMemoryStorage, type Storage } from '../../storage/index.ts'
import { parseTerms, type Terms } from '../../databases/glossary/terms.ts'
import { sqlAgent, type SqlAgentOptions } from './agent.ts'
import { createSqlSource } from '../../app/sql-source.ts'
import type { SqlSource } from './source.ts'

const SHOP = `
  CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, country TEXT, note TEXT);
  CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id), freight NUMERIC, day DATE, paid_on TEXT);
  CREATE TABLE purchase_line (id INTEGER PRIMARY KEY, purchase_id INTEGER REFERENCES purchase (id), amount NUMERIC);
  INSERT INTO customer VALUES (1, 'Köln Kaffee', 'Germany', 'pays late, was called three times about the invoices of March'), (2, 'Bean & Co', 'Ireland', NULL);
  INSERT INTO purchase VALUES (1, 1, 5, '2026-01-02', '2026-01-09'), (2, 2, 7, '2026-03-04', NULL);
  INSERT INTO purchase_line VALUES (1, 1, 10.10), (2, 1, 20.20), (3, 2, 5);
`

const folder = temporaryFolder()
let storage: Storage
let databases: readonly Database[]
let demo: SqlSource
let shop: SqlSource

beforeAll(async () => {
  await createDemoDatabase(join(folder, 'brindlemoor.sqlite'))
  const db = new Libsql(join(folder, 'shop.sqlite'))
  db.exec(SHOP)
  db.close()
  storage = await createMemoryStorage({ clock: systemClock, onError: (error) => expect.fail(error.message) })
  const guard = createSqlGuard()
  databases = ['brindlemoor', 'shop'].map((name) => openDatabase(`sqlite:${join(folder, `${name}.sqlite`)}`))
  const [first, second] = databases.map((database) => createSqlSource(database, guard))
  const terms = await parseTerms(await readFile('assets/demo/brindlemoor.terms.yaml', 'utf8'), 'the demo')
  demo = withTerms(first!, terms)
  shop = second!
})
afterAll(() => Promise.all(databases.map((database) => database.close())))

function withTerms(source: SqlSource, terms: Terms): SqlSource {
  return { ...source, terms: async () => ({ terms, path: 'demo.terms.yaml' }) }
}

async function ask(
  script: Script,
  of: readonly SqlSource[] = [shop],
  more: Partial<RequestInput> = {},
  options: SqlAgentOptions = {},
) {
  const models = new ScriptedModels(script)
  const engine = engineFor([sqlAgent(of, options)], { store: storage.store, clock: systemClock, models })
  const context = { current_date: '2026-10-31' }
  const state = await engine.outcome(await engine.start(request(['sql'], { context, ...more })))
  const job = state.jobs.get('sql')!
  return {
    models,
    state,
    result: job.result!,
    instructions: models.requests.length === 0 ? '' : models.request(0).head.instructions,
  }
}

const query = (sql: string, more: object = {}): ScriptedCall => ['query', { sql, ...more }]
const runs = (...queries: string[]): Script => [{ calls: queries.map((sql) => query(sql)) }, 'Done [s1].']

describe('everyday questions', () => {
  const own = everyday.filter(({ database }) => database === 'brindlemoor')

  it.each(own)('the query runs, and the sentence of the model is the answer: $question', async (one) => {
    const answer = `It is roughly ${one.first[0]}; almost ten times the average.`
    const { result } = await ask([{ calls: [query(one.sql)] }, answer], [demo], { question: one.question })
    expect(result).toMatchObject({ status: 'succeeded', answer, tabular: { rowCount: one.rows } })
    const cells = Object.values(result.tabular!.rows[0]!).map(
      (cell, at) => Number(cell) === Number(one.first[at]) || String(cell) === one.first[at],
    )
    expect(cells.slice(0, one.first.length)).not.toContain(false)
    expect(result.data).toMatchObject({ database: 'brindlemoor', sql: one.sql, attempts: [{ success: true }] })
  })

  it.each(everyday.filter(({ database }) => database === 'chinook'))(
    'passes the SQL guard: $question',
    async ({ sql }) => {
      expect(await createSqlGuard().check(sql, chinook('sqlite'))).toMatchObject({ allowed: true })
    },
  )
})

describe('query', () => {
  it.each([
    "SELECT (CAST(strftime('%m', day) AS INTEGER) + 2) / 3 AS quarter, COUNT(*) AS n FROM purchase GROUP BY quarter",
    'SELECT SUM(freight) / 60000.0 AS x, 0 AS cancelled FROM purchase',
    'SELECT MAX(amount) AS top FROM purchase_line',
    'SELECT 42 AS answer',
  ])('runs %s', async (sql) => {
    const { result } = await ask(runs(sql))
    expect(result).toMatchObject({ status: 'succeeded', data: { attempts: [{ query: sql, success: true }] } })
  })

  it('returns rows as CSV with their number, and is cited with its SQL', async () => {
    const sql = 'SELECT name, country FROM customer ORDER BY id;'
    const { models, result } = await ask(runs(sql))
    expect(models.results(1)).toEqual(['[2 rows]\nname,country\nKöln Kaffee,Germany\nBean & Co,Ireland'])
    expect(result.answer).toBe('Done [1].')
    expect(result.sources).toMatchObject([{ kind: 'database', name: 'shop', detail: sql.slice(0, -1) }])
  })

  it('reports how often a join repeats summed rows, with the numbers of rows', async () => {
    const { models } = await ask(
      runs('SELECT SUM(p.freight) AS freight FROM purchase p JOIN purchase_line l ON l.purchase_id = p.id'),
    )
    expect(models.results(1)[0]).toMatch(
      /^Note: SUM takes a row of purchase \(2 rows\) once for each of its rows in purchase_line \(3 rows\)\.\n\[1 row\]/,
    )
  })

  it('reports an empty and a truncated result', async () => {
    const rows =
      'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) SELECT i FROM n, customer WHERE id = 1'
    const { models } = await ask(runs('SELECT * FROM customer WHERE id = 9', rows))
    const [empty, cut] = models.results(1)
    expect(empty).toMatch(/^Note: The query ran and found no rows\./)
    expect(cut).toMatch(/^Note: These are the first 1000 of 1200 rows\./)
  })

  it('returns the error, its phase, and names similar to the wrong one', async () => {
    const { models, result, state } = await ask([
      { calls: [query('SELECT nme FROM customer')] },
      { calls: [query('SELECT name FROM customers')] },
      { calls: [query('SELECT name FROM customer')] },
      'Two.',
    ])
    expect(models.results(1)[0]).toMatch(
      /^Error Query\w+: The previous SQL query failed to execute \(\w+\)\.\nError details: .*nme.*\nNearest names to nme: customer\.name\nFailing query:\nSELECT nme FROM customer\nGenerate a corrected read-only SQL query/,
    )
    expect(models.results(2)[0]).toMatch(
      /\(check\)\.\nError details: Table "customers" is not on the allow-list.*\nNearest names to customers: customer/,
    )
    expect(result).toMatchObject({ status: 'succeeded', answer: 'Two.', provenance: { author: 'own' } })
    expect((result.data as { attempts: object[] }).attempts).toMatchObject([
      {
        attempt: 1,
        query: 'SELECT nme FROM customer',
        success: false,
        error: expect.stringContaining('nme'),
        latencyMs: expect.any(Number),
      },
      { attempt: 2, success: false, blocked: true },
      { attempt: 3, success: true, latencyMs: expect.any(Number) },
    ])
    expect([...state.calls.get('sql')!.values()].map(({ name }) => name)).toEqual(['query', 'query', 'query'])
  })

  it.each([
    ['SELECT customer_name FROM customer', /Nearest names to customer_name: customer\.name/],
    ['SELECT l.freight FROM purchase_line l', /Nearest names to l\.freight: purchase\.freight/],
    ['SELECT TOP 1 name FROM customer', /LIMIT takes the first rows\.\nFailing query/],
    ['DELETE FROM customer', /Only SELECT is allowed; this is a DELETE statement\.\nFailing query/],
  ])('suggests a fix: %s', async (sql, hint) => {
    const { models } = await ask(runs(sql))
    expect(models.results(1)[0]).toMatch(hint)
  })

  const bad = (n: number): ScriptedCall => query(`DELETE FROM customer WHERE id = ${n}`)

  it('stops after four turns in a row with failed or blocked queries, and the task fails with the reason', async () => {
    const { models, result } = await ask([
      ...[1, 2, 3, 4].map((n) => ({ calls: [bad(n)] })),
      { calls: [bad(5)] },
      'I can only read.',
    ])
    expect(models.results(4)).toEqual([expect.stringContaining('failed to execute (check)')])
    expect(models.results(5)).toEqual([expect.stringContaining('Not run: the queries of 4 turns in a row failed')])
    expect(result).toMatchObject({
      status: 'failed',
      answer: 'I can only read.',
      error: { type: 'QueryBlocked', message: expect.stringContaining('Only SELECT is allowed') },
    })
  })

  it('still runs after several of one turn failed, and after some of many turns did', async () => {
    const good = (n: number): ScriptedCall => query(`SELECT ${n} AS n FROM customer WHERE id = 1`)
    const alternating = [6, 7, 8, 9].flatMap((n) => [{ calls: [bad(n)] }, { calls: [good(n)] }])
    const { models, result } = await ask([{ calls: [1, 2, 3, 4, 5].map(bad) }, ...alternating, 'Nine.'])
    expect(models.results(-1)).toEqual(['[1 row]\nn\n9'])
    expect(result).toMatchObject({ status: 'succeeded', answer: 'Nine.' })
  })

  it('sends no further query to a misconfigured database', async () => {
    let questionCount = 0
    const broken: SqlSource = {
      ...shop,
      query: async (sql) => {
        if (sql.endsWith(' AS a')) questionCount += 1
        return {
          success: false,
          columns: [],
          data: [],
          row_count: 0,
          error: 'The password is wrong.',
          error_code: 'ConfigurationError',
        }
      },
    }
    const { models } = await ask(
      [{ calls: [query('SELECT 1 AS a')] }, { calls: [query('SELECT 2 AS a')] }, 'It is not set up.'],
      [broken],
    )
    expect(questionCount).toBe(1)
    expect(models.results(2)).toEqual(['Error ConfigurationError: The password is wrong.'])
  })
})

describe('instructions', () => {
  it('hold tables with row counts, keys, date ranges and values of at most 40 characters, labelled as private', async () => {
    const { instructions, state } = await ask(['Hello.'])
    expect(instructions).toContain(`<database name="shop" dialect="SQLite">
customer (2 rows)
 id integer primary key
 name text: 'Bean & Co', 'Köln Kaffee'
 country text: 'Germany', 'Ireland'
 note text
purchase (2 rows)
 id integer primary key
 customer_id references customer.id
 freight numeric
 day date: 2026-01-02 to 2026-03-04
 paid_on text: 2026-01-09 to 2026-01-09
`)
    expect(state.transcripts.get('sql')!.provenance).toEqual({ author: 'user', private: true, sources: [] })
  })

  it('hold business terms and stay within 20,000 characters; the verified query is in the messages', async () => {
    const question = 'Which five customers owe us the most on overdue invoices?'
    const { instructions, models } = await ask(['Hello.'], [demo], { question })
    expect(instructions).toContain(
      `"revenue" (also "sales", "turnover", "income", "takings"): SUM(line_total) over order_lines where orders.status <> 'cancelled'; money`,
    )
    expect(instructions).toContain(`'Germany' is also "Deutschland"`)
    expect(instructions.length).toBeLessThan(20_000)
    const { head } = models.request(0)
    expect(JSON.stringify(head.messages)).toMatch(
      /The same question\\nSELECT c\.company_name, .*due_date < '2026-10-31'/,
    )
    const other = await ask(['Hello.'], [demo], { question: 'What is CRISPR?' })
    expect(other.instructions).toBe(instructions)
    expect(JSON.stringify(other.models.request(0).head.messages)).not.toContain('verified_queries')
  })

  it('know all values after the first question, which waits for them once', async () => {
    let questionCount = 0
    const slow: SqlSource = {
      ...shop,
      query: async (sql, signal) => {
        questionCount++
        await new Promise((resolve) => setTimeout(resolve, 300))
        return shop.query(sql, signal)
      },
    }
    const models = new ScriptedModels(() => 'Hello.')
    const engine = engineFor([sqlAgent([slow])], { store: storage.store, clock: systemClock, models })
    for (let n = 0; n < 2; n++) await engine.outcome(await engine.start(request(['sql'])))
    expect(questionCount).toBe(2)
    expect(models.request(0).head.instructions).toContain("country text: 'Germany', 'Ireland'")
    expect(models.request(1).head.instructions).toBe(models.request(0).head.instructions)
  })

  it('name the tables of a large schema, whose columns describe_table shows', async () => {
    const tables = Array.from({ length: 300 }, (_, n) => ({
      name: `warehouse_${n}`,
      kind: 'table' as const,
      columns: Array.from({ length: 9 }, (_each, at) => ({
        name: `column_${at}`,
        type: 'text',
        kind: 'text' as const,
        nullable: true,
        primaryKey: at === 0,
      })),
      foreignKeys: [],
      approximateRows: 7,
    }))
    const large: SqlSource = { ...shop, schema: async () => ({ name: 'shop', dialect: 'sqlite', tables }) }
    const { instructions, models } = await ask(
      [
        {
          calls: [
            ['describe_table', { table: 'Warehouse_3' }],
            ['describe_table', { table: 'warehous_12' }],
          ],
        },
        'ok',
      ],
      [large],
    )
    expect(instructions).toContain('300 tables; describe_table shows the columns of one:\nwarehouse_0 (about 7 rows)\n')
    expect(instructions).not.toContain('column_1')
    expect(models.results(1)[0]).toMatch(/^warehouse_3.*\n column_0 text primary key\n/)
    expect(models.results(1)[1]).toContain('There is no table "warehous_12". Nearest names: warehouse_12')
  })

  it('offer the database as a choice where there are several, and name one that cannot be read', async () => {
    const broken: SqlSource = { ...shop, name: 'gone', schema: () => Promise.reject(new Error('no such file')) }
    const { models, instructions, result } = await ask(
      [{ calls: [query('SELECT COUNT(*) AS n FROM orders', { database: 'brindlemoor' })] }, 'ok'],
      [demo, shop, broken],
    )
    const { inputSchema } = models.request(0).head.tools.find(({ name }) => name === 'query')!
    expect(inputSchema).toMatchObject({
      properties: { database: { enum: ['brindlemoor', 'shop'] } },
      required: ['database', 'sql'],
    })
    expect(instructions).toContain('The database "gone" cannot be read now: no such file')
    expect(result).toMatchObject({ answer: 'ok', data: { attempts: [{ database: 'brindlemoor', success: true }] } })
    expect(result.remarks).toEqual([expect.stringContaining('gone')])
  })
})

describe('find_values', () => {
  const found = async (text: string, of: SqlSource = shop, more: object = {}) =>
    (await ask([{ calls: [['find_values', { text, ...more }]] }, 'ok'], [of])).models.results(1)[0]

  it.each([
    ['Germany', "exact: customer.country = 'Germany'"],
    ['GERMANY', "folded: customer.country = 'Germany'"],
    ['koln kaffee', "folded: customer.name = 'Köln Kaffee'"],
    ['Irland', "'Irland' is not stored. The nearest:\nnearest: customer.country = 'Ireland'"],
    ['Bean', "'Bean' is not stored. The nearest:\nnearest: customer.name = 'Bean & Co'"],
    ['Zzyzx', "No value is like 'Zzyzx'."],
  ])('%s: %s', async (text, expected) => {
    expect(await found(text)).toBe(expected)
  })

  it('finds business terms', async () => {
    expect(await found('deutschland', demo)).toBe("term: customers.country = 'Germany'")
  })

  it('limits the search to one table or column', async () => {
    expect(await found('Germany', shop, { table: 'purchase_line' })).toContain('There is no such text column')
  })
})
