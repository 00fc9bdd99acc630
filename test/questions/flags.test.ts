import Database from 'libsql'
import { describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../../src/demo/random.ts'
import { linkQuestion } from '../../src/question-to-sql/index.ts'
import { lookupIn, readSchema, rowsOf } from '../../src/terms/sqlite.fixture.ts'
import { testSeed } from '../support/seed.ts'

const SEED = testSeed()
const WORLDS = 60

const THINGS = ['vet', 'room', 'machine', 'member', 'parcel', 'boat']
const FLAGS = [
  'on_leave',
  'certified',
  'in_stock',
  'archived',
  'remote',
  'heated',
  'out_of_service',
  'insured',
  'booked',
]
/** How truth is kept: the type of the column, and what stands for yes and for no. */
const KEPT = [
  ['INTEGER', 1, 0],
  ['BOOLEAN', 1, 0],
  ['NUMERIC(1)', 1, 0],
  ['TEXT', 'Y', 'N'],
  ['VARCHAR(3)', 'yes', 'no'],
  ['TEXT', 'true', 'false'],
  ['CHAR(1)', 'T', 'F'],
  ['TEXT', '1', '0'],
] as const
const TOWNS = ['Ulm', 'Kiel', 'Bonn']

interface Row {
  readonly name: string
  readonly town: string
  readonly weight: number
  /** Absent where nobody said. */
  readonly flag?: boolean
}

interface Asked {
  readonly question: string
  /** The rows of the answer, each of which the query's rows must hold, in any order. */
  readonly expected: readonly (readonly (string | number)[])[]
}

/** A table with a flag among columns that are none, in a random habit of naming and keeping. */
function makeWorld(random: Random) {
  const thing = random.pick(THINGS)
  const flag = random.pick(FLAGS)
  const [type, yes, no] = random.pick(KEPT)
  const column = `${/_/.test(flag) || random.chance(0.5) ? '' : 'is_'}${flag}`
  const hasUnknown = random.chance(0.3)
  // Of a column that holds one value alone, the other is known by how it is written.
  const onlyOne = random.chance(0.15) ? random.chance(0.5) : undefined
  const rows = Array.from({ length: random.int(4, 9) }, (_, i): Row => {
    const value = onlyOne ?? random.chance(0.5)
    const row = { name: `${thing}-${String.fromCharCode(65 + i)}`, town: random.pick(TOWNS), weight: random.int(2, 9) }
    return hasUnknown && i === 0 ? row : { ...row, flag: value }
  })
  const db = new Database(':memory:')
  db.exec(
    `CREATE TABLE ${thing}s (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT NOT NULL, weight_kg INTEGER, ${column} ${type})`,
  )
  db.exec(
    `CREATE TABLE orders (id INTEGER PRIMARY KEY, ${thing}_id INTEGER REFERENCES ${thing}s(id), urgent INTEGER, pieces INTEGER)`,
  )
  rows.forEach((row, i) => {
    const kept = row.flag === undefined ? null : row.flag ? yes : no
    db.prepare(`INSERT INTO ${thing}s VALUES (?, ?, ?, ?, ?)`).run([i + 1, row.name, row.town, row.weight, kept])
    db.prepare('INSERT INTO orders VALUES (?, ?, ?, ?)').run([i + 1, i + 1, i % 2, i % 3])
  })
  return { db, nouns: `${thing}s`, said: flag.replaceAll('_', ' '), column, type, rows }
}

function questionsOf({ nouns, said, rows }: ReturnType<typeof makeWorld>): readonly Asked[] {
  const [on, off] = [true, false].map((value) => rows.filter(({ flag }) => flag === value)) as [Row[], Row[]]
  const names = (some: readonly Row[]) => some.map(({ name }) => [name])
  const inTown = (some: readonly Row[], town: string) => some.filter((row) => row.town === town)
  const isOneWord = !said.includes(' ')
  const byTown = TOWNS.flatMap((town) => (inTown(on, town).length > 0 ? [[town, inTown(on, town).length]] : []))
  const average = on.length === 0 ? [] : [[on.reduce((sum, { weight }) => sum + weight, 0) / on.length]]
  return [
    { question: `Which ${nouns} are ${said}?`, expected: names(on) },
    { question: `Which ${nouns} are not ${said}?`, expected: names(off) },
    { question: `Which ${nouns} aren't ${said}?`, expected: names(off) },
    { question: `List ${nouns} that are ${said}`, expected: names(on) },
    { question: `How many ${nouns} are ${said}?`, expected: [[on.length]] },
    { question: `How many ${nouns} are currently not ${said}?`, expected: [[off.length]] },
    { question: `How many ${nouns} in Ulm are ${said}?`, expected: [[inTown(on, 'Ulm').length]] },
    { question: `How many ${nouns} in Kiel are not ${said}?`, expected: [[inTown(off, 'Kiel').length]] },
    { question: `${nouns} ${said}`, expected: names(on) },
    { question: `Which ${nouns} work ${said}?`, expected: names(on) },
    ...(isOneWord
      ? [
          { question: `Which ${said} ${nouns} are in Ulm?`, expected: names(inTown(on, 'Ulm')) },
          { question: `How many ${said} ${nouns} are there?`, expected: [[on.length]] },
          { question: `How many un${said} ${nouns} are there?`, expected: [[off.length]] },
          { question: `number of ${said} ${nouns} by town`, expected: byTown },
          { question: `average weight of ${said} ${nouns}`, expected: average },
        ]
      : []),
  ]
}

describe('a column that says yes or no', () => {
  it(
    'is in the answer as the question says it, in whatever way truth is kept, or the question is declined',
    { timeout: 300_000 },
    async () => {
      const random = createRandom(SEED)
      const wrong: string[] = []
      const declined: string[] = []
      let asked = 0
      for (let n = 0; n < WORLDS; n++) {
        const world = makeWorld(random)
        const schema = readSchema(world.db, 'world')
        for (const { question, expected } of questionsOf(world)) {
          asked++
          const linked = await linkQuestion(question, schema, { lookup: lookupIn(world.db), today: '2026-06-01' })
          if (linked.kind !== 'query') {
            declined.push(`${question} (${world.column} ${world.type})`)
            continue
          }
          const actual = rowsOf(world.db, linked.sql).filter((row) => row.some((cell) => cell !== null))
          const isIn = (row: Asked['expected'][number]): boolean =>
            actual.some((own) =>
              row.every((cell) => own.some((o) => o === cell || Math.abs(Number(o) - Number(cell)) < 1e-3)),
            )
          if (actual.length !== expected.length || !expected.every(isIn))
            wrong.push(
              `${question} (${world.column} ${world.type}): ${JSON.stringify(actual)} for ${JSON.stringify(expected)}`,
            )
        }
        world.db.close()
      }
      expect(wrong).toEqual([])
      expect(declined.length / asked, declined.join('\n')).toBeLessThan(0.1)
    },
  )
})
