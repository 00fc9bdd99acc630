import { request as httpRequest } from 'node:http'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KEY, rawStatus, startTestApi, type Json, type TestApi } from '../../../test/fixtures/demo/api/api.ts'
import { startDemoApi } from './server.ts'

let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
})

afterAll(() => api.stop())

const errorOf = (json: Json): Json => json['error'] as Json

describe('wrong input', () => {
  it.each<[path: string, parameter: string, message: RegExp]>([
    ['/orders?status=lost', 'status', /status: must be one of open, shipped, delivered, cancelled/],
    ['/orders?min_total=lots', 'min_total', /must be an amount in euros/],
    ['/orders?min_total=', 'min_total', /must be an amount/],
    ['/orders?min_total=-1', 'min_total', /must be an amount/],
    ['/orders?min_total=1e3', 'min_total', /must be an amount/],
    ['/orders?from=2026-02-30', 'from', /must be a date such as/],
    ['/orders?from=yesterday', 'from', /must be a date such as/],
    ['/orders?sort=colour', 'sort', /must be one of newest/],
    ['/orders?page=0', 'page', />=1/],
    ['/orders?page=1.5', 'page', /whole number/],
    ['/orders?limit=101', 'limit', /<=100/],
    ['/orders?limit=99999999999999999999', 'limit', /whole number/],
    ['/orders?limit=10&limit=20', 'limit', /given twice/],
    ['/orders?colour=red', 'colour', /is not known here; what is known: status, customer_id/],
    ['/orders?customer_id=1%20OR%201=1', 'customer_id', /whole number/],
    ['/orders/915?lines=true', 'lines', /nothing is taken/],
    ['/orders/abc', 'orderId', /whole number/],
    ['/orders/0', 'orderId', />=1/],
    ['/customers?is_active=1', 'is_active', /must be true or false/],
    ['/products?category=Tea', 'category', /Tea and Chocolate/],
    ['/invoices?overdue=yes', 'overdue', /must be true or false/],
  ])('%s is refused and %s named', async (path, parameter, message) => {
    const { status, json } = await api.ask(path)
    expect(status).toBe(400)
    expect(errorOf(json)).toMatchObject({ code: 'invalid_parameter', parameter })
    expect(errorOf(json)['message']).toMatch(message)
  })

  it('is named in full when there is more than one fault', async () => {
    const { json } = await api.ask('/orders?status=lost&limit=0')
    expect(errorOf(json)['message']).toMatch(/^status: .*; limit: .*\.$/)
  })

  it.each(['/orders/%zz', '/orders/%ff'])('%s is refused for its encoding', async (path) => {
    expect((await api.ask(path)).status).toBe(400)
  })
})

describe('unknown paths', () => {
  it.each(['/orders/99999', '/customers/99999', '/tickets/99999', '/order', '/orders/', '/', '/orders/1/lines'])(
    '%s is answered with 404',
    async (path) => {
      const { status, json } = await api.ask(path)
      expect(status).toBe(404)
      expect(errorOf(json)['code']).toBe('not_found')
    },
  )

  it.each([
    ['POST', '/orders', 'GET'],
    ['DELETE', '/orders/915', 'GET'],
    ['GET', '/orders/915/cancel', 'POST'],
    ['PUT', '/tickets', 'GET, POST'],
    ['OPTIONS', '/tickets', 'GET, POST'],
    ['POST', '/openapi.json', 'GET'],
  ])('%s %s is answered with 405 and what is allowed', async (method, path, allowed) => {
    const { status, headers } = await api.ask(path, { method })
    expect([status, headers.get('allow')]).toEqual([405, allowed])
  })
})

describe('signing in', () => {
  it.each(['', 'wrong', `${KEY} `.repeat(2), KEY.toUpperCase()])('with the key "%s" fails', async (key) => {
    const { status, json, headers } = await api.ask('/orders', { headers: { 'X-Api-Key': key } })
    expect([status, errorOf(json)['parameter']]).toEqual([401, 'X-Api-Key'])
    expect(headers.get('www-authenticate')).toContain('X-Api-Key')
    expect(JSON.stringify(json)).not.toContain(KEY)
  })

  it('wants a bearer token for invoices, and the header elsewhere', async () => {
    const wrong = await api.ask('/invoices', { headers: { Authorization: 'Bearer wrong' } })
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="Brindlemoor Coffee"'])
    const basic = await api.ask('/invoices', { headers: { Authorization: `Basic ${btoa(`x:${KEY}`)}` } })
    expect(basic.status).toBe(401)
    const lower = await api.ask('/invoices', { headers: { Authorization: `bearer ${KEY}`, 'X-Api-Key': '' } })
    expect(lower.status).toBe(200)
    expect(await rawStatus(`${api.url}/orders`, { headers: { Authorization: `Bearer ${KEY}` } })).toBe(401)
  })

  it('is checked before anything else', async () => {
    const asking = { method: 'POST', headers: { 'X-Api-Key': 'wrong' }, body: { customer_id: 57 } }
    expect((await api.ask('/tickets', asking)).status).toBe(401)
    expect((await api.ask('/orders?limit=0', { headers: { 'X-Api-Key': 'wrong' } })).status).toBe(401)
  })

  it('is not needed to read what the API offers', async () => {
    const response = await fetch(`${api.url}/openapi.json`)
    expect(response.status).toBe(200)
  })
})

