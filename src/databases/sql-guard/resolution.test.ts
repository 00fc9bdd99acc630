import { describe, expect, it } from 'vitest'
import { allowedTables, chinook } from '../../../test/fixtures/databases/sql-guard/chinook.ts'
import { createSqlGuard } from './index.ts'
import { CALL_FORMS, callBy, CALLED } from '../../../test/fixtures/databases/sql-guard/oracle/forms.ts'
import type { CallableNames, DatabaseSchema, TableSchema } from '../schema.ts'

const gate = createSqlGuard()

function table(name: string, ...columns: string[]): TableSchema {
  const shape = { type: 'text', kind: 'text', nullable: true, primaryKey: false } as const
  return { name, kind: 'table', columns: columns.map((column) => ({ name: column, ...shape })), foreignKeys: [] }
}

function shop(callable?: CallableNames): DatabaseSchema {
  const shown = chinook('postgres')
  const more = [
    table('decoy', 'id', ...CALLED),
    table('people', 'id', 'home', 'name'),
    table('titles', 'upper', 'title'),
    table('veiled', 'id'),
  ]
  return { ...shown, tables: [...shown.tables, ...more], ...(callable === undefined ? {} : { callable }) }
}

const any = [...CALLED, 'name', 'date', 'upper', 'length']
const SHOP = shop({ any, own: [] })
const WITH_OWN = shop({ any, own: ['lower', '+', '=', 'json_value'] })
const tables = [...allowedTables('postgres'), 'decoy', 'people', 'titles', 'veiled']
const rule = async (sql: string, schema: DatabaseSchema = SHOP) => {
  const verdict = await gate.check(sql, schema, { allowedTables: tables })
  return verdict.allowed ? 'allowed' : verdict.rule
}

// postgres.oracle.test.ts shows that each form is a call on a server, too.
describe('a name after a dot that is a function', () => {
  it.each(CALL_FORMS)('never passes: %s', async (form) => {
    for (const name of CALLED) {
      const sql = callBy(form, name)
      // Other rules cover a call in the text and a CTE that is read too early.
      const wanted = form.includes('ROWS FROM') ? ['node'] : ['column', 'function', 'table']
      expect({ sql, rule: await rule(sql) }).toEqual({ sql, rule: expect.toBeOneOf(wanted) })
    }
  })

  it('passes for columns that are called like functions', async () => {
    for (const sql of [
      `SELECT d.name, d.date, d.count, d.year FROM (SELECT name, current_date AS date, 1 AS count, 2 AS year FROM artist) AS d`,
      `SELECT d.upper, d.length FROM decoy AS x(a) CROSS JOIN LATERAL (SELECT upper(a), length(a)) AS d`,
      `SELECT t.upper FROM titles t`,
      `SELECT (t).upper FROM titles t`,
      `SELECT d.pg_sleep FROM decoy d`,
      `SELECT j.pg_sleep FROM (decoy JOIN people USING (id)) AS j`,
      `SELECT name.name FROM string_to_table('a|b', '|') AS name`,
      `SELECT e.key, e.value FROM jsonb_each_text('{"a": 1}') AS e`,
      `SELECT (jsonb_each_text('{"a": 1}')).key`,
    ]) {
      expect({ sql, rule: await rule(sql) }).toEqual({ sql, rule: 'allowed' })
    }
  })

  it('passes for a field of an unknown row only where no function has that name', async () => {
    expect(await rule(`SELECT (p.home).city FROM people p`)).toBe('allowed')
    expect(await rule(`SELECT tag.tag FROM people p, unnest(string_to_array(p.name, ',')) AS tag`)).toBe('allowed')
    expect(await rule(`SELECT (p.home).name FROM people p`)).toBe('column')
    expect(await rule(`SELECT name.name FROM unnest(ARRAY['a']) AS name`)).toBe('column')
    expect(await rule(`SELECT name.name FROM unnest(ARRAY['a']) AS name(name)`)).toBe('allowed')
  })

  it('passes for no field of an unknown row where the names of functions are not known', async () => {
    expect(await rule(`SELECT (p.home).city FROM people p`, shop())).toBe('column')
    expect(await rule(`SELECT p.name FROM people p`, shop())).toBe('allowed')
  })
})

describe('functions and operators of the database', () => {
  it.each([
    [`SELECT lower(a) FROM album a`, 'function'],
    [`SELECT pg_catalog.lower(title) FROM album`, 'allowed'],
    [`SELECT upper(title) FROM album`, 'allowed'],
    // PostgreSQL 15 has no grammar for this and calls what the database defines.
    [`SELECT JSON_VALUE(attrs, '$.a') FROM track`, 'node'],
    [`SELECT 1 + 1`, 'operator'],
    [`SELECT 1 OPERATOR(pg_catalog.+) 1`, 'allowed'],
    [`SELECT 1 IN (1)`, 'operator'],
    [`SELECT 1 IN (SELECT 1)`, 'operator'],
    [`SELECT 1 FROM album WHERE album_id = 1`, 'operator'],
    [`SELECT CASE 1 WHEN 1 THEN 2 END`, 'operator'],
    [`SELECT nullif(1, 2)`, 'operator'],
    [`SELECT 1 FROM album JOIN artist USING (artist_id)`, 'operator'],
    [`SELECT 1 FROM album NATURAL JOIN artist`, 'operator'],
    [`SELECT 1 WHERE 1 BETWEEN 0 AND 2`, 'allowed'],
  ])('are not taken for built-in ones: %s', async (sql, expected) => {
    expect(await rule(sql, WITH_OWN)).toBe(expected)
  })
})
