import fc from 'fast-check'
import Database from 'libsql'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { eventually } from '../support/engine-world.ts'
import { createFolder } from '../support/folder.ts'
import { openForAll } from '../support/opened.ts'
import { createReader, createTestDatabase } from '../support/postgres.ts'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'

/** Filtered and sorted rows of a table, compared with the same operations in memory; and cancelled queries. */

type Cell = string | number | null
const COLUMNS = ['id', 'name', 'size', 'day:of'] as const
const NAMES = ["O'Hara", 'été', 'ETÉ', '', 'a:is:b', '100%', '_', null]
const DAYS = ['2026-05-11', '2026-05-12', '2026-10-01', null]
const ROWS: readonly (readonly Cell[])[] = Array.from({ length: 60 }, (_, n) => [
  n + 1,
  NAMES[n % NAMES.length]!,
  n % 7 === 0 ? null : ((n * 37) % 11) / 4 - 1,
  DAYS[n % DAYS.length]!,
])
const literal = (cell: Cell): string =>
  cell === null ? 'NULL' : typeof cell === 'number' ? String(cell) : `'${cell.replaceAll("'", "''")}'`
const table = (number: string, day: string): string[] => [
  `CREATE TABLE things (id integer PRIMARY KEY, name text, size ${number}, "day:of" ${day})`,
  `INSERT INTO things VALUES ${ROWS.map((row) => `(${row.map(literal).join(', ')})`).join(', ')}`,
]

const postgresUrl = inject('postgresUrl')
const SOURCES = ['sqlite', ...(postgresUrl === '' ? [] : ['postgres'])]
const folder = openForAll(createFolder)
let world: HttpWorld
let owner: Client | undefined
beforeAll(async () => {
  const file = join(folder.path, 'sqlite.db')
  const database = new Database(file)
  for (const sql of table('real', 'text')) database.exec(sql)
  database.close()
  const databases = [{ name: 'sqlite', url: `sqlite:${file}` }]
  if (postgresUrl !== '') {
    const url = await createTestDatabase(postgresUrl)
    owner = new Client(url)
    await owner.connect()
    for (const sql of table('numeric(10, 4)', 'date')) await owner.query(sql)
    databases.push({ name: 'postgres', url: await createReader(url) })
  }
  world = await startHttpWorld({ config: { databases } })
})
afterAll(async () => {
  await owner?.end()
  await world.close()
})

interface Rows {
  readonly rows: readonly (readonly Cell[])[]
  readonly hasMore: boolean
}
type Filter = readonly [column: number, how: string, value: string]

const holds = (cell: Cell, how: string, value: string): boolean => {
  if (how === 'empty' || how === 'filled') return (cell === null) === (how === 'empty')
  if (how === 'not') return cell === null || String(cell) !== value
  if (cell === null) return false
  if (how === 'is') return String(cell) === value
  if (how === 'has') return String(cell).toLowerCase().includes(value.toLowerCase())
  const far = typeof cell === 'number' ? cell - Number(value) : cell < value ? -1 : cell > value ? 1 : 0
  return { lt: far < 0, le: far <= 0, gt: far > 0, ge: far >= 0 }[how]!
}

const filters: fc.Arbitrary<Filter> = fc.oneof(
  fc.tuple(fc.nat(3), fc.constantFrom('empty', 'filled'), fc.constant('')),
  fc.tuple(fc.constant(1), fc.constantFrom('is', 'not'), fc.constantFrom(...NAMES.map((name) => name ?? 'gone'))),
  fc.tuple(fc.constant(1), fc.constant('has'), fc.constantFrom('h', 'A:', '%', '_', "'", '\\')),
  fc.tuple(fc.constant(2), fc.constantFrom('is', 'not', 'lt', 'le', 'gt', 'ge'), fc.constantFrom('0.5', '-1', '1.25')),
  fc.tuple(fc.constant(3), fc.constantFrom('is', 'lt', 'le', 'gt', 'ge'), fc.constantFrom('2026-05-12', '2026-06-01')),
)

const ask = (source: string, look: URLSearchParams) =>
  world.json<Rows>(`/databases/${source}/tables/things/rows?${look}`, { as: 'root' })

