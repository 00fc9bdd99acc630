import Database from 'libsql'
import { describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../../src/demo/random.ts'
import { linkQuestion } from '../../src/question-to-sql/index.ts'
import { lookupIn, readSchema, rowsOf } from '../../src/terms/sqlite.fixture.ts'
import { testSeed } from '../support/seed.ts'

const SEED = testSeed(20_261_126)
const WORLDS = 40

const THINGS = ['branches', 'sailings', 'clubs', 'boats', 'mills', 'accounts', 'entries']
/** Columns of text that hold days or moments, whatever they are called, and the verb by which people ask for them. */
const DAYS = [
  ['opened', 'opened'],
  ['joined', 'joined'],
  ['inspected_on', 'inspected'],
  ['departs_at', 'departed'],
  ['closing', 'closed'],
] as const
const YEARS = [
  ['built_year', 'built'],
  ['founded', 'founded'],
  ['published_year', 'published'],
  ['birth_year', 'born'],
] as const

function makeWorld(random: Random) {
  const things = random.pick(THINGS)
  const [day, said] = random.pick(DAYS)
  const [year, made] = random.pick(YEARS)
  const clock = random.pick(['', ' 07:45', 'T19:30:00'])
  const db = new Database(':memory:')
  db.exec(
    `CREATE TABLE ${things} (id INTEGER PRIMARY KEY, name TEXT NOT NULL, ${day} TEXT, rings_at TEXT, ${year} INTEGER)`,
  )
  for (let i = 1; i <= 20; i++)
    db.prepare(`INSERT INTO ${things} VALUES (?, ?, ?, ?, ?)`).run([
      i,
      `N${i}`,
      random.chance(0.1) ? null : `${random.int(2023, 2026)}-0${random.int(1, 9)}-${random.int(10, 28)}${clock}`,
      `0${random.int(1, 9)}:15`,
      random.int(1950, 2020),
    ])
  return { db, things, day, said, year, made }
}

function questionsOf({
  things,
  day,
  said,
  year,
  made,
}: ReturnType<typeof makeWorld>): readonly (readonly [string, string])[] {
  const count = (where: string): string => `SELECT COUNT(*) FROM ${things} WHERE ${where}`
  return [
    [`How many ${things} ${said} in 2025?`, count(`${day} LIKE '2025-%'`)],
    [`How many ${things} were ${said} in March 2024?`, count(`${day} LIKE '2024-03-%'`)],
    [`How many ${things} ${said} after 2024?`, count(`${day} >= '2025'`)],
    [`How many ${things} ${said} before 2025?`, count(`${day} < '2025'`)],
    [`How many ${things} were ${made} before 1990?`, count(`${year} < 1990`)],
    [`How many ${things} were ${made} after 1990?`, count(`${year} > 1990`)],
    [`How many ${things} were ${made} between 1970 and 1990?`, count(`${year} BETWEEN 1970 AND 1990`)],
    [`Which ${things} were ${made} since 2000?`, `SELECT name FROM ${things} WHERE ${year} >= 2000`],
  ]
}

describe('days that are kept as texts, and years that are kept as numbers', () => {
  it('are asked for as dates are, or the question is declined', async () => {
    const random = createRandom(SEED)
    const wrong: string[] = []
    const declined: string[] = []
    let asked = 0
    for (let n = 0; n < WORLDS; n++) {
      const world = makeWorld(random)
      const schema = readSchema(world.db, 'world')
      for (const [question, sql] of questionsOf(world)) {
        asked++
        const linked = await linkQuestion(question, schema, { lookup: lookupIn(world.db), today: '2026-10-01' })
        const said = `${question} (${world.day}, ${world.year}): ${linked.kind === 'query' ? linked.sql : ''}`
        const told = (query: string): readonly string[] =>
          rowsOf(world.db, query)
            .map(([first]) => String(first))
            .sort()
        if (linked.kind === 'query') {
          if (String(told(linked.sql)) !== String(told(sql))) wrong.push(`${said} is not ${told(sql)}`)
        } else declined.push(`${said}${linked.kind === 'refusal' ? linked.reason : ''}`)
      }
      world.db.close()
    }
    expect(wrong).toEqual([])
    expect(declined.length / asked, declined.join('\n')).toBeLessThan(0.1)
  })
})
