import Database from 'libsql'
import { expect, it } from 'vitest'
import { linkQuestion } from './link.ts'
import type { Lookup } from './types.ts'
import type { ColumnSchema, DatabaseSchema, TableSchema } from '../../databases/schema.ts'

/** A small shop, asked questions that are put together at random; the answers are computed here without SQL. */
interface Row {
  readonly [column: string]: string | number | null
}

const SEED = 20_261_128
const QUESTIONS = 600
const COUNTRIES = ['France', 'Spain', 'Italy']
const CHANNELS = ['web', 'phone', 'fax']
const KINDS = ['tea', 'coffee']

function randomFrom(seed: number): () => number {
  let state = seed
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
}
const random = randomFrom(SEED)
const pick = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)]!

const clients: Row[] = Array.from({ length: 12 }, (_, i) => ({
  client_id: i + 1,
  name: `Client ${String.fromCharCode(65 + i)}`,
  country: pick(COUNTRIES),
  phone: random() < 0.3 ? null : `+${i}`,
  is_vip: random() < 0.4 ? 1 : 0,
}))
const goods: Row[] = Array.from({ length: 8 }, (_, i) => ({
  good_id: i + 1,
  name: `Good ${i}`,
  kind: pick(KINDS),
  price: 1 + Math.floor(random() * 30),
}))
const orders: Row[] = Array.from({ length: 60 }, (_, i) => ({
  order_id: i + 1,
  client_id: 1 + Math.floor(random() * 10),
  order_date: `${pick(['2024', '2025'])}-0${1 + Math.floor(random() * 9)}-15`,
  channel: pick(CHANNELS),
  total: Math.floor(random() * 500),
}))
const items: Row[] = Array.from({ length: 150 }, (_, i) => ({
  item_id: i + 1,
  order_id: 1 + Math.floor(random() * 55),
  good_id: 1 + Math.floor(random() * 7),
  pieces: 1 + Math.floor(random() * 5),
}))

const TABLES: Readonly<Record<string, readonly Row[]>> = { clients, goods, orders, items }
const KEYS: Readonly<Record<string, string>> = { client_id: 'clients', order_id: 'orders', good_id: 'goods' }

function columnOf(table: string, name: string, i: number, rows: readonly Row[]): ColumnSchema {
  const isText = rows.some((row) => typeof row[name] === 'string')
  const kind = name.startsWith('is_') ? 'boolean' : name.endsWith('_date') ? 'date' : isText ? 'text' : 'number'
  const type = name === 'total' || name === 'price' ? 'numeric(10,2)' : kind === 'number' ? 'integer' : kind
  return {
    name,
    type,
    kind,
    nullable: name === 'phone',
    primaryKey: i === 0 && KEYS[name] !== undefined ? table === KEYS[name] : i === 0,
  }
}

const schema: DatabaseSchema = {
  name: 'shop',
  dialect: 'sqlite',
  tables: Object.entries(TABLES).map(([name, rows]): TableSchema => {
    const columns = Object.keys(rows[0]!).map((column, i) => columnOf(name, column, i, rows))
    const foreign = columns.filter((column) => !column.primaryKey && KEYS[column.name] !== undefined)
    const foreignKeys = foreign.map((one) => ({
      columns: [one.name],
      table: KEYS[one.name]!,
      referencedColumns: [one.name],
    }))
    return { name, kind: 'table', columns, foreignKeys }
  }),
}

