import { describe, expect, it } from 'vitest'
import { tableFromArrays } from '../../core/table.ts'
import { doubtOfQuery, doubtOfResult } from './attempt.ts'

describe('queries that want a second look', () => {
  it.each([
    ['SELECT a FROM t WHERE b NOT IN (SELECT b FROM u)', /NULL/],
    ['SELECT a FROM t UNION SELECT a FROM u', /UNION/],
    ['SELECT a FROM t, u WHERE t.b = u.b', /comma/],
    ['SELECT a FROM t AS x, u AS y', /comma/],
    ['SELECT a FROM t CROSS JOIN u', /pair/],
    ["SELECT a FROM t WHERE d BETWEEN '2025-01-01' AND '2025-12-31'", /BETWEEN/],
    ['SELECT SUM(t.a) FROM t JOIN u ON u.b = t.b JOIN v ON v.c = t.c', /several times/],
    ['SELECT count(*) FROM t JOIN u ON u.b = t.b LEFT JOIN v ON v.c = t.c', /several times/],
  ])('%s', (sql, doubt) => {
    expect(doubtOfQuery(sql)).toMatch(doubt)
  })

  it.each([
    'SELECT count(*) AS customers FROM customers',
    'SELECT a, SUM(b) FROM t JOIN u ON u.c = t.c GROUP BY a ORDER BY a',
    'SELECT count(DISTINCT t.a) FROM t JOIN u ON u.b = t.b JOIN v ON v.c = t.c',
    'SELECT a FROM t UNION ALL SELECT a FROM u',
    'SELECT a FROM t WHERE b NOT IN (1, 2)',
    'SELECT a FROM t LEFT JOIN u ON u.b = t.b WHERE t.c IN (1, 2)',
  ])('not %s', (sql) => {
    expect(doubtOfQuery(sql)).toBeUndefined()
  })

  it.each([
    [[], /no rows/],
    [[[null]], /NULL/],
    [[[0], [null]], /zero/],
    [[[0], [1]], /^none$/],
    [[['Ireland']], /^none$/],
  ])('the result %j', (rows, doubt) => {
    expect(doubtOfResult(tableFromArrays(['n'], rows)) ?? 'none').toMatch(doubt)
  })
})
