import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { loadCatalogue } from '../../../src/agents/api/catalogue/load.ts'
import { KEY, rawStatus, startTestApi, type Json, type TestApi } from './support.ts'
import { startDemoApi } from '../../../examples/demo-api/server.ts'

let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
})

afterAll(() => api.stop())

const errorOf = (json: Json): Json => json['error'] as Json
const count = (sql: string): number => Number(api.sql(`SELECT count(*) AS n FROM ${sql}`)[0]!['n'])
const post = (path: string, body?: unknown, key?: string) =>
  api.ask(path, { method: 'POST', body, headers: key === undefined ? {} : { 'Idempotency-Key': key } })

describe('a list', () => {
  it.each([
    ['/orders?status=shipped', "orders WHERE status = 'shipped'"],
    [
      '/orders?channel=phone&from=2026-10-01&to=2026-10-15',
      "orders WHERE channel = 'phone' AND order_date BETWEEN '2026-10-01' AND '2026-10-15'",
    ],
    [
      '/orders?min_total=500&max_total=900',
      '(SELECT sum(line_total) AS total FROM order_lines GROUP BY order_id) WHERE round(total, 2) BETWEEN 500 AND 900',
    ],
    ['/customers?is_active=false', 'customers WHERE NOT is_active'],
    ['/customers?country=Ireland&segment=hotel', "customers WHERE country = 'Ireland' AND segment = 'hotel'"],
    [
      '/products?category=Supplies',
      "products JOIN categories c USING (category_id) JOIN categories d ON d.category_id = c.parent_category_id WHERE d.name = 'Supplies'",
    ],
    ['/products?below_reorder_level=true', 'products WHERE units_in_stock < reorder_level AND discontinued_on IS NULL'],
    ['/products?is_discontinued=true', 'products WHERE discontinued_on IS NOT NULL'],
    ['/invoices?overdue=true', "invoices WHERE status <> 'paid' AND due_date < '2026-10-31'"],
    ['/invoices?status=part_paid', "invoices WHERE status = 'part_paid'"],
    [
      '/shipments?late=true',
      "shipments JOIN orders USING (order_id) WHERE coalesce(delivered_date, '2026-10-31') > required_date",
    ],
    ['/shipments?status=in_transit', 'shipments WHERE delivered_date IS NULL'],
    ['/tickets?topic=quality&priority=high', "support_tickets WHERE topic = 'quality' AND priority = 'high'"],
  ])('%s has the rows of the database', async (path, sql) => {
    const rows = await api.walk(`${path}&limit=100`)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows).toHaveLength(count(sql))
  })

  it('has pages without gaps or duplicates, and an empty one after the last', async () => {
    const path = '/orders?status=cancelled&sort=largest'
    const whole = await api.walk(`${path}&limit=100`)
    expect(await api.walk(`${path}&limit=7`)).toEqual(whole)
    const totals = whole.map((order) => Number(order['total']))
    expect(totals).toEqual(totals.toSorted((a, b) => b - a))
    expect((await api.ask('/orders?page=1000')).json).toEqual({
      data: [],
      pagination: { page: 1000, limit: 50, total_items: 954, total_pages: 20, next: null },
    })
  })
})

it('an order has its lines, and a customer its contacts and balance', async () => {
  const { json: order } = await api.ask('/orders/915')
  expect(order).toMatchObject({ order_id: 915, line_count: 2 })
  expect(order['lines']).toHaveLength(2)
  const { json: customer } = await api.ask('/customers/42')
  const [owed] = api.sql(`SELECT round(sum(i.total - coalesce(paid, 0)), 2) AS balance
    FROM invoices i JOIN orders USING (order_id)
    LEFT JOIN (SELECT invoice_id, sum(amount) AS paid FROM payments GROUP BY invoice_id) USING (invoice_id)
    WHERE customer_id = 42`)
  expect(customer['unpaid_balance']).toBe(owed?.['balance'])
  expect((customer['contacts'] as Json[])[0]).toMatchObject({ is_primary: true })
})

