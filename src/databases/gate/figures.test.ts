import { describe, expect, it } from 'vitest'
import { createGate } from './index.ts'

const gate = createGate()

const MADE_UP = [
  'SELECT 4000+217 AS customers FROM customers LIMIT 1',
  'SELECT count(*)*0+4217 FROM customers',
  'SELECT max(4217) FROM customers',
  'SELECT (4217) AS n FROM customers LIMIT 1',
  'SELECT 4217 AS n FROM customers WHERE EXISTS(SELECT 1 FROM customers)',
  'SELECT COUNT(*)+4000 FROM customers',
  'SELECT n FROM (SELECT 4217 AS n FROM customers LIMIT 1) x',
  'WITH x AS (SELECT 4217 AS n FROM customers) SELECT n FROM x LIMIT 1',
  'SELECT round(4217) FROM customers',
  "SELECT '4217' AS n FROM customers",
  'SELECT 1 FROM customers',
]
const READ = [
  'SELECT count(*) FROM customers',
  'SELECT COUNT(1) AS n FROM customers',
  'SELECT ROUND(AVG(id),2) FROM customers',
  "SELECT CASE WHEN id>50 THEN 'big' ELSE 'small' END AS s, COUNT(*) FROM customers GROUP BY 1",
  'SELECT 100.0*SUM(CASE WHEN id>5 THEN 1 ELSE 0 END)/COUNT(*) FROM customers',
  'SELECT substr(name,1,4), COUNT(*) FROM customers GROUP BY substr(name,1,4) LIMIT 10',
  "SELECT 'total' AS label, SUM(id) FROM customers UNION ALL SELECT name, id FROM customers WHERE id > 7",
  'SELECT * FROM customers',
  'SELECT c.* FROM customers c',
  'SELECT COALESCE(SUM(id),0)/60.0 FROM customers',
  'SELECT name, (SELECT COUNT(*) FROM customers d WHERE d.id>3) FROM customers',
  'SELECT AVG(id) FILTER (WHERE id>5) FROM customers',
  'SELECT id FROM customers WHERE id IN (4,5)',
]

describe.each(['sqlite', 'mysql', 'postgres'] as const)('where figures of %s come from', (dialect) => {
  const columns = ['id', 'name'].map((name) => ({ name, type: 'text', nullable: false, primaryKey: false }))
  const place = dialect === 'postgres' ? { schema: 'public' } : {}
  const table = { kind: 'table' as const, name: 'customers', ...place, columns, foreignKeys: [] }
  const isOfModel = async (sql: string): Promise<boolean> => {
    const verdict = await gate.check(sql, { dialect, tables: [table] } as unknown as Parameters<typeof gate.check>[1])
    if (!verdict.allowed) throw new Error(verdict.reason)
    const { isMadeUp, numbers } = verdict.figures!
    return isMadeUp || numbers.some((n) => ![0, 1, 60, 100].includes(Number(n)))
  }

  it.each(MADE_UP)('the model: %s', async (sql) => expect(await isOfModel(sql)).toBe(true))
  it.each(READ.filter((sql) => dialect !== 'mysql' || !sql.includes('FILTER')))('the table: %s', async (sql) =>
    expect(await isOfModel(sql)).toBe(false),
  )
})
