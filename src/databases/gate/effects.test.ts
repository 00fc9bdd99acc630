import { describe, expect, it } from 'vitest'
import { createGate } from './index.ts'

const gate = createGate()

const column = (name: string) => ({ name, type: 'TEXT', kind: 'text' as const, nullable: true, primaryKey: false })
const table = (name: string) => ({
  name,
  kind: 'table' as const,
  columns: ['id', 'x', 'c'].map(column),
  primaryKey: ['id'],
  foreignKeys: [],
})

async function effects(dialect: 'sqlite' | 'mysql' | 'postgres', sql: string) {
  const verdict = await gate.check(sql, { name: 's', dialect, tables: ['a', 'b'].map(table) })
  if (!verdict.allowed) throw new Error(verdict.reason)
  return verdict.effects!
}

describe.each(['sqlite', 'mysql', 'postgres'] as const)('what a query does to its rows, of %s', (dialect) => {
  it.each([
    ["c = 'k'", '= k'],
    ["NOT (c = 'k')", '<> k'],
    ["NOT (NOT c = 'k')", '= k'],
    ["lower(c) NOT LIKE 'k%'", '<> k%'],
    ["c NOT IN ('k', 'l')", '<> k,l'],
    ['c IS NULL', 'null '],
    ['NOT c IS NULL', 'not null '],
    ['x BETWEEN 1 AND 2', '>= 1; <= 2'],
    ['x NOT BETWEEN 1 AND 2', '< 1 or; > 2 or'],
    ["c = 'k' OR 1 = 1", '= k or; = 1,1 or'],
    ["NOT (c = 'k' OR x > 3)", '<> k; <= 3'],
    ["NOT EXISTS (SELECT 1 FROM b WHERE c = 'k')", '= k out'],
    ["id NOT IN (SELECT id FROM b WHERE c = 'k')", '= k out'],
    ["id IN (SELECT id FROM b WHERE c <> 'k')", '<> k'],
  ])('%s', async (where, expected) => {
    const { conditions } = await effects(dialect, `SELECT id FROM a WHERE ${where}`)
    const said = conditions
      .filter(({ columns, values }) => columns.length + values.length > 0)
      .map(({ operator, values, isAlternative, isOut }) => {
        return `${operator} ${values.join(',')}${isAlternative ? ' or' : ''}${isOut ? ' out' : ''}`
      })
    expect(said.join('; ')).toBe(expected)
  })

  it('knows which rows come first and what is added up', async () => {
    const sql = 'SELECT c, SUM(x) AS id FROM a GROUP BY c ORDER BY id DESC LIMIT 3'
    expect(await effects(dialect, sql)).toMatchObject({
      orders: ['desc'],
      aggregates: [{ name: 'sum', columns: ['x'] }],
    })
    expect((await effects(dialect, 'SELECT c, RANK() OVER (ORDER BY x) FROM a')).orders).toEqual(['asc'])
  })

  it.each([
    ['SELECT count(*) FROM a, b', ['a', 'b']],
    ['SELECT count(*) FROM a CROSS JOIN b x', ['a', 'b']],
    ["SELECT count(*) FROM a LEFT JOIN b ON a.c = 'k'", ['a', 'b']],
    ['SELECT count(*) FROM a, b WHERE a.x = b.id', []],
    ['SELECT count(*) FROM a JOIN b USING (id)', []],
    ['SELECT count(*) FROM a JOIN b ON a.x BETWEEN b.id AND b.x', []],
    ['WITH t AS (SELECT max(x) AS m FROM b) SELECT count(*) FROM a, t', []],
    ['SELECT count(*) FROM a, (SELECT max(x) AS m FROM b) s', []],
    ['SELECT count(*) FROM a JOIN b m ON m.id = a.x JOIN a z ON z.c = m.c', []],
  ])('knows which tables are not linked: %s', async (sql, unlinked) => {
    expect((await effects(dialect, sql)).repeats).toEqual({ unlinked, whole: [], factors: [] })
  })

  it.each([
    ['SELECT count(*) * 2 FROM a', { factors: ['* 2'] }],
    ['SELECT (count(id)) - 1 FROM a', { factors: ['- 1'] }],
    ['SELECT count(*) * 100.0 / 7 FROM a', { factors: [] }],
    ['SELECT count(*) * 1.0 FROM a', { factors: [] }],
    ["SELECT id FROM a WHERE c = 'k' UNION ALL SELECT id FROM a", { whole: ['a'] }],
    ["SELECT id FROM a WHERE c = 'k' UNION ALL SELECT id FROM b", { whole: [] }],
    ["SELECT count(*) FROM a WHERE c = 'k' UNION ALL SELECT count(*) FROM a", { whole: [] }],
    ["SELECT id FROM a WHERE c = 'k' EXCEPT SELECT id FROM a", { whole: [] }],
  ])('knows what is made of the number of rows: %s', async (sql, repeats) => {
    expect((await effects(dialect, sql)).repeats).toMatchObject(repeats)
  })
})