describe('wrong input', () => {
  it.each<[path: string, parameter: string, message: RegExp]>([
    ['/orders?status=lost', 'status', /status: must be one of open, shipped, delivered, cancelled/],
    ['/orders?min_total=lots', 'min_total', /number/],
    ['/orders?from=2026-02-30', 'from', /date/],
    ['/orders?limit=101', 'limit', /<= 100/],
    ['/orders?limit=10&limit=20', 'limit', /integer/],
    ['/orders?colour=red', 'colour', /additional properties/],
    ['/orders/abc', 'orderId', /integer/],
    ['/customers?is_active=2', 'is_active', /boolean/],
  ])('%s is refused and %s named', async (path, parameter, message) => {
    const { status, json } = await api.ask(path)
    expect([status, errorOf(json)]).toMatchObject([400, { code: 'invalid_parameter', parameter }])
    expect(errorOf(json)['message']).toMatch(message)
  })

  it.each<[body: unknown, parameter: string | undefined]>([
    ['{', undefined],
    ['[]', undefined],
    [{ customer_id: 57, topic: 'delivery' }, 'subject'],
    [{ customer_id: 57, topic: 'coffee', subject: 'Late' }, 'topic'],
    [{ customer_id: 57, topic: 'delivery', subject: 'a\nb\nc' }, 'subject'],
    // A text that SQLite would end at the NUL, and half of a character.
    [{ customer_id: 57, topic: 'delivery', subject: 'abc\u0000def' }, 'subject'],
    [{ customer_id: 57, topic: 'delivery', subject: 'abc\ud800def' }, 'subject'],
    [{ customer_id: 57, topic: 'delivery', subject: 'Late', status: 'closed' }, 'status'],
    [{ customer_id: 999, topic: 'delivery', subject: 'Late' }, 'customer_id'],
    [{ customer_id: 57, order_id: 1, topic: 'delivery', subject: 'Late' }, 'order_id'],
  ])('the ticket %j is refused', async (body, parameter) => {
    const { status, json } = await post('/tickets', body)
    expect([status, errorOf(json)['code'], errorOf(json)['parameter']]).toEqual([400, 'invalid_body', parameter])
  })

  it('has the status of its kind', async () => {
    for (const path of ['/orders/99999', '/customers/99999', '/tickets/99999', '/order'])
      expect([path, (await api.ask(path)).status]).toEqual([path, 404])
    expect((await post('/tickets', { subject: 'x'.repeat(20_000) })).status).toBe(413)
    const text = { method: 'POST', body: 'a=b', headers: { 'Content-Type': 'text/plain' } }
    expect((await api.ask('/tickets', text)).status).toBe(415)
  })
})

describe('signing in', () => {
  it.each(['', 'wrong', KEY.toUpperCase()])('with the key "%s" fails, before anything else is checked', async (key) => {
    const { status, json } = await api.ask('/orders?limit=0', { headers: { 'X-Api-Key': key } })
    expect([status, errorOf(json)['parameter']]).toEqual([401, 'X-Api-Key'])
    expect(JSON.stringify(json)).not.toContain(KEY)
  })

  it('wants a bearer token for invoices, and the header elsewhere', async () => {
    expect((await api.ask('/invoices', { headers: { Authorization: 'Bearer wrong' } })).status).toBe(401)
    expect((await api.ask('/invoices', { headers: { 'X-Api-Key': '' } })).status).toBe(200)
    expect(await rawStatus(`${api.url}/orders`, { headers: { Authorization: `Bearer ${KEY}` } })).toBe(401)
  })
})

it.each([
  ['evil.example', 421],
  ['127.0.0.1.evil.example', 421],
  ['evil@localhost', 421],
  ['LOCALHOST:1', 200],
  ['[::1]:7460', 200],
])('a request to the host %s is answered with %i, without CORS headers', async (host, status) => {
  expect(await rawStatus(`${api.url}/orders`, { headers: { Host: host, 'X-Api-Key': KEY } })).toBe(status)
  const { headers } = await api.ask('/orders', { headers: { Origin: 'http://evil.example' } })
  expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})

