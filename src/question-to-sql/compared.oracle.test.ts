import Database from 'libsql'
import { Client } from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../../test/support/postgres.ts'
import { createGate } from '../databases/gate/index.ts'
import type { Dialect } from '../databases/schema.ts'
import { createRandom } from '../demo/random.ts'
import { linkQuestion } from './index.ts'
import { lookupIn, readSchema } from '../terms/sqlite.fixture.ts'

// Medians, changes between two times, ratios and days between two dates beside a second implementation that adds up the rows in plain TypeScript. The rows
// are drawn from a seed: NULLs, times without rows, groups of one, odd and even numbers of rows.

const TODAY = '2025-06-30'
const gate = createGate()

interface Sale {
  readonly id: number
  readonly client: number
  readonly city: string
  readonly day: string
  readonly weight: number | null
}

interface Arrival {
  readonly sale: Sale
  readonly day: string | null
}

interface World {
  readonly clients: readonly { readonly id: number; readonly name: string; readonly city: string }[]
  readonly sales: readonly Sale[]
  /** A parcel may come in parts, and before it was posted by what was written down. */
  readonly arrivals: readonly Arrival[]
}

const DAY = 24 * 60 * 60 * 1000
const CITIES = ['Cork', 'Delft', 'Exeter']

function worldOf(seed: number): World {
  const random = createRandom(seed)
  const clients = Array.from({ length: random.int(1, 7) }, (_, i) => ({
    id: i + 1,
    // Some are called the same.
    name: `Client ${i % 5}`,
    city: random.pick(CITIES),
  }))
  const years = random.pick([['2023', '2024', '2025'], ['2023'], ['2024', '2025']])
  const sales = Array.from({ length: random.int(0, 14) }, (_, i) => {
    const client = random.pick(clients)
    const day = `${random.pick(years)}-0${random.int(1, 6)}-1${random.int(0, 9)}`
    const weight = random.int(0, 3) === 0 ? null : random.int(1, 400)
    return { id: i + 1, client: client.id, city: client.city, day, weight }
  })
  const arrivals = sales.flatMap((sale) =>
    Array.from({ length: random.int(0, 2) }, (): Arrival => {
      const days = Date.parse(sale.day) + random.int(-3, 400) * DAY
      return { sale, day: random.int(0, 3) === 0 ? null : new Date(days).toISOString().slice(0, 10) }
    }),
  )
  return { clients, sales, arrivals }
}

