import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import { TuttiError } from '../../src/domain/errors.ts'
import { signInLocally } from '../../src/server/access.ts'
import type { Resource } from '../../src/server/context.ts'
import { startServer } from '../../src/server/server.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

describe('the server', () => {
  const world = openForAll(() => startHttpWorld())

  it('reports its health, and describes itself', async () => {
    expect(await (await world.fetch('/healthz', { as: null })).json()).toEqual({ status: 'ok', version: '0' })
    const document = await (await world.fetch('/openapi.json', { as: null })).json()
    expect(document).toMatchObject({ openapi: '3.1.0', paths: { '/ready': { get: { security: [] } } } })
  })

  it.each([
    ['SQLITE_FULL', 'The disk of the store is full.'],
    ['25006', 'The store is read-only.'],
  ])('is not ready while it cannot write (%s)', async (code, reason) => {
    const message = 'The disk of the database /data/tutti.db is full.'
    const clock = new ManualClock()
    const own = await startHttpWorld({ clock })
    const ready = async (): Promise<unknown> => {
      const response = await own.fetch('/ready', { as: null })
      return [response.status, ((await response.json()) as { reason?: string }).reason]
    }
    try {
      expect(await ready()).toEqual([200, undefined])
      await clock.advance(1_000)
      const write = vi.spyOn(own.app, 'assertWritable')
      write.mockRejectedValueOnce(new TuttiError('StorageError', message, { details: { code } }))
      expect([await ready(), await ready()]).toEqual([
        [503, reason],
        [503, reason],
      ])
      expect(own.trouble.map((error) => error.message)).toEqual([message])
      await clock.advance(1_000)
      expect(await ready()).toEqual([200, undefined])
    } finally {
      await own.close()
    }
  })

  it('answers an unknown path with a problem that names the request', async () => {
    const response = await world.fetch('/nothing', { headers: { 'x-request-id': 'mine-1' } })
    expect(response.headers.get('content-type')).toContain('application/problem+json')
    expect([response.status, response.headers.get('x-request-id')]).toEqual([404, 'mine-1'])
    expect(await response.json()).toMatchObject({ code: 'NotFound', status: 404, requestId: 'mine-1' })
    const foreign = await world.fetch('/nothing', { headers: { 'x-request-id': '<script>' } })
    expect(foreign.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
  })

  it('lists the allowed methods of a path', async () => {
    const response = await world.fetch('/healthz', { method: 'POST' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('returns 304 when the client already has the answer', async () => {
    for (const path of ['/conversations', '/openapi.json']) {
      const first = await world.fetch(path)
      const etag = first.headers.get('etag')!
      expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
      for (const had of [etag, `"x", ${etag}`, etag.slice(2)]) {
        const same = await world.fetch(path, { headers: { 'if-none-match': had } })
        expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, etag, ''])
      }
      const head = await world.fetch(path, { method: 'HEAD' })
      expect([head.status, head.headers.get('etag')]).toEqual([200, etag])
    }
    const old = (await world.fetch('/conversations')).headers.get('etag')!
    await world.fetch('/query', { json: { question: 'What is 6 times 7?' } })
    const changed = await world.fetch('/conversations', { headers: { 'if-none-match': old } })
    expect([changed.status, changed.headers.get('etag') === old]).toEqual([200, false])
    expect((await world.fetch('/conversations/none', { headers: { 'if-none-match': old } })).status).toBe(404)
  })

  it('explains an invalid time, parameter, media type and method', async () => {
    const detail = async (path: string, options = {}) => (await world.json(path, options)).detail
    expect(await detail('/runs?from=yesterday')).toContain('such as 2026-01-31T08:00:00Z')
    expect(await detail('/runs?limit=1&limit=2')).toContain('The query parameter limit must not be repeated')
    const form = { method: 'POST', body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect(await detail('/query', form)).toContain('application/json')
    const { headers } = await world.fetch('/runs/usage', { method: 'POST' })
    expect(headers.get('allow')!.split(', ').toSorted()).toEqual(['DELETE', 'GET', 'HEAD'])
  })

  it.each([
    ['GET nowhere\r\n\r\n', '400 Bad Request'],
    [`GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, '431 Request Header Fields Too Large'],
    ['GET / HTTP/1.1\r\n\r\n', '400 Bad Request'],
    ['GET /% HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', '400 Bad Request'],
  ])('answers a malformed request with problem details: %j', async (bytes, status) => {
    const { hostname, port } = new URL(world.url)
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let text = ''
    for await (const more of socket) text += String(more)
    const [head, body] = text.split('\r\n\r\n')
    expect(head!.split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`)
    expect(JSON.parse(body!)).toMatchObject({ code: 'InvalidRequest', status: Number(status.slice(0, 3)) })
  })

  it('sends security headers', async () => {
    const { headers } = await world.fetch('/healthz')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect([headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual(['nosniff', 'no-referrer'])
  })
})

describe('authentication', () => {
  const mine: Resource = async ({ server }) => {
    server.post('/mine', { config: { access: { role: 'member', scope: 'ask' } } }, async ({ caller }) => caller)
  }
  const options = { host: '127.0.0.1', port: 0, version: '0', onTrouble: () => undefined }

  it('accepts the local user when no account exists, and no page of another site', async () => {
    const app = await createApp()
    const server = await startServer({ ...options, app, authenticate: signInLocally, resources: [mine] })
    const status = (headers: Record<string, string>): Promise<number> =>
      new Promise((resolve, reject) => {
        const sent = request(`${server.url}/mine`, { method: 'POST', headers }, (response) => {
          response.resume()
          resolve(response.statusCode!)
        })
        sent.on('error', reject).end()
      })
    const own = new URL(server.url).host
    const seen = {
      nothing: await status({}),
      own: await status({ origin: server.url, 'sec-fetch-site': 'same-origin' }),
      named: await status({ host: `localhost:${own.split(':')[1]}` }),
      rebound: await status({ host: 'evil.example' }),
      longer: await status({ host: '127.0.0.1.evil.example' }),
      foreign: await status({ origin: 'https://evil.example' }),
      sandboxed: await status({ origin: 'null' }),
      cross: await status({ 'sec-fetch-site': 'cross-site' }),
      sibling: await status({ origin: server.url, 'sec-fetch-site': 'same-site' }),
      port: await status({ origin: 'http://127.0.0.1:1' }),
      encrypted: await status({ origin: `https://${own}` }),
      proxied: await status({ 'x-forwarded-for': '203.0.113.1' }),
      nginx: await status({ 'x-real-ip': '203.0.113.1' }),
      via: await status({ via: '1.1 proxy' }),
      cloud: await status({ 'cf-connecting-ip': '203.0.113.1' }),
      client: await status({ 'true-client-ip': '203.0.113.1' }),
      basic: await status({ origin: 'https://evil.example', authorization: 'Basic eDp5' }),
      bearer: await status({ origin: 'https://evil.example', authorization: 'Bearer x' }),
      older: await olderStatus(new URL(server.url)),
      form: await status({ 'content-type': 'text/plain' }),
    }
    await server.close()
    await app.close()
    expect(seen).toEqual({
      nothing: 200,
      own: 200,
      named: 200,
      rebound: 403,
      longer: 403,
      foreign: 403,
      sandboxed: 403,
      cross: 403,
      sibling: 403,
      port: 403,
      encrypted: 403,
      proxied: 403,
      nginx: 403,
      via: 403,
      cloud: 403,
      client: 403,
      basic: 403,
      bearer: 200,
      older: 403,
      form: 415,
    })
  })

  it('refuses to start with a route without access rules', async () => {
    const app = await createApp()
    const open: Resource = async ({ server }) => void server.get('/open', async () => 'all')
    const starting = startServer({ ...options, app, authenticate: signInLocally, resources: [open] })
    await expect(starting).rejects.toThrow('/open does not say who may use it')
    await app.close()
  })

  it('reports internal errors to the operator, not to the caller', async () => {
    const told: string[] = []
    const app = await createApp()
    const broken: Resource = async ({ server }) => {
      server.get('/broken', { config: { access: 'public' } }, async () => {
        throw new Error('cannot open /srv/tutti/secret.key')
      })
    }
    const onTrouble = ({ message }: Error): void => void told.push(message)
    const server = await startServer({ ...options, app, authenticate: signInLocally, resources: [broken], onTrouble })
    const response = await fetch(`${server.url}/broken`)
    const text = await response.text()
    await server.close()
    await app.close()
    expect(response.status).toBe(500)
    expect(text).not.toContain('secret.key')
    expect(told.join()).toMatch(/^Request \S+: cannot open \/srv\/tutti\/secret.key$/)
  })
})

/** A POST in HTTP/1.0, the default of some proxies. */
function olderStatus({ host, port, hostname }: URL): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.end(`POST /mine HTTP/1.0\r\nHost: ${host}\r\n\r\n`))
    socket.on('error', reject)
    socket.once('data', (bytes: Buffer) => resolve(Number(bytes.toString().split(' ')[1])))
  })
}