describe('the document', () => {
  interface Operation {
    readonly responses: Readonly<Record<string, { readonly content: { 'application/json': { schema: Json } } }>>
  }
  interface Document {
    readonly servers: unknown
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
    readonly components: { readonly schemas: Json }
  }
  const read = async () => (await (await fetch(`${api.url}/openapi.json`)).json()) as Document

  it('is understood by the API agent', async () => {
    const document = await read()
    expect(document.servers).toEqual([{ url: api.url }])
    const { endpoints, securitySchemes } = await loadCatalogue(JSON.stringify(document))
    expect(Object.keys(securitySchemes)).toEqual(['apiKey', 'bearer'])
    expect(endpoints).toHaveLength(11)
    const orders = endpoints.find(({ operationId }) => operationId === 'listOrders')!
    expect(orders.params.map(({ name }) => name)).toEqual(expect.arrayContaining(['status', 'page', 'limit']))
    expect(endpoints.find(({ operationId }) => operationId === 'createTicket')?.body()).toMatchObject({
      required: true,
    })
  })

  it('describes the records of each list, and each single record', async () => {
    const { paths, components } = await read()
    for (const [path, { get }] of Object.entries(paths)) {
      if (get === undefined) continue
      const whole = JSON.stringify({
        ...get.responses['200']!.content['application/json'].schema,
        $defs: components.schemas,
      })
      const check = z.fromJSONSchema(
        JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')) as z.core.JSONSchema.JSONSchema,
      )
      const example = path.replace('{orderId}', '954').replace('{customerId}', '57').replace('{ticketId}', '303')
      for (let next: string | null = example; next !== null;) {
        const { json } = await api.ask(next)
        expect([path, check.safeParse(json).error]).toEqual([path, undefined])
        next = (json['pagination'] as { next: string | null } | undefined)?.next ?? null
      }
    }
  })
})

describe('a change', () => {
  const TICKET = { customer_id: 57, order_id: 915, topic: 'delivery', subject: 'Parcel has not arrived' }
  let before: Buffer
  beforeAll(async () => {
    before = await readFile(api.databasePath)
  })
  afterAll(async () => {
    if (!(await readFile(api.databasePath)).equals(before)) throw new Error('The demo database has changed.')
  })

  it('opens a ticket, with a unique number under parallel requests', async () => {
    const { status, json } = await post('/tickets', { ...TICKET, subject: '  📦 "lost"; DROP TABLE tickets; --' })
    expect([status, json]).toMatchObject([
      201,
      { ticket_id: 304, priority: 'normal', status: 'open', subject: '📦 "lost"; DROP TABLE tickets; --' },
    ])
    expect((await api.walk('/tickets?limit=100'))[0]).toEqual(json)
    const made = await Promise.all(Array.from({ length: 5 }, () => post('/tickets', TICKET)))
    expect(made.map((one) => one.json['ticket_id']).sort()).toEqual([305, 306, 307, 308, 309])
  })

  it('cancels an open order once, and is kept after a restart', async () => {
    const { status, json } = await post('/orders/915/cancel', { reason: 'Ordered twice' })
    expect([status, json]).toMatchObject([200, { status: 'cancelled', cancellation_reason: 'Ordered twice' }])
    expect((await post('/orders/915/cancel')).status).toBe(409)
    await api.restart()
    expect((await api.ask('/orders/915')).json).toEqual(json)
    expect((await post('/orders/884/cancel')).json).toMatchObject({ status: 'cancelled', cancellation_reason: null })
  })

  it('with an Idempotency-Key is executed once', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => post('/tickets', TICKET, 'k-1')))
    expect(new Set(made.map(({ status, json }) => `${status} ${String(json['ticket_id'])}`)).size).toBe(1)
    expect((await post('/tickets', { ...TICKET, priority: 'high' }, 'k-1')).status).toBe(422)
    expect((await post('/tickets', { ...TICKET, customer_id: 999 }, 'k-2')).status).toBe(400)
    expect((await post('/tickets', TICKET, 'k-2')).status).toBe(201)
    expect((await post('/tickets', TICKET, 'a b')).status).toBe(400)
  })
})

it('starts only with a demo database and a free port', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-demo-api-'))
  const databasePath = join(folder, 'demo.sqlite')
  const start = () => startDemoApi({ databasePath, port: 0 })
  await expect(start()).rejects.toThrow(/no demo database at .*demo\.sqlite\. Write one with: tutti demo/)
  await writeFile(databasePath, '')
  await expect(start()).rejects.toThrow(/is not the demo database \(no such table/)
  await rm(folder, { recursive: true })
  const port = Number(new URL(api.url).port)
  await expect(startDemoApi({ databasePath: api.databasePath, port })).rejects.toThrow(`Port ${port} is in use`)
})
