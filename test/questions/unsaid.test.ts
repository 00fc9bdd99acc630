import Database from 'libsql'
import { describe, expect, it } from 'vitest'
import { sample } from '../support/length.ts'
import { createGate } from '../../src/databases/gate/index.ts'
import { unsaidIn } from '../../src/agents/sql/held/unsaid.ts'
import { lookupIn, readSchema } from '../../src/terms/sqlite.fixture.ts'
import { DOMAINS, STYLES } from './naming.ts'
import { questionsOf, type Asked } from './questions.ts'
import { CHANNELS, dice, PLACES, world, type World } from './world.ts'

/** A comparison with a value of the data, a number, or the days of a year. */
const CONDITION =
  /\S+ >= '(?<year>\d{4})-01-01' AND \S+ < '\d{4}-01-01'|\S+ (?:=|<>) '(?<text>[^']+)'|(?<= (?:WHERE|HAVING|AND) )\S+ > (?<number>\d+)|(?<= (?:WHERE|AND) )\S+ = [01]\b/g

/** The query without one of its conditions, or with that of another value. */
function damaged({ question, sql }: Required<Asked>, seed: number): string | undefined {
  const d = dice(seed)
  // That cancelled sales do not count need not be said.
  const isSaid = (condition: string): boolean => !condition.includes("'cancelled'") || question.includes('cancelled')
  const conditions = [...sql.matchAll(CONDITION)].filter(([condition]) => isSaid(condition))
  if (conditions.length === 0) return undefined
  const { 0: whole, groups } = d.pick(conditions)
  const { year, text, number } = groups!
  const put = (condition: string): string => sql.replaceAll(whole, condition)
  const isFlag = (year ?? text ?? number) === undefined || /^[YN01]$/.test(text ?? '')
  if (isFlag || d.chance(0.5)) return put('NULL IS NULL')
  if (year !== undefined) return put(whole.replaceAll(/\d{4}(?=-)/g, (one) => String(Number(one) - 1)))
  if (number !== undefined) return put(whole.replace(number, String(Number(number) + 7)))
  return put(whole.replace(text!, d.pick([...PLACES, ...CHANNELS].filter((other) => other !== text))))
}

const TURNS: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/(?<= )<> (?=')/, () => '= '],
  [/(?<=[a-z"`\]] )= (?='\p{L}{2})/u, () => '<> '],
  [
    /(?<=[a-z"`\]] = )(?:[01]\b|'[01YN]')/,
    (v) => ({ 1: '0', 0: '1', "'1'": "'0'", "'0'": "'1'", "'Y'": "'N'", "'N'": "'Y'" })[v]!,
  ],
  [/ > (?=\d)/, () => ' < '],
  [/MAX(?=\((?!n\)))/, () => 'MIN'],
  [/(?<=WHERE \S+ = )'\p{L}{3,}'(?!.* WHERE )/u, (v) => `${v} OR 1=1`],
  [/= ('Peru'|'Norway'|'Kenya')/, (v) => v.replace(/= (.*)/, "IN ($1, 'Japan')")],
]

/** The query with one of its conditions turned round, made void, or widened. */
function turned({ question, sql }: Required<Asked>, seed: number): string | undefined {
  const d = dice(seed)
  const fit = TURNS.filter(
    ([what]) => what.test(sql) && (question.includes('cancelled') || !sql.includes("'cancelled'")),
  )
  if (fit.length === 0) return undefined
  const [what, by] = d.pick(fit)
  return sql.replaceAll(new RegExp(what, `g${what.flags}`), by)
}

interface Held {
  readonly name: string
  readonly question: string
  readonly sql: string
  readonly unsaid: string
}

async function hold(seeds: readonly number[], make: (asked: Required<Asked>, seed: number) => string | undefined) {
  const held: Held[] = []
  for (const seed of seeds) {
    const w: World = world(seed)
    const db = new Database(':memory:')
    for (const statement of w.script) db.exec(statement)
    const schema = readSchema(db, 'world')
    for (const [i, asked] of questionsOf(w).entries()) {
      const sql = asked.sql === undefined ? undefined : make({ ...asked, sql: asked.sql }, seed * 1000 + i)
      if (sql === undefined) continue
      const verdict = await gate.check(sql, schema)
      const { missing, assumed } = await unsaidIn(asked.question, sql, schema, {
        lookup: lookupIn(db),
        today: '2026-01-15',
        effects: verdict.allowed ? verdict.effects : undefined,
      })
      const name = `${seed} ${w.domain.party}/${w.style.name}`
      held.push({ name, question: asked.question, sql, unsaid: [...missing, ...assumed].join(', ') })
    }
    db.close()
  }
  return held
}

const gate = createGate()

const SEEDS = sample(
  Array.from({ length: DOMAINS.length * STYLES.length }, (_, i) => i),
  6,
)

describe('a query held against its question, over random databases', () => {
  it('lacks nothing where it is right', { timeout: 300_000 }, async () => {
    const held = await hold(SEEDS, ({ sql }) => sql)
    expect(held.length).toBeGreaterThan(10 * SEEDS.length)
    expect(held.filter(({ unsaid }) => unsaid !== '')).toEqual([])
  })

  it('is never passed over without one of its conditions, or with another value', { timeout: 300_000 }, async () => {
    const held = await hold(SEEDS, damaged)
    expect(held.length).toBeGreaterThan(7 * SEEDS.length)
    expect(held.filter(({ unsaid }) => unsaid === '')).toEqual([])
  })

  it('is never passed over with a condition turned round, made void or widened', { timeout: 300_000 }, async () => {
    const held = await hold(SEEDS, turned)
    expect(held.length).toBeGreaterThan(3 * SEEDS.length)
    expect(held.filter(({ unsaid }) => unsaid === '')).toEqual([])
  })
})