/** SQL that makes a world, alike in SQLite and PostgreSQL. */
function scriptOf({ clients, sales, arrivals }: World): string {
  return [
    'CREATE TABLE clients (client_id integer PRIMARY KEY, name text NOT NULL, city text NOT NULL);',
    'CREATE TABLE parcels (parcel_id integer PRIMARY KEY, client_id integer NOT NULL REFERENCES clients (client_id), posted_on date NOT NULL, weight integer);',
    'CREATE TABLE arrivals (arrival_id integer PRIMARY KEY, parcel_id integer NOT NULL REFERENCES parcels (parcel_id), arrived_on date);',
    ...clients.map((c) => `INSERT INTO clients VALUES (${c.id}, '${c.name}', '${c.city}');`),
    ...sales.map((s) => `INSERT INTO parcels VALUES (${s.id}, ${s.client}, '${s.day}', ${s.weight ?? 'NULL'});`),
    ...arrivals.map(
      ({ sale, day }, i) => `INSERT INTO arrivals VALUES (${i}, ${sale.id}, ${day === null ? 'NULL' : `'${day}'`});`,
    ),
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

/** A figure of each group in 2023 and 2024 with its change, the highest of 2024 first, those without a figure last. */
function eachYear<Key extends string | number>(
  world: World,
  keyOf: (sale: Sale) => Key,
  nameOf: (key: Key) => string,
  figure: (sales: readonly Sale[]) => number | null,
): readonly (readonly Cell[])[] {
  const years = ['2023', '2024'].map((year) => inYear(world, year))
  const rows = [...new Set(years.flat().map(keyOf))].map((key) => {
    const [before = null, after = null] = years.map((sales) => figure(sales.filter((s) => keyOf(s) === key)))
    return { key, after, cells: [nameOf(key), ...change(before, after).flat()] }
  })
  const order = (a: string | number, b: string | number): number => (a < b ? -1 : Number(a > b))
  return rows
    .sort((a, b) => (b.after ?? -1) - (a.after ?? -1) || order(nameOf(a.key), nameOf(b.key)) || order(a.key, b.key))
    .map(({ cells }) => cells)
}

const perCityAnd = (world: World, figure: (sales: readonly Sale[]) => number | null): readonly (readonly Cell[])[] =>
  eachYear(world, (s) => s.city, String, figure)
const perClientAnd = (world: World, figure: (sales: readonly Sale[]) => number | null): readonly (readonly Cell[])[] =>
  eachYear(
    world,
    (s) => s.client,
    (id) => world.clients.find((c) => c.id === id)?.name ?? '',
    figure,
  )
/** How many parcels each client has, the most first. */
function ofEach({ clients, sales }: World, isMeant: (sale: Sale) => boolean, city?: string): readonly Cell[][] {
  const counted = clients
    .filter((client) => city === undefined || client.city === city)
    .map(({ id, name }) => ({ id, name, count: sales.filter((s) => s.client === id && isMeant(s)).length }))
  const order = counted.sort((a, b) => b.count - a.count || a.name.localeCompare(b.name) || a.id - b.id)
  return order.map(({ name, count }) => [name, count])
}

/** Of no rows 0, of rows without a weight nothing that is known. */
const sumOrNone = (sales: readonly Sale[]): number | null => (sales.length === 0 ? 0 : sumOf(weights(sales)))
const number = (sales: readonly Sale[]): number => sales.length

const counts = ({ clients, sales }: World): number[] =>
  clients.map(({ id }) => sales.filter(({ client }) => client === id).length).filter((count) => count > 0)

const average = (numbers: readonly number[]): number | null =>
  numbers.length === 0 ? null : (sumOf(numbers) ?? 0) / numbers.length

/** Days from posting to arrival, where both are known. */
const daysOf = (arrivals: readonly Arrival[]): number[] =>
  arrivals.flatMap(({ sale, day }) => (day === null ? [] : (Date.parse(day) - Date.parse(sale.day)) / DAY))

function daysPer(world: World, keyOf: (sale: Sale) => string): readonly Cell[][] {
  const keys = [...new Set(world.arrivals.map(({ sale }) => keyOf(sale)))].sort()
  return keys.map((key) => [key, average(daysOf(world.arrivals.filter(({ sale }) => keyOf(sale) === key)))])
}

const arrivalsOf = ({ arrivals }: World, isMeant: (sale: Sale) => boolean): number[] =>
  daysOf(arrivals.filter(({ sale }) => isMeant(sale)))

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
  ['average days between posting and arrival', (w) => [[average(daysOf(w.arrivals))]]],
  [
    'How long did it take on average from posting to arrival in 2024?',
    (w) => [[average(arrivalsOf(w, (s) => s.day.startsWith('2024')))]],
  ],
  [
    'longest time between posting and arrival',
    (w) => [[Math.max(...daysOf(w.arrivals), -9)].map((d) => (d === -9 ? null : d))],
  ],
  ['median number of days between posting and arrival', (w) => [[medianOf(daysOf(w.arrivals))]]],
  ['average number of days from posting to arrival by city', (w) => daysPer(w, (s) => s.city)],
  ['How many days does it take from posting to arrival by year?', (w) => daysPer(w, (s) => s.day.slice(0, 4))],
  [
    'How long did parcels from Cork take from posting to arrival?',
    (w) => [[average(arrivalsOf(w, (s) => s.city === 'Cork'))]],
  ],
  [
    'average days between posting and arrival in 2024 compared to 2023',
    (w) => {
      const [before = null, after = null] = ['2023', '2024'].map((y) =>
        average(arrivalsOf(w, (s) => s.day.startsWith(y))),
      )
      return change(before, after).map(rounded)
    },
  ],
  ['What is the ratio of parcels to clients?', (w) => ratio(w.sales.length, w.clients.length)],
  ['ratio of parcels in 2024 to parcels in 2023', (w) => ratio(inYear(w, '2024').length, inYear(w, '2023').length)],
]

/** Of each client, also of those with none, and of each group at two times; in their order. */
const EACH: typeof QUESTIONS = [
  ['parcels by city 2023 vs 2024', (w) => perCityAnd(w, number)],
  ['How did the number of parcels change by client from 2023 to 2024?', (w) => perClientAnd(w, number)],
  ['How many parcels does each client have?', (w) => ofEach(w, () => true)],
  ['How many parcels did each client in Cork have in 2024?', (w) => ofEach(w, (s) => s.day.startsWith('2024'), 'Cork')],
  ['How many parcels per client in 2024 compared to 2023?', (w) => perClientAnd(w, number)],
  ['growth of the total weight of parcels by city from 2023 to 2024', (w) => perCityAnd(w, sumOrNone)],
  ['total weight of parcels by client 2023 vs 2024', (w) => perClientAnd(w, sumOrNone)],
  [
    'average weight of parcels by city in 2024 compared to 2023',
    (w) => perCityAnd(w, (sales) => average(weights(sales))).map(rounded),
  ],
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
  'parcels by month 2023 vs 2024',
  'top 3 clients by parcels 2023 vs 2024',
  'Which city grew most from 2023 to 2024?',
  'ratio of parcels to clients by city',
  'How long does arrival take?',
  'total days between posting and arrival',
  'average days between posting and Cork',
  'average days between posting and birth',
  'Which parcels took longest from posting to arrival?',
]

const rounded = (row: readonly Cell[]): Cell[] => row.map((cell) => (typeof cell === 'number' ? round(cell) : cell))

/** Numbers of PostgreSQL arrive as texts; a half cent may be rounded either way. */
function agree(
  found: readonly (readonly Cell[])[],
  expected: readonly (readonly Cell[])[],
  isOrdered = false,
): boolean {
  const isSame = (a: Cell | undefined, b: Cell | undefined): boolean =>
    a === null || b === null || Number.isNaN(Number(b)) ? a === b : Math.abs(Number(a) - Number(b)) < 0.0101
  const byName = (rows: readonly (readonly Cell[])[]) =>
    [...rows].sort((a, b) => String(a[0]).localeCompare(String(b[0])))
  const [left, right] = expected.length > 1 && !isOrdered ? [byName(found), byName(expected)] : [found, expected]
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
  for (const [question] of [...QUESTIONS, ...EACH]) {
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
    expect((await queriesIn('mysql')).size).toBe(QUESTIONS.length + EACH.length)
  })

  it('are those of plain arithmetic in SQLite', { timeout: 120_000 }, async () => {
    const queries = await queriesIn('sqlite')
    const wrong: unknown[] = []
    for (let seed = 1; seed <= 300; seed++) {
      const world = worldOf(seed)
      const db = databaseOf(world)
      for (const one of [...QUESTIONS, ...EACH]) {
        const [question, expected] = one
        const found = db
          .prepare(queries.get(question) ?? '')
          .raw(true)
          .all([]) as Cell[][]
        if (!agree(found, expected(world), EACH.includes(one)))
          wrong.push({ seed, question, found, expected: expected(world) })
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
      await client.query(`DROP TABLE IF EXISTS arrivals, parcels, clients; ${scriptOf(world)}`)
      for (const one of [...QUESTIONS, ...EACH]) {
        const [question, expected] = one
        const { rows: found } = await client.query<Cell[]>({ text: queries.get(question) ?? '', rowMode: 'array' })
        if (!agree(found, expected(world), EACH.includes(one)))
          wrong.push({ seed, question, found, expected: expected(world) })
      }
    }
    await client.end()
    expect(wrong).toEqual([])
  })
})