describe('web pages of other origins', () => {
  it.each([
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    'localhost.evil.example:7460',
    '10.0.0.1',
    'evil@localhost',
  ])('get nothing under the name "%s"', async (host) => {
    const headers = { Host: host, 'X-Api-Key': KEY }
    expect(await rawStatus(`${api.url}/orders`, { headers })).toBe(421)
    expect(await rawStatus(`${api.url}/openapi.json`, { headers })).toBe(421)
  })

  it.each(['localhost', 'LOCALHOST:1', '127.0.0.1:9999', '[::1]:7460', '127.9.8.7'])(
    'but %s counts as this machine',
    async (host) => {
      expect(await rawStatus(`${api.url}/orders`, { headers: { Host: host, 'X-Api-Key': KEY } })).toBe(200)
    },
  )

  it('get no CORS headers', async () => {
    const asking = { headers: { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' } }
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await api.ask('/orders', { ...asking, method })
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })
})

describe('bodies', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    api.ask('/tickets', { method: 'POST', body, headers })

  it.each<[body: unknown, parameter: string | undefined, message: RegExp]>([
    ['', undefined, /must be a JSON object/],
    ['{', undefined, /not JSON/],
    ['[]', undefined, /must be a JSON object/],
    ['null', undefined, /must be a JSON object/],
    [{ customer_id: 57, topic: 'delivery' }, 'subject', /subject: /],
    [{ customer_id: '57', topic: 'delivery', subject: 'Late' }, 'customer_id', /expected number/],
    [{ customer_id: 57, topic: 'coffee', subject: 'Late' }, 'topic', /delivery/],
    [{ customer_id: 57, topic: 'delivery', subject: '  a ' }, 'subject', />=3/],
    [{ customer_id: 57, topic: 'delivery', subject: 'a\nb\nc' }, 'subject', /one line/],
    [{ customer_id: 57, topic: 'delivery', subject: 'x'.repeat(121) }, 'subject', /<=120/],
    [{ customer_id: 57, topic: 'delivery', subject: 'Late', status: 'closed' }, 'status', /is not known here/],
    [{ customer_id: 999, topic: 'delivery', subject: 'Late' }, 'customer_id', /no customer 999/],
    [{ customer_id: 57, order_id: 1, topic: 'delivery', subject: 'Late' }, 'order_id', /has no order 1/],
  ])('%j is refused', async (body, parameter, message) => {
    const { status, json } = await post(body)
    expect([status, errorOf(json)['code'], errorOf(json)['parameter']]).toEqual([400, 'invalid_body', parameter])
    expect(errorOf(json)['message']).toMatch(message)
  })

  it('of another kind than JSON are refused', async () => {
    expect((await post('customer_id=57', { 'Content-Type': 'text/plain' })).status).toBe(415)
  })

  it('that are too long are refused, with or without a declared length', async () => {
    expect((await post({ subject: 'x'.repeat(17_000) })).status).toBe(413)
    expect((await post('x'.repeat(3_000_000))).status).toBe(413)
    const status = await new Promise((resolve, reject) => {
      const headers = { 'X-Api-Key': KEY, 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
      const request = httpRequest(`${api.url}/tickets`, { method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      request.on('error', reject)
      for (let i = 0; i < 40; i++) request.write('y'.repeat(1000))
      request.end()
    })
    expect(status).toBe(413)
  })

  it('that are cut off do not harm the server', async () => {
    await new Promise<void>((resolve) => {
      const headers = { 'X-Api-Key': KEY, 'Content-Type': 'application/json', 'Content-Length': '1000' }
      const request = httpRequest(`${api.url}/tickets`, { method: 'POST', headers })
      request.on('error', () => resolve())
      request.write('{"customer_id":', () => request.destroy(new Error('gone')))
    })
    expect((await api.ask('/tickets?limit=1')).status).toBe(200)
    expect(await api.walk('/tickets?limit=100')).toHaveLength(303)
  })
})

describe('starting', () => {
  it('requires a demo database, and does not create one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tutti-demo-api-'))
    try {
      const databasePath = join(folder, 'demo.sqlite')
      const start = () => startDemoApi({ databasePath, port: 0 })
      await expect(start()).rejects.toThrow(/no demo database at .*demo\.sqlite\. Write one with: tutti demo/)
      await writeFile(
        databasePath,
        'not a database, but long enough to be looked at as if it were one of them'.repeat(20),
      )
      await expect(start()).rejects.toThrow(/is not the demo database/)
      await writeFile(databasePath, '')
      await expect(start()).rejects.toThrow(/is not the demo database \(no such table/)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('requires a loopback address, a free port and a key', async () => {
    const { databasePath } = api
    await expect(startDemoApi({ databasePath, host: '0.0.0.0' })).rejects.toThrow(/this machine only/)
    await expect(startDemoApi({ databasePath, host: 'example.com' })).rejects.toThrow(/this machine only/)
    const port = Number(new URL(api.url).port)
    await expect(startDemoApi({ databasePath, port })).rejects.toThrow(`Port ${port} is in use`)
    await expect(startDemoApi({ databasePath, port: 0, apiKey: '' })).rejects.toThrow(/visible characters/)
  })

  it('can be ended twice', async () => {
    const other = await startDemoApi({ databasePath: api.databasePath, port: 0 })
    await Promise.all([other.close(), other.close()])
    await expect(fetch(`${other.url}/openapi.json`)).rejects.toThrow(/fetch failed/)
  })
})
