import Database from 'libsql'
import { describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../../src/demo/random.ts'
import { linkQuestion } from '../../src/question-to-sql/index.ts'
import { lookupIn, readSchema, rowsOf } from '../../src/terms/sqlite.fixture.ts'
import { testSeed } from '../support/seed.ts'

const SEED = testSeed(20_261_124)
const WORLDS = 60

const FAMILIES = [
  ['routes', 'sailings', 'bookings'],
  ['courses', 'terms', 'enrolments'],
  ['rooms', 'openings', 'visits'],
  ['studios', 'sessions', 'rentals'],
] as const
const STEMS = ['fare', 'fee', 'charge', 'deposit']
const STATES = ['settled', 'waived', 'pending']
/** What the amounts of rows are called, and how many of them a unit of the currency is; with no currency, none can be said. */
const OWN = [
  ['_cents', 100, 'euros'],
  ['_pence', 100, 'pounds'],
  ['_eur', 1, 'euros'],
  ['_usd', 1, 'dollars'],
  ['', 1, undefined],
  ['_amount', 1, undefined],
] as const
const PARENT = ['base_', 'standard_', 'list_', 'hourly_']

/** Rows that have an amount of their own, or none, and whose parents or grandparents have one that is called almost alike. */
function makeWorld(random: Random) {
  const [grand, middle, rows] = random.pick(FAMILIES)
  const stem = random.pick(STEMS)
  const isGrand = random.chance(0.6)
  const hasOwn = random.chance(0.75)
  const [suffix, scale, currency] = random.pick(OWN)
  const own = `${stem}${suffix}`
  const parents = `${random.pick(PARENT)}${stem}${random.pick(['', '_eur', '_cents'])}`
  const key = (table: string): string => `${table.slice(0, -1)}_id`
  const db = new Database(':memory:')
  const between = isGrand ? `${key(grand)} INTEGER REFERENCES ${grand}(${key(grand)})` : `${parents} INTEGER`
  db.exec(`
    CREATE TABLE ${grand} (${key(grand)} INTEGER PRIMARY KEY, name TEXT NOT NULL${isGrand ? `, ${parents} INTEGER` : ''});
    CREATE TABLE ${middle} (${key(middle)} INTEGER PRIMARY KEY, name TEXT NOT NULL, ${between});
    CREATE TABLE ${rows} (${key(rows)} INTEGER PRIMARY KEY, ${key(middle)} INTEGER REFERENCES ${middle}(${key(middle)}),
      status TEXT NOT NULL${hasOwn ? `, ${own} INTEGER NOT NULL` : ''});`)
  const insert = (table: string, values: readonly (string | number)[]): void => {
    db.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run([...values])
  }
  for (let i = 1; i <= 3; i++) insert(grand, [i, `G${i}`, ...(isGrand ? [random.int(20, 90)] : [])])
  for (let i = 1; i <= 6; i++) insert(middle, [i, `M${i}`, isGrand ? random.int(1, 3) : random.int(20, 90)])
  for (let i = 1; i <= 25; i++)
    insert(rows, [i, random.int(1, 6), random.pick(STATES), ...(hasOwn ? [random.int(5, 99) * scale] : [])])
  return { db, rows, middle, key: key(middle), stem, own, hasOwn, scale, currency }
}

/** Questions with the query that is right; without one there is no answer, and the question is to be declined. */
function questionsOf(w: ReturnType<typeof makeWorld>): readonly (readonly [question: string, sql?: string])[] {
  const { rows, middle, key, stem, own, currency, scale } = w
  const of = (figure: string, where = ''): string => `SELECT ${figure}(${own}) FROM ${rows} ${where}`
  const asked: (readonly [string, string])[] = [
    [`What is the total ${stem} of settled ${rows}?`, of('SUM', "WHERE status = 'settled'")],
    [`total ${stem} of ${rows}`, of('SUM')],
    [`What is the average ${stem} of ${rows}?`, of('AVG')],
    [`average ${stem} of waived ${rows}`, of('AVG', "WHERE status = 'waived'")],
    [
      `total ${stem} of ${rows} per ${middle.slice(0, -1)}`,
      `SELECT name, SUM(${own}) FROM ${rows} JOIN ${middle} USING (${key}) GROUP BY ${key}`,
    ],
  ]
  const compared: (readonly [string, string])[] = [
    [`How many ${rows} have a ${stem} over 50 ${currency}?`, of('COUNT', `WHERE ${own} > ${50 * scale}`)],
    [
      `How many ${rows} have a ${stem} between 20 and 60 ${currency}?`,
      of('COUNT', `WHERE ${own} BETWEEN ${20 * scale} AND ${60 * scale}`),
    ],
  ]
  const other = currency === 'dollars' ? 'euros' : 'dollars'
  if (!w.hasOwn) return asked.map(([question]) => [question])
  if (currency === undefined) return asked
  const strange = scale === 100 && currency === 'euros' ? 'pounds' : other
  return [
    ...asked,
    ...compared,
    [`How many ${rows} have a ${stem} over 50 ${strange}?`],
    ...(scale === 100 ? ([[`How many ${rows} have a ${stem} over 50?`]] as const) : []),
  ]
}

describe('amounts of rows whose parents have some that are called alike', () => {
  it('are those of the rows themselves, in their own unit, or the question is declined', async () => {
    const random = createRandom(SEED)
    const wrong: string[] = []
    const declined: string[] = []
    let asked = 0
    for (let n = 0; n < WORLDS; n++) {
      const world = makeWorld(random)
      const schema = readSchema(world.db, 'world')
      for (const [question, sql] of questionsOf(world)) {
        asked++
        const linked = await linkQuestion(question, schema, { lookup: lookupIn(world.db), today: '2026-06-01' })
        const said = `${question} (${world.own}): ${linked.kind === 'query' ? linked.sql : ''}`
        if (linked.kind !== 'query') {
          if (sql !== undefined) declined.push(`${said}${linked.kind === 'refusal' ? linked.reason : ''}`)
          continue
        }
        const expected = sql === undefined ? undefined : rowsOf(world.db, sql).map(String).sort()
        if (JSON.stringify(rowsOf(world.db, linked.sql).map(String).sort()) !== JSON.stringify(expected))
          wrong.push(said)
        const isSmall = world.scale === 100 && world.hasOwn && !linked.sql.startsWith('SELECT COUNT')
        if (isSmall && !/^(?:cent|penny)$/.test(linked.columns.at(-1)?.unit ?? '')) wrong.push(`${said} in no unit`)
      }
      world.db.close()
    }
    expect(wrong).toEqual([])
    expect(declined.length / asked, declined.join('\n')).toBeLessThan(0.05)
  })
})
