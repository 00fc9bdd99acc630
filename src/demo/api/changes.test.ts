import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestApi, type Answer, type TestApi } from '../../../test/fixtures/demo/api/api.ts'
import { changesPathOf } from './books.ts'
import { startDemoApi } from './server.ts'

let api: TestApi
let before: Buffer

beforeEach(async () => {
  api = await startTestApi()
  before = await readFile(api.databasePath)
})

afterEach(async () => {
  const after = await readFile(api.databasePath)
  await api.stop()
  if (!after.equals(before)) throw new Error('The demo database is not as it was made.')
})

const post = (path: string, body?: unknown, key?: string): Promise<Answer> =>
  api.ask(path, { method: 'POST', body, headers: key === undefined ? {} : { 'Idempotency-Key': key } })

const TICKET = { customer_id: 57, order_id: 915, topic: 'delivery', subject: 'Parcel has not arrived' }

describe('a ticket', () => {
  it('is opened, and found afterwards', async () => {
    const { status, json } = await post('/tickets', { ...TICKET, subject: '  Parcel 📦 has not arrived' })
    expect(status).toBe(201)
    expect(json).toEqual({
      ticket_id: 304,
      customer_id: 57,
      customer_name: 'Tormere Software',
      order_id: 915,
      topic: 'delivery',
      priority: 'normal',
      status: 'open',
      subject: 'Parcel 📦 has not arrived',
      opened_at: '2026-10-31T12:00:00Z',
      closed_at: null,
      satisfaction: null,
    })
    expect((await api.ask('/tickets/304')).json).toEqual(json)
    expect((await api.walk('/tickets?limit=100'))[0]).toEqual(json)
    expect(await api.walk('/tickets?status=open')).toHaveLength(4)
  })

  it.each(["'); DROP TABLE tickets; --", '<script>', 'ünïcødé 咖啡'])('keeps the subject %s', async (subject) => {
    const { json } = await post('/tickets', { ...TICKET, subject })
    expect((await api.ask(`/tickets/${String(json['ticket_id'])}`)).json['subject']).toBe(subject)
  })

  // A text that ends at a NUL, half of a character, and one that moves the cursor of a terminal.
  it.each(['abc\u0000def', 'abc\ud800def', 'abc\u001b[2J'])('with the subject %j is refused', async (subject) => {
    const { status, json } = await post('/tickets', { ...TICKET, subject })
    expect([status, json['error']]).toMatchObject([400, { parameter: 'subject' }])
    expect((await post('/orders/915/cancel', { reason: subject })).status).toBe(400)
  })

  it('gets a unique number under parallel requests', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => post('/tickets', TICKET)))
    expect(made.map(({ json }) => json['ticket_id']).sort()).toEqual(Array.from({ length: 20 }, (_, i) => 304 + i))
  })
})

describe('cancelling an order', () => {
  it('changes its status for all readers', async () => {
    const { status, json } = await post('/orders/915/cancel', { reason: 'Ordered twice' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ order_id: 915, status: 'cancelled', cancellation_reason: 'Ordered twice' })
    expect((await api.ask('/orders/915')).json).toEqual(json)
    expect(await api.walk('/orders?status=open')).toHaveLength(11)
    expect(await api.walk('/orders?status=cancelled&limit=100')).toHaveLength(30)
    expect((await api.ask('/customers/57')).json).toMatchObject({ order_count: 7 })
  })

  it('needs no body', async () => {
    expect((await post('/orders/884/cancel')).json).toMatchObject({ status: 'cancelled', cancellation_reason: null })
    expect((await post('/orders/891/cancel', {})).json).toMatchObject({ status: 'cancelled' })
    expect((await post('/orders/907/cancel', { reason: null })).json).toMatchObject({ status: 'cancelled' })
    expect((await post('/orders/908/cancel', { reason: '' })).status).toBe(400)
  })

  it.each(['shipped', 'delivered', 'cancelled'])('is refused for one that is %s', async (status) => {
    const [order] = api.sql('SELECT order_id FROM orders WHERE status = ? LIMIT 1', status)
    const answer = await post(`/orders/${String(order?.['order_id'])}/cancel`)
    expect(answer.status).toBe(409)
    expect(answer.json['error']).toMatchObject({
      code: 'conflict',
      message: `Order ${String(order?.['order_id'])} is ${status}; only open orders can be cancelled.`,
    })
    expect(await api.walk('/orders?status=open')).toHaveLength(12)
  })

  it('is refused the second time, and for a missing order', async () => {
    expect((await post('/orders/915/cancel')).status).toBe(200)
    expect((await post('/orders/915/cancel')).status).toBe(409)
    expect((await post('/orders/99999/cancel')).status).toBe(404)
  })
})

describe('an Idempotency-Key', () => {
  it('executes a request once, and repeats the answer', async () => {
    const first = await post('/tickets', TICKET, 'k-1')
    const again = await post('/tickets', TICKET, 'k-1')
    expect([again.status, again.json]).toEqual([201, first.json])
    const cancelled = await post('/orders/915/cancel', undefined, 'k-2')
    const repeated = await post('/orders/915/cancel', undefined, 'k-2')
    expect([repeated.status, repeated.json]).toEqual([200, cancelled.json])
    expect(await api.walk('/tickets?limit=100')).toHaveLength(304)
    expect((await post('/tickets', TICKET, 'k-3')).json['ticket_id']).toBe(305)
  })

  it('holds for parallel requests, after a restart, and with another server', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => post('/tickets', TICKET, 'k-1')))
    await api.restart()
    made.push(await post('/tickets', TICKET, 'k-1'))
    expect(new Set(made.map(({ json }) => json['ticket_id']))).toEqual(new Set([304]))
    const other = await startDemoApi({ databasePath: api.databasePath, port: 0, apiKey: 'other' })
    try {
      const response = await fetch(`${other.url}/tickets`, {
        method: 'POST',
        headers: { 'X-Api-Key': 'other', 'Idempotency-Key': 'k-1', 'Content-Type': 'application/json' },
        body: JSON.stringify(TICKET),
      })
      expect(await response.json()).toEqual(made[0]?.json)
    } finally {
      await other.close()
    }
  })

  it('is valid for one request only', async () => {
    await post('/tickets', TICKET, 'k-1')
    const { status, json } = await post('/tickets', { ...TICKET, priority: 'high' }, 'k-1')
    expect([status, json['error']]).toMatchObject([422, { parameter: 'Idempotency-Key' }])
    expect((await post('/orders/915/cancel', undefined, 'k-1')).status).toBe(422)
    expect((await api.ask('/orders/915')).json).toMatchObject({ status: 'open' })
  })

  it('is free again when the request failed', async () => {
    expect((await post('/tickets', { ...TICKET, customer_id: 999 }, 'k-1')).status).toBe(400)
    expect((await post('/tickets', TICKET, 'k-1')).status).toBe(201)
  })

  it.each(['', 'a b', 'x'.repeat(201)])('such as "%s" is refused', async (key) => {
    const { status, json } = await post('/tickets', TICKET, key)
    expect([status, json['error']]).toMatchObject([400, { parameter: 'Idempotency-Key' }])
  })
})

describe('the record of changes', () => {
  it('is stored in a file next to the database', async () => {
    expect(changesPathOf(api.databasePath)).toMatch(/brindlemoor-api\.sqlite$/)
    await post('/tickets', TICKET)
    await post('/orders/915/cancel')
    await api.restart()
    expect((await api.ask('/tickets/304')).json).toMatchObject(TICKET)
    expect((await api.ask('/orders/915')).json).toMatchObject({ status: 'cancelled' })
  })
})
