import Database from 'libsql'
import { Client } from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../../test/support/postgres.ts'
import { createGate } from '../databases/gate/index.ts'
import type { Dialect } from '../databases/schema.ts'
import { createRandom } from '../demo/random.ts'
import { linkQuestion } from './index.ts'
import { lookupIn, readSchema } from './sqlite.fixture.ts'

// Medians, changes between two times and ratios beside a second implementation that adds up the rows in plain TypeScript. The rows
// are drawn from a seed: NULLs, times without rows, groups of one, odd and even numbers of rows.

const TODAY = '2025-06-30'
const gate = createGate()
afterAll(() => gate.close())

interface Sale {
  readonly id: number
  readonly client: number
  readonly city: string
  readonly day: string
  readonly weight: number | null
}

interface World {
  readonly clients: readonly { readonly id: number; readonly name: string; readonly city: string }[]
  readonly sales: readonly Sale[]
}

const CITIES = ['Cork', 'Delft', 'Exeter']

function worldOf(seed: number): World {
  const random = createRandom(seed)
  const clients = Array.from({ length: random.int(1, 7) }, (_, i) => ({
    id: i + 1,
    name: `Client ${i + 1}`,
    city: random.pick(CITIES),
  }))
  const years = random.pick([['2023', '2024', '2025'], ['2023'], ['2024', '2025']])
  const sales = Array.from({ length: random.int(0, 14) }, (_, i) => {
    const client = random.pick(clients)
    const day = `${random.pick(years)}-0${random.int(1, 6)}-1${random.int(0, 9)}`
    const weight = random.int(0, 3) === 0 ? null : random.int(1, 400)
    return { id: i + 1, client: client.id, city: client.city, day, weight }
  })
  return { clients, sales }
}

/** SQL that makes a world, alike in SQLite and PostgreSQL. */
function scriptOf({ clients, sales }: World): string {
  return [
    'CREATE TABLE clients (client_id integer PRIMARY KEY, name text NOT NULL, city text NOT NULL);',
    'CREATE TABLE parcels (parcel_id integer PRIMARY KEY, client_id integer NOT NULL REFERENCES clients (client_id), posted_on date NOT NULL, weight integer);',
    ...clients.map((c) => `INSERT INTO clients VALUES (${c.id}, '${c.name}', '${c.city}');`),
    ...sales.map((s) => `INSERT INTO parcels VALUES (${s.id}, ${s.client}, '${s.day}', ${s.weight ?? 'NULL'});`),
  ].join('\n')
}

type Cell = number | string | null

const inYear = ({ sales }: World, year: string): readonly Sale[] => sales.filter(({ day }) => day.startsWith(year))
const weights = (sales: readonly Sale[]): number[] => sales.flatMap(({ weight }) => weight ?? [])
const sumOf = (numbers: readonly number[]): number | null =>
  numbers.length === 0 ? null : numbers.reduce((all, one) => all + one, 0)
const round = (number: number): number => Math.round(number * 100) / 100

function medianOf(numbers: readonly number[]): number | null {
  const sorted = [...numbers].sort((a, b) => a - b)
  if (sorted.length === 0) return null
  const [low = 0, high = 0] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return (low + high) / 2
}

function change(before: number | null, after: number | null): readonly Cell[][] {
  if (before === null || after === null) return [[before, after, null, null]]
  return [[before, after, after - before, before > 0 ? round((100 * (after - before)) / before) : null]]
}

function ratio(one: number, other: number): readonly Cell[][] {
  return [[one, other, ...(other === 0 ? [null, null] : [round(one / other), round((100 * one) / other)])]]
}

function perCity(world: World): readonly Cell[][] {
  const cities = CITIES.filter((city) => world.sales.some((s) => s.city === city))
  const known = cities.map((city): Cell[] => [city, medianOf(weights(world.sales.filter((s) => s.city === city)))])
  return known.filter(([, median]) => median !== null)
}

const counts = ({ clients, sales }: World): number[] =>
  clients.map(({ id }) => sales.filter(({ client }) => client === id).length).filter((count) => count > 0)

const average = (numbers: readonly number[]): number | null =>
  numbers.length === 0 ? null : (sumOf(numbers) ?? 0) / numbers.length

const QUESTIONS: readonly (readonly [string, (world: World) => readonly (readonly Cell[])[]])[] = [
  ['What is the median weight of parcels?', (w) => [[medianOf(weights(w.sales))]]],
  ['median weight of parcels in 2024', (w) => [[medianOf(weights(inYear(w, '2024')))]]],
  ['median weight of parcels by city', perCity],
  ['What is the median number of parcels per client?', (w) => [[medianOf(counts(w))]]],
  ['parcels 2023 vs 2024', (w) => change(inYear(w, '2023').length, inYear(w, '2024').length)],
  [
    'How many more parcels were there in 2024 than in 2023?',
    (w) => change(inYear(w, '2023').length, inYear(w, '2024').length),
  ],
  [
    'How much did the total weight of parcels grow from 2023 to 2024?',
    (w) => change(sumOf(weights(inYear(w, '2023'))), sumOf(weights(inYear(w, '2024')))),
  ],
  [
    'What is the change in the average weight of parcels between 2023 and 2024?',
    (w) => change(average(weights(inYear(w, '2023'))), average(weights(inYear(w, '2024')))).map(rounded),
  ],
  [
    'median weight of parcels in 2024 compared to 2023',
    (w) => change(medianOf(weights(inYear(w, '2023'))), medianOf(weights(inYear(w, '2024')))),
  ],
  ['What is the ratio of parcels to clients?', (w) => ratio(w.sales.length, w.clients.length)],
  ['ratio of parcels in 2024 to parcels in 2023', (w) => ratio(inYear(w, '2024').length, inYear(w, '2023').length)],
]

