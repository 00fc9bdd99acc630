import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../../test/support/postgres.ts'
import { openDatabase, type Database } from './database.ts'
import { explainedQuery } from './postgres-explain.ts'

describe('detection of a plain EXPLAIN', () => {
  it.each([
    ['EXPLAIN SELECT 1', 'SELECT 1'],
    ['\n explain verbose\nWITH x AS (SELECT 1) TABLE x', 'WITH x AS (SELECT 1) TABLE x'],
    ['EXPLAIN (COSTS off, FORMAT json) VALUES (1)', 'VALUES (1)'],
    ['EXPLAIN(SUMMARY)TABLE x', undefined],
    ['EXPLAIN ANALYZE SELECT 1', undefined],
    ['EXPLAIN ANALYSE VERBOSE SELECT 1', undefined],
    ['EXPLAIN (ANALYZE) SELECT 1', undefined],
    ['EXPLAIN (COSTS, ANALYZE false) SELECT 1', undefined],
    ['EXPLAIN (COSTS analyze, analyze) SELECT 1', undefined],
    ['EXPLAIN (SELECT 1)', undefined],
    ['EXPLAIN (SETTINGS) SELECT 1', undefined],
    ['EXPLAIN DELETE FROM x', undefined],
    ['EXPLAIN EXECUTE q', undefined],
    ['/* /* */ EXPLAIN SELECT 1 */ DELETE FROM x', undefined],
    ['-- EXPLAIN SELECT 1\nDELETE FROM x', undefined],
    ['SELECT 1', undefined],
  ])('%s', (sql, expected) => {
    expect(explainedQuery(sql)).toBe(expected)
  })
})

const adminUrl = inject('postgresUrl')

describe.skipIf(adminUrl === '')('EXPLAIN on PostgreSQL (skipped where none is installed)', () => {
  let admin: Client
  let database: Database
  let guarded: Database

  beforeAll(async () => {
    const url = await createTestDatabase(adminUrl)
    admin = new Client({ connectionString: url })
    await admin.connect()
    await admin.query('CREATE TABLE customers (id int)')
    database = openDatabase(url, { allowSuperuser: true, serverCheck: false })
    guarded = openDatabase(url, { allowSuperuser: true })
  })
  afterAll(async () => {
    await database?.close()
    await guarded?.close()
    await admin?.end()
  })

  it('returns the plan and runs nothing', async () => {
    const plan = await database.query('EXPLAIN SELECT count(*) FROM customers WHERE pg_advisory_lock(815) IS NULL')
    expect(plan).toMatchObject({ columns: ['QUERY PLAN'], truncated: false })
    expect(plan.data.flat().join('\n')).toContain('Seq Scan on customers')
    const { rows } = await admin.query('SELECT pg_try_advisory_lock(815) AS free')
    expect(rows).toEqual([{ free: true }])
    expect(await database.query('EXPLAIN (FORMAT json) SELECT id FROM customers')).toMatchObject({ rowCount: 1 })
  })

  it('is allowed for queries that the server’s own check allows', async () => {
    expect(await guarded.query('EXPLAIN SELECT id FROM customers')).toMatchObject({ columns: ['QUERY PLAN'] })
    const locking = guarded.query('EXPLAIN SELECT id FROM customers WHERE pg_advisory_lock(815) IS NULL')
    await expect(locking).rejects.toMatchObject({
      code: 'QueryBlocked',
      message: expect.stringContaining('pg_advisory_lock'),
    })
  })

  it.each([
    'EXPLAIN ANALYZE SELECT 1',
    'EXPLAIN (ANALYZE) SELECT 1',
    'EXPLAIN SELECT 1; DELETE FROM customers',
    "/* /* */ EXPLAIN SELECT 1 */ COPY (SELECT 1) TO PROGRAM 'cat'",
  ])('is refused in other forms: %s', async (sql) => {
    await expect(database.query(sql)).rejects.toMatchObject({ code: 'QueryError' })
  })
})