const database = new Database(':memory:')
for (const { name, columns } of schema.tables) {
  database.exec(`CREATE TABLE ${name} (${columns.map((one) => `${one.name} ${one.type}`).join(', ')})`)
  const insert = database.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`)
  for (const row of TABLES[name]!) insert.run(...Object.values(row))
}

const lookup: Lookup = async (terms, columns) =>
  terms.map((term) =>
    columns.flatMap(({ table, column }) => {
      const hit = TABLES[table]!.find((row) => String(row[column]).toLowerCase() === term.toLowerCase())
      return hit === undefined ? [] : [{ table, column, value: String(hit[column]) }]
    }),
  )

const clientOf = (order: Row): Row => clients.find((one) => one['client_id'] === order['client_id'])!
const orderOf = (item: Row): Row => orders.find((one) => one['order_id'] === item['order_id'])!
const ordersOf = (client: Row): Row[] => orders.filter((one) => one['client_id'] === client['client_id'])
const goodOf = (item: Row): Row => goods.find((one) => one['good_id'] === item['good_id'])!
const sum = (rows: readonly Row[], column: string): number => rows.reduce((all, row) => all + Number(row[column]), 0)

interface Part {
  readonly text: string
  readonly keeps: (row: Row) => boolean
}
const ANY: Part = { text: '', keeps: () => true }
const year = (): Part => {
  const text = pick(['2024', '2025'])
  return { text: ` in ${text}`, keeps: (row) => String(row['order_date']).startsWith(text) }
}
const country = (clientIn: (row: Row) => Row): Part => {
  const text = pick(COUNTRIES)
  return { text: ` in ${text}`, keeps: (row) => clientIn(row)['country'] === text }
}
const channel = (): Part => {
  const text = pick(CHANNELS)
  return { text: ` by ${text}`, keeps: (row) => row['channel'] === text }
}
const vip = (): Part =>
  pick([
    { text: 'vip ', keeps: (row: Row) => row['is_vip'] === 1 },
    { text: 'not vip ', keeps: (row: Row) => row['is_vip'] === 0 },
  ])
const above = (): Part => {
  const limit = 50 * Math.floor(random() * 8)
  return pick([
    { text: ` with a total over ${limit}`, keeps: (row: Row) => Number(row['total']) > limit },
    { text: ` with a total of at most ${limit}`, keeps: (row: Row) => Number(row['total']) <= limit },
  ])
}
const having = (): Part => {
  const [n, inYear] = [Math.floor(random() * 7), pick([ANY, year()])]
  const own = (row: Row): number => ordersOf(row).filter(inYear.keeps).length
  return pick([
    { text: ` with more than ${n} orders${inYear.text}`, keeps: (row: Row) => own(row) > n },
    { text: ` without orders${inYear.text}`, keeps: (row: Row) => own(row) === 0 },
    { text: ` that ordered${inYear.text}`, keeps: (row: Row) => own(row) > 0 },
    { text: ' without a phone', keeps: (row: Row) => row['phone'] === null },
  ])
}

/** A question with its figure. */
function question(): readonly [text: string, figure: number] {
  const ofOrder = [
    pick([ANY, country(clientOf)]),
    pick([ANY, channel()]),
    pick([ANY, above()]),
    pick([ANY, year()]),
  ].toSorted(() => random() - 0.5)
  const orderText = ofOrder.map(({ text }) => text).join('')
  const kept = orders.filter((row) => ofOrder.every(({ keeps }) => keeps(row)))
  const [before, place, clause] = [pick([ANY, vip()]), pick([ANY, country((row) => row)]), pick([ANY, having()])]
  const people = clients.filter((row) => [before, place, clause].every(({ keeps }) => keeps(row)))
  const kind = pick(KINDS)
  const [when, where] = [pick([ANY, year()]), pick([ANY, country((item) => clientOf(orderOf(item)))])]
  const lines = items.filter((row) => when.keeps(orderOf(row)) && where.keeps(row) && goodOf(row)['kind'] === kind)
  return pick<() => readonly [string, number]>([
    () => [`${pick(['How many orders were there', 'Number of orders', 'Count orders'])}${orderText}?`, kept.length],
    () => [
      `${pick(['Total of orders', 'What is the total of all orders', 'Sum of order totals'])}${orderText}`,
      sum(kept, 'total'),
    ],
    () => [`Average order total${orderText}`, sum(kept, 'total') / kept.length],
    () => [`How many ${before.text}clients are there${place.text}${clause.text}?`, people.length],
    () => [`How many pieces of ${kind}${where.text}${when.text}?`, sum(lines, 'pieces')],
    () => [`Total pieces of ${kind} items${when.text}${where.text}`, sum(lines, 'pieces')],
    () => [`How many items of ${kind} goods${where.text}${when.text}?`, lines.length],
    () => [`What percentage of orders${orderText.replace(/ in 20\d\d/, '')} came by web?`, Number.NaN],
  ])()
}

it('gives no wrong figure for randomly combined questions', async () => {
  const wrong: string[] = []
  let answered = 0
  for (let i = 0; i < QUESTIONS; i++) {
    const [text, figure] = question()
    const linked = await linkQuestion(text, schema, { lookup, today: '2025-12-31' })
    if (linked.kind !== 'query' || Number.isNaN(figure)) continue
    const [row] = database.prepare(linked.sql).raw().all() as (number | null)[][]
    answered++
    const value = row?.length === 1 ? (row[0] ?? (figure === 0 ? 0 : Number.NaN)) : Number.NaN
    if (Math.abs(value - figure) > 0.006) wrong.push(`${text}: ${value}, not ${figure}; ${linked.sql}`)
  }
  expect(wrong).toEqual([])
  expect(answered).toBeGreaterThan(QUESTIONS / 2)
})
