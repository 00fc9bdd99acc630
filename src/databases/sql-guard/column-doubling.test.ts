import { describe, expect, it } from 'vitest'
import { allowedTables, chinook } from '../../../test/fixtures/databases/sql-guard/chinook.ts'
import { doublings, otherDoublings } from '../../../test/fixtures/databases/sql-guard/doubling.ts'
import { createSqlGuard } from './index.ts'

const gate = createSqlGuard()
const check = (sql: string) => gate.check(sql, chinook('postgres'), { allowedTables: allowedTables('postgres') })

/** The server replaces each column by its expression, which gives 2 ** depth parts, and planning has no time limit. */
describe('columns that double from level to level', () => {
  it.each([...doublings(28), ...otherDoublings(28)])('are refused: %s', async (_, sql) => {
    expect(await check(sql)).toMatchObject({ allowed: false, rule: 'size', reason: expect.stringContaining('parts') })
  })

  it.each([...doublings(6), ...otherDoublings(5)])('pass where they are few: %s', async (_, sql) => {
    expect(await check(sql)).toMatchObject({ allowed: true })
  })

  it.each(['mysql', 'sqlite'] as const)('are refused in %s', async (dialect) => {
    const ctes = (depth: number, over: string) =>
      `WITH c0 AS (SELECT title AS s FROM album)${Array.from({ length: depth }, (_, at) => `, c${at + 1} AS (SELECT ${over} AS s FROM c${at})`).join('')} SELECT length(s) FROM c${depth}`
    const derived = (depth: number) =>
      Array.from({ length: depth }).reduce<string>(
        (below) => `SELECT coalesce(t.s, t.s) AS s FROM (${below}) t`,
        'SELECT title AS s FROM album',
      )
    const judge = (sql: string) => gate.check(sql, chinook(dialect), { allowedTables: allowedTables(dialect) })
    for (const sql of [ctes(20, 'replace(s, s, 1)'), ctes(20, 'coalesce(s, upper(s))'), derived(16)]) {
      expect(await judge(sql)).toMatchObject({ allowed: false, rule: 'size' })
    }
    for (const sql of [ctes(6, 'coalesce(s, upper(s))'), ctes(20, 'upper(s)'), derived(6)]) {
      expect(await judge(sql)).toMatchObject({ allowed: true })
    }
  })

  it('each level may use every column of the one below once', async () => {
    const columns = Array.from({ length: 20 }, (_, at) => `c${at}`)
    const bottom = `SELECT ${columns.map((name) => `album_id + 1 AS ${name}`).join(', ')} FROM album`
    const level = columns.map((name) => `${name} + 1 AS ${name}`).join(', ')
    const sql = Array.from({ length: 20 }).reduce<string>((below) => `SELECT ${level} FROM (${below}) t`, bottom)
    expect(await check(sql)).toMatchObject({ allowed: true })
  })
})
