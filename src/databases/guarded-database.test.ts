import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import type { Clock } from '../shared/clock.ts'
import { openDatabase, type Database } from './database.ts'
import { createSqlGuard, type SqlGuard } from './sql-guard/index.ts'
import { GuardedDatabase, type GuardedDatabaseOptions } from './guarded-database.ts'
import type { QueryReply } from './query-reply.ts'

const folder = temporaryFolder()
let gate: SqlGuard
let shop: Database
let gated: GuardedDatabase

beforeAll(() => {
  gate = createSqlGuard()
})

beforeEach(() => {
  rmSync(join(folder, 'shop.db'), { force: true })
  write(
    'shop',
    "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bob')",
  )
  write('shop', 'CREATE TABLE cards (number TEXT)')
  shop = openDatabase(join(folder, 'shop.db'))
})

afterEach(async () => {
  await shop.close()
})

function write(name: string, sql: string): void {
  const database = new Libsql(join(folder, `${name}.db`))
  database.exec(sql)
  database.close()
}

function serve(database: Database, options?: GuardedDatabaseOptions): void {
  gated = new GuardedDatabase(database, gate, options)
}

const query = (sql: string): Promise<QueryReply> => gated.query(sql)

const tableNames = async (): Promise<string[]> => (await gated.schema()).tables.map((table) => table.name)

describe('what is allowed', () => {
  it('gives schema and rows', async () => {
    serve(shop)
    expect(await gated.schema()).toEqual(await shop.schema())
    expect(await query('SELECT id, name FROM customers ORDER BY id')).toEqual({
      success: true,
      columns: ['id', 'name'],
      data: [
        [1, 'Ada'],
        [2, 'Bob'],
      ],
      row_count: 2,
      error: null,
      truncated: false,
    })
  })
})

describe('what is refused or fails', () => {
  it('returns the reason of the SQL guard', async () => {
    serve(shop)
    expect(await query('DELETE FROM customers')).toMatchObject({
      success: false,
      blocked: true,
      rule: 'statement-kind',
      error: expect.any(String),
      error_code: 'QueryBlocked',
      columns: [],
      data: [],
      row_count: 0,
    })
  })

  it('neither shows nor reads tables that are not allowed', async () => {
    serve(shop, { allowedTables: ['customers'] })
    expect(await tableNames()).toEqual(['customers'])
    expect(await query('SELECT number FROM cards')).toMatchObject({ blocked: true, rule: 'table' })
    expect(await query('SELECT name FROM customers LIMIT 1')).toMatchObject({ success: true })
  })

  it('reports a missing file as such', async () => {
    const missing = openDatabase(join(folder, 'missing.db'))
    serve(missing)
    expect(await query('SELECT 1')).toMatchObject({ success: false, error_code: 'SourceNotFound' })
  })

  it('forwards an abort to the database', async () => {
    serve(shop)
    const endless = 'SELECT count(*) FROM customers a, customers b'
    await query(endless)
    const controller = new AbortController()
    let signal: AbortSignal | undefined
    const watched: Database = {
      name: 'shop',
      dialect: 'sqlite',
      schema: () => shop.schema(),
      protections: () => shop.protections(),
      query: (_sql, options) => {
        signal = options?.signal
        return new Promise((_, reject) => {
          signal!.addEventListener('abort', () => reject(new Error('stopped')))
          controller.abort()
        })
      },
      close: async () => {},
    }
    serve(watched)
    const reply = gated.query(endless, { signal: controller.signal })
    expect(await reply).toMatchObject({ success: false, error: 'stopped' })
    expect(signal?.aborted).toBe(true)
  })
})

describe('the kept schema', () => {
  let now = 0
  const clock: Clock = { now: () => now, timer: () => () => {} }

  it('is read again after it expires, and for an unknown table', async () => {
    serve(shop, { clock })
    expect(await tableNames()).toEqual(['cards', 'customers'])
    write('shop', 'CREATE TABLE added (a)')
    expect(await tableNames()).toEqual(['cards', 'customers'])
    now += 59_999
    expect(await tableNames()).toEqual(['cards', 'customers'])
    now += 1
    expect(await tableNames()).toContain('added')
    write('shop', 'CREATE TABLE newest (a)')
    expect(await query('SELECT a FROM newest')).toMatchObject({ success: true })
  })

  it('does not cache a failure', async () => {
    const late = openDatabase(join(folder, 'late.db'))
    serve(late, { clock })
    await expect(gated.schema()).rejects.toMatchObject({ code: 'SourceNotFound' })
    write('late', 'CREATE TABLE a (b)')
    expect((await gated.schema()).tables).toMatchObject([{ name: 'a' }])
    await late.close()
  })
})