/** Of which of the two a condition holds, or that a list is wanted: nothing that a figure may be made of. */
const WHOLES = ['parcels', 'clients']
const CONDITIONS = ['in 2024', 'in Cork', 'from Cork', 'with parcels in 2024']
const LISTED = ['Show', 'List', 'Give me', 'Please find', 'Can you tell me', 'What', 'Which']
const UNCLEAR: readonly string[] = [
  ...WHOLES.flatMap((one) =>
    CONDITIONS.flatMap((condition) => [
      `ratio of ${one} to parcels ${condition}`,
      `What is the ratio between ${one} and clients ${condition}?`,
      ...CONDITIONS.filter(
        (c) => c.startsWith('in 2') !== condition.startsWith('in 2') && !/with/.test(c + condition),
      ).map((other) => `ratio of ${one} ${other} to parcels ${condition}`),
    ]),
  ),
  ...LISTED.flatMap((verb) => [`${verb} parcels 2023 vs 2024`, `${verb} all parcels in 2024 compared to 2023`]),
  'Clients with weight growth from 2023 to 2024',
  'Clients having parcels 2023 vs 2024',
]

const rounded = (row: readonly Cell[]): Cell[] => row.map((cell) => (typeof cell === 'number' ? round(cell) : cell))

/** Numbers of PostgreSQL arrive as texts; a half cent may be rounded either way. */
function agree(found: readonly (readonly Cell[])[], expected: readonly (readonly Cell[])[]): boolean {
  const isSame = (a: Cell | undefined, b: Cell | undefined): boolean =>
    a === null || b === null || Number.isNaN(Number(b)) ? a === b : Math.abs(Number(a) - Number(b)) < 0.0101
  const byName = (rows: readonly (readonly Cell[])[]) =>
    [...rows].sort((a, b) => String(a[0]).localeCompare(String(b[0])))
  const [left, right] = expected.length > 1 ? [byName(found), byName(expected)] : [found, expected]
  return (
    left.length === right.length &&
    left.every((row, i) => row.length === right[i]?.length && row.every((cell, j) => isSame(cell, right[i]?.[j])))
  )
}

/** The query of each question, which the rows have no say in; all of them pass the gate. */
async function queriesIn(dialect: Dialect): Promise<ReadonlyMap<string, string>> {
  const db = databaseOf(worldOf(1))
  const schema = { ...readSchema(db, 'post'), dialect }
  const queries = new Map<string, string>()
  for (const [question] of QUESTIONS) {
    const linked = await linkQuestion(question, schema, { lookup: lookupIn(db), today: TODAY })
    if (linked.kind !== 'query') throw new Error(`${question}: ${JSON.stringify(linked)}`)
    expect(await gate.check(linked.sql, schema), `${dialect}: ${question}`).toMatchObject({ allowed: true })
    queries.set(question, linked.sql)
  }
  db.close()
  return queries
}

function databaseOf(world: World): Database.Database {
  const db = new Database(':memory:')
  db.exec(scriptOf(world))
  return db
}

describe('medians, changes and ratios of random rows', () => {
  it('are not made where it is unclear of what', async () => {
    const db = databaseOf(worldOf(1))
    const answered: string[] = []
    for (const question of UNCLEAR) {
      const linked = await linkQuestion(question, readSchema(db, 'post'), { lookup: lookupIn(db), today: TODAY })
      if (linked.kind !== 'refusal') answered.push(question)
    }
    db.close()
    expect(answered).toEqual([])
  })

  it('pass the gate in MySQL', async () => {
    expect((await queriesIn('mysql')).size).toBe(QUESTIONS.length)
  })

  it('are those of plain arithmetic in SQLite', { timeout: 120_000 }, async () => {
    const queries = await queriesIn('sqlite')
    const wrong: unknown[] = []
    for (let seed = 1; seed <= 300; seed++) {
      const world = worldOf(seed)
      const db = databaseOf(world)
      for (const [question, expected] of QUESTIONS) {
        const sql = queries.get(question) ?? ''
        const found = db.prepare(sql).raw(true).all([]) as Cell[][]
        if (!agree(found, expected(world))) wrong.push({ seed, question, found, expected: expected(world) })
      }
      db.close()
    }
    expect(wrong).toEqual([])
  })

  const adminUrl = inject('postgresUrl')
  it.skipIf(adminUrl === '')('are the same in PostgreSQL', { timeout: 120_000 }, async () => {
    const client = new Client({ connectionString: await createTestDatabase(adminUrl) })
    await client.connect()
    const queries = await queriesIn('postgres')
    const wrong: unknown[] = []
    for (let seed = 1; seed <= 60; seed++) {
      const world = worldOf(seed)
      await client.query(`DROP TABLE IF EXISTS parcels, clients; ${scriptOf(world)}`)
      for (const [question, expected] of QUESTIONS) {
        const sql = queries.get(question) ?? ''
        const { rows: found } = await client.query<Cell[]>({ text: sql, rowMode: 'array' })
        if (!agree(found, expected(world))) wrong.push({ seed, question, found, expected: expected(world) })
      }
    }
    await client.end()
    expect(wrong).toEqual([])
  })
})