describe.each(SOURCES)('rows of %s', (source) => {
  it('match all filters, in order, each once over all pages', async () => {
    const looks = fc.record({
      asked: fc.array(filters, { maxLength: 3 }),
      sort: fc.option(fc.constantFrom(0, 2, 3)),
      isDown: fc.boolean(),
      limit: fc.constantFrom(7, 50),
    })
    await fc.assert(
      fc.asyncProperty(looks, async ({ asked, sort, isDown, limit }) => {
        const look = new URLSearchParams({ limit: String(limit), direction: isDown ? 'down' : 'up' })
        for (const [column, how, value] of asked) look.append('filter', `${COLUMNS[column]}:${how}:${value}`)
        if (sort !== null) look.set('sort', COLUMNS[sort]!)
        const found: (readonly Cell[])[] = []
        for (let isMore = true; isMore;) {
          look.set('offset', String(found.length))
          const page = await ask(source, look)
          found.push(...page.rows)
          isMore = page.hasMore
        }
        const wanted = ROWS.filter((row) => asked.every(([column, how, value]) => holds(row[column]!, how, value)))
        const order = (one: readonly Cell[], other: readonly Cell[]): number => {
          const [a, b] = [one[sort ?? 0]!, other[sort ?? 0]!]
          if (a === b) return 0
          if (a === null || b === null) return a === null ? 1 : -1
          return (a < b ? -1 : 1) * (isDown && sort !== null ? -1 : 1)
        }
        expect(found).toEqual([...wanted].sort((one, other) => order(one, other) || Number(one[0]) - Number(other[0])))
      }),
      { numRuns: 15 },
    )
  })

  it('are of listed tables; invalid filters are refused, and nothing bypasses the gate', async () => {
    for (const filter of [
      'nope:is:1',
      'size:like:1',
      'size',
      'size:gt:1; DROP TABLE things',
      "size:le:1' OR '1'='1",
      ':is:',
    ]) {
      const look = new URLSearchParams({ filter })
      expect([filter, await ask(source, look)]).toMatchObject([filter, { code: 'InvalidRequest' }])
    }
    const tables = await world.json(`/databases/${source}/tables`, { as: 'root' })
    expect(tables).toMatchObject({ items: [{ name: 'things', columns: COLUMNS.map((name) => ({ name })) }] })
    expect(await world.status(`/databases/${source}/tables/sqlite_master/rows`, { as: 'root' })).toBe(404)
    expect(await ask(source, new URLSearchParams({ sort: 'id DESC' }))).toMatchObject({ code: 'InvalidRequest' })
  })

  it('are no longer queried once the client has disconnected', async () => {
    const endless = `SELECT count(*) AS n FROM ${['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `things ${name}`).join(', ')}`
    const running = async (): Promise<boolean> => {
      // Excludes the short queries before it. While rows are fetched, the server does not list its text.
      const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tutti'
        AND state = 'active' AND clock_timestamp() - query_start > interval '300 ms'`
      return (await owner!.query(sql)).rowCount! > 0
    }
    const stop = new AbortController()
    const asked = world.fetch(`/databases/${source}/query`, { as: 'root', json: { sql: endless }, signal: stop.signal })
    const ended = asked.then(
      ({ status }) => String(status),
      (error: Error) => error.name,
    )
    if (source === 'postgres') await eventually(running)
    else await new Promise((resolve) => setTimeout(resolve, 300))
    stop.abort()
    expect(await ended).toBe('AbortError')
    if (source === 'postgres') await eventually(async () => !(await running()))
    // SQLite answers queries in sequence: this one would wait for the endless one.
    const next = await world.json<Rows>(`/databases/${source}/query`, { as: 'root', json: { sql: 'SELECT 1 AS n' } })
    expect(next.rows).toEqual([[1]])
  }, 20_000)

  it('are offered instead of refused parts, with their positions', async () => {
    const check = (sql: string) =>
      world.json<{ allowed: boolean; rule?: string; at?: { from: number; to: number }; instead?: string }>(
        `/databases/${source}/check`,
        { as: 'root', json: { sql } },
      )
    const cases: readonly (readonly [sql: string, place: string, instead: string | undefined])[] = [
      ["-- old\nDELETE FROM things\nWHERE name = 'a; b'", 'DELETE', "SELECT * FROM things WHERE name = 'a; b'"],
      ['UPDATE things SET size = 1 WHERE id = 3;', 'UPDATE', 'SELECT * FROM things WHERE id = 3'],
      ['SELECT id FROM things; DROP TABLE things', 'DROP TABLE things', 'SELECT id FROM things'],
      ['SELECT id FROM thinsg', 'thinsg', 'SELECT id FROM things'],
      ["SELECT 'secret', id FROM secret", 'secret', undefined],
      ['SELECT * FORM things', 'FORM', undefined],
      ['SELECT id FROM things\nWHERE', 'WHERE', undefined],
      ['SELECT load_extension(name) FROM things', 'load_extension', undefined],
    ]
    for (const [sql, place, instead] of cases) {
      const { allowed, at, instead: offered } = await check(sql)
      const shown = at === undefined ? undefined : sql.slice(at.from, at.to)
      expect([sql, allowed, shown, offered]).toEqual([sql, false, place, instead])
      expect((await check(offered ?? 'SELECT id FROM things')).allowed).toBe(true)
    }
    expect(await check('SELECT id FROM things')).toEqual({ allowed: true })
  })
})
