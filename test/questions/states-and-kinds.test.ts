import Database from 'libsql'
import { describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../../src/demo/random.ts'
import { linkQuestion } from '../../src/question-to-sql/index.ts'
import { lookupIn, readSchema, rowsOf } from '../../src/terms/sqlite.fixture.ts'
import { testSeed } from '../support/seed.ts'

const SEED = testSeed(20_261_125)
const WORLDS = 40

/** Verbs that are a state and part of a date's name, with what else the rows may be. */
const STATES = [
  ['held', 'planned', 'dropped'],
  ['taken', 'missed', 'moved'],
  ['paid', 'open', 'waived'],
  ['returned', 'lost', 'reserved'],
  ['received', 'announced', 'refused'],
  ['registered', 'invited', 'declined'],
] as const
const ROWS = ['lessons', 'exams', 'fines', 'loans', 'parcels', 'entries']
const KINDS = [
  ['adult', 'child', 'senior'],
  ['member', 'guest', 'trainee'],
  ['dog', 'cat', 'rabbit'],
] as const
const PLURALS: Readonly<Record<string, string>> = { child: 'children' }

type Asked = readonly [question: string, where: string, mustSay?: RegExp]

function makeWorld(random: Random) {
  const [state, ...others] = random.pick(STATES)
  const kinds = random.pick(KINDS)
  const rows = random.pick(ROWS)
  const date = `${state}_${random.pick(['on', 'at', 'date'])}`
  const db = new Database(':memory:')
  db.exec(`CREATE TABLE ${rows} (id INTEGER PRIMARY KEY, ${date} DATE, status TEXT NOT NULL, kind TEXT NOT NULL)`)
  for (let i = 1; i <= 30; i++)
    db.prepare(`INSERT INTO ${rows} VALUES (?, ?, ?, ?)`).run([
      i,
      random.chance(0.9) ? `${random.int(2025, 2026)}-0${random.int(1, 9)}-11` : null,
      random.pick([state, ...others]),
      random.pick(kinds),
    ])
  return { db, rows, state, date, kinds }
}

function questionsOf({ rows, state, date, kinds: [first, second, third] }: ReturnType<typeof makeWorld>) {
  const many = (kind: string): string => PLURALS[kind] ?? `${kind}s`
  const [is, isSecond] = [`status = '${state}'`, `kind = '${second}'`]
  return [
    [`How many ${rows} were ${state}?`, is],
    [`How many ${state} ${rows} are there?`, is],
    [`How many ${rows} were not ${state}?`, `NOT ${is}`],
    [`Number of ${state} ${rows}`, is],
    // Either may be meant, so that the reading must be said.
    [
      `How many ${rows} were ${state} in 2026?`,
      `${date} >= '2026-01-01' AND ${date} < '2027-01-01'`,
      /goes by the date/,
    ],
    [`How many ${rows} are there, ${many(second)} included?`, '1 = 1', /counts with all/],
    [`How many ${rows} are there including ${many(second)}?`, '1 = 1', /counts with all/],
    [`How many ${rows} are there as well as ${many(second)}?`, '1 = 1', /counts with all/],
    [`How many ${rows} are there, ${many(second)} excluded?`, `NOT ${isSecond}`],
    [`How many ${rows} are there, not counting ${many(second)}?`, `NOT ${isSecond}`],
    [`How many ${rows} are there, ${many(second)} and ${many(third)} left out?`, `kind = '${first}'`],
    [`How many ${state} ${rows} are there, ${many(second)} excluded?`, `${is} AND NOT ${isSecond}`],
    [`How many ${state} ${rows} are there, ${many(second)} included?`, is, /counts with all/],
  ] satisfies readonly Asked[]
}

describe('states that dates are named by, and kinds that are put in or left out', () => {
  it('are counted as they are stored, and as they are said, or the question is declined', async () => {
    const random = createRandom(SEED)
    const wrong: string[] = []
    const declined: string[] = []
    let asked = 0
    for (let n = 0; n < WORLDS; n++) {
      const world = makeWorld(random)
      const schema = readSchema(world.db, 'world')
      for (const [question, where, mustSay] of questionsOf(world) as readonly Asked[]) {
        asked++
        const linked = await linkQuestion(question, schema, { lookup: lookupIn(world.db), today: '2026-10-01' })
        const said = `${question} (${world.date}): ${linked.kind === 'query' ? linked.sql : ''}`
        if (linked.kind !== 'query') {
          declined.push(`${said}${linked.kind === 'refusal' ? linked.reason : ''}`)
          continue
        }
        const expected = rowsOf(world.db, `SELECT COUNT(*) FROM ${world.rows} WHERE ${where}`)
        if (String(rowsOf(world.db, linked.sql)) !== String(expected)) wrong.push(`${said} is not ${expected}`)
        if (mustSay?.test(linked.assumptions.join('; ')) === false) wrong.push(`${said} does not say ${mustSay}`)
      }
      world.db.close()
    }
    expect(wrong).toEqual([])
    expect(declined.length / asked, declined.join('\n')).toBeLessThan(0.1)
  })
})
