import { describe, expect, it } from 'vitest'
import { chinook } from '../../../test/fixtures/databases/sql-guard/chinook.ts'
import { createSqlGuard } from './index.ts'
import type { DatabaseSchema, Dialect } from '../schema.ts'

const gate = createSqlGuard()

function database(dialect: Dialect, ...names: string[]): DatabaseSchema {
  const tables = names.map((full) => {
    const [name = '', schema] = full.split('.').reverse()
    return { name, kind: 'table' as const, columns: [], foreignKeys: [], ...(schema === undefined ? {} : { schema }) }
  })
  return { name: 'x', dialect, tables }
}

const tables = async (schema: DatabaseSchema, sql: string, allowedTables?: string[]) => {
  const verdict = await gate.check(sql, schema, allowedTables === undefined ? {} : { allowedTables })
  return verdict.allowed ? verdict.tables : verdict.rule
}

describe('names of tables', () => {
  it('allows every table of the schema when there is no list, and none when the list is empty', async () => {
    expect(await tables(chinook('sqlite'), 'SELECT * FROM secret')).toEqual(['secret'])
    expect(await tables(chinook('sqlite'), 'SELECT * FROM album', [])).toBe('table')
    expect(await tables(chinook('sqlite'), 'SELECT 1', [])).toEqual([])
  })

  it('reads names that only the parser reserves, and never another table for them', async () => {
    for (const dialect of ['sqlite', 'mysql'] as const) {
      const schema = database(dialect, 'orders', 'top')
      const named = 'SELECT top.n FROM (SELECT COUNT(*) AS n FROM orders) top JOIN orders sort ON sort.n = top.n'
      expect(await tables(schema, named, ['orders'])).toEqual(['orders'])
      expect(await tables(schema, 'WITH top AS (SELECT 1 AS n) SELECT TOP.n minus FROM top')).toEqual([])
      expect(await tables(schema, 'SELECT * FROM top')).toEqual(['top'])
      expect(await tables(schema, 'SELECT * FROM Top', ['orders'])).toBe('table')
      expect(await tables(schema, 'SELECT n FROM orders MINUS SELECT n FROM top')).toBe('parse')
      const broken = 'SELECT top.n FROM orders top WHERE )'
      expect(await gate.check(broken, schema)).toMatchObject({ rule: 'parse', at: broken.indexOf(')') })
    }
  })

  it('folds unquoted PostgreSQL names to lower case and keeps quoted ones', async () => {
    const schema = database('postgres', 'Mixed', 'plain')
    expect(await tables(schema, 'SELECT * FROM "Mixed", PLAIN')).toEqual(['Mixed', 'plain'])
    expect(await tables(schema, 'SELECT * FROM Mixed')).toBe('table')
    expect(await tables(schema, 'SELECT * FROM "PLAIN"')).toBe('table')
    expect(await tables(schema, 'SELECT * FROM "Mixed"', ['mixed'])).toBe('table')
  })

  it('reads public.x as x on PostgreSQL, and other schemas by their name', async () => {
    const schema = database('postgres', 'a', 'sales.a', 'sales.b')
    expect(await tables(schema, 'SELECT * FROM a, public.a', ['public.a'])).toEqual(['a'])
    expect(await tables(schema, 'SELECT * FROM sales.a', ['a'])).toBe('table')
    expect(await tables(schema, 'SELECT * FROM sales.a, sales.b', ['sales.a', 'sales.b'])).toEqual([
      'sales.a',
      'sales.b',
    ])
    expect(await tables(schema, 'SELECT * FROM a', ['sales.a'])).toBe('table')
    expect(await tables(schema, 'SELECT * FROM b')).toBe('table')
  })

  it('refuses the PostgreSQL system tables, even if the schema lists tables with such names', async () => {
    const schema = database('postgres', 'pg_class', 'pg_catalog.pg_authid', 'information_schema.tables')
    expect(await tables(schema, 'SELECT * FROM pg_class')).toBe('table')
    expect(await tables(schema, 'SELECT * FROM public.pg_class')).toEqual(['pg_class'])
    expect(await tables(schema, 'SELECT * FROM pg_catalog.pg_authid')).toBe('table')
    expect(await tables(schema, 'SELECT * FROM information_schema.tables')).toBe('table')
  })

  it('ignores case on MySQL, but never confuses a forbidden table with an allowed one', async () => {
    const schema = database('mysql', 'Users', 'users', 'Orders', 'crm.leads')
    expect(await tables(schema, 'SELECT * FROM orders, ORDERS')).toEqual(['Orders'])
    expect(await tables(schema, 'SELECT * FROM users', ['users'])).toEqual(['users'])
    expect(await tables(schema, 'SELECT * FROM Users', ['users'])).toBe('table')
    expect(await tables(schema, 'SELECT * FROM USERS', ['users'])).toBe('table')
    expect(await tables(schema, 'SELECT * FROM crm.leads')).toEqual(['crm.leads'])
    expect(await tables(schema, 'SELECT * FROM leads')).toBe('table')
  })

  it('allows sqlite_master only if the schema lists it', async () => {
    expect(await tables(database('sqlite', 'sqlite_master'), 'SELECT * FROM sqlite_master')).toEqual(['sqlite_master'])
    expect(await tables(database('sqlite', 'T'), 'SELECT * FROM main.t, Main."T"')).toEqual(['T'])
  })

  it('names refused and allowed tables, in bounded length', async () => {
    const few = await gate.check('SELECT * FROM users', chinook('sqlite'), { allowedTables: ['album', 'artist'] })
    expect(few).toMatchObject({
      allowed: false,
      rule: 'table',
      reason: 'Table "users" is not on the allow-list; allowed: album, artist.',
    })
    const many = database('mysql', ...Array.from({ length: 2000 }, (_, index) => `table_number_${index}`))
    const long = await gate.check(`SELECT * FROM \`${'x\n'.repeat(1000)}\``, many)
    expect(long).toHaveProperty('reason', expect.stringMatching(/^Table "x x .*…" is not .* and \d+ more\.$/))
    expect(long.allowed ? '' : long.reason.length).toBeLessThanOrEqual(601)
  })
})
