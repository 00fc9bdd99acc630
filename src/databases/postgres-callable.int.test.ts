import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../../test/support/postgres.ts'
import { openDatabase, type Database } from './database.ts'
import { createSqlGuard } from './sql-guard/index.ts'
import { GuardedDatabase } from './guarded-database.ts'

const adminUrl = inject('postgresUrl')

describe.skipIf(adminUrl === '')('names that a query could call (skipped where no PostgreSQL is installed)', () => {
  let database: Database

  beforeAll(async () => {
    const url = await createTestDatabase(adminUrl)
    const admin = new Client({ connectionString: url })
    await admin.connect()
    await admin.query(`
      CREATE TABLE customers (id int, name text);
      CREATE SCHEMA elsewhere;
      CREATE FUNCTION shout(text) RETURNS text LANGUAGE sql AS 'SELECT upper($1)';
      CREATE FUNCTION lower(customers) RETURNS text LANGUAGE sql AS 'SELECT $1.name';
      CREATE FUNCTION elsewhere.upper(customers) RETURNS text LANGUAGE sql AS 'SELECT $1.name';
      CREATE FUNCTION add_suffix(customers, text) RETURNS text LANGUAGE sql AS 'SELECT $1.name || $2';
      CREATE OPERATOR @@ (LEFTARG = customers, RIGHTARG = text, FUNCTION = add_suffix)`)
    await admin.end()
    database = openDatabase(url, { name: 'shop', allowSuperuser: true })
  })
  afterAll(async () => {
    await database?.close()
  })

  it('are functions of one argument and types, and what the database defines where names are looked up', async () => {
    const { callable } = await database.schema()
    expect(callable?.any).toEqual(expect.arrayContaining(['pg_read_file', 'ts_stat', 'regclass', 'shout', 'lower']))
    expect(callable?.any).not.toContain('customers')
    expect(callable?.any).not.toContain('add_suffix')
    expect(callable?.own).toEqual(['@@', 'add_suffix', 'lower', 'shout'])
  })

  it('reach the SQL guard', async () => {
    const gate = createSqlGuard()
    const gated = new GuardedDatabase(database, gate)
    expect(await gated.schema()).toHaveProperty('callable.any')
    const query = (sql: string) => gated.query(sql)
    expect(await query(`SELECT c.name FROM customers c`)).toMatchObject({ success: true })
    expect(await query(`SELECT f.pg_read_file FROM unnest(ARRAY['/etc/passwd']) AS f`)).toMatchObject({
      rule: 'column',
    })
    expect(await query(`SELECT c.shout FROM customers c`)).toMatchObject({ rule: 'column' })
    expect(await query(`SELECT lower(c) FROM customers c`)).toMatchObject({ rule: 'function' })
  })
})
