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

  it('explains an invalid time, parameter and media type', async () => {
    const detail = async (path: string, options = {}) => (await world.json(path, options)).detail
    expect(await detail('/runs?from=yesterday')).toContain('such as 2026-01-31T08:00:00Z')
    expect(await detail('/runs?limit=1&limit=2')).toContain('The query parameter limit must not be repeated')
    const form = { method: 'POST', body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect(await detail('/query', form)).toContain('application/json')
  })

  it.each([
    ['GET nowhere\r\n\r\n', '400 Bad Request'],
    [`GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, '431 Request Header Fields Too Large'],
    ['GET / HTTP/1.1\r\nconnection: close\r\n\r\n', '400 Bad Request'],
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
    const { headers } = await world.fetch('/health')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect([headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual(['nosniff', 'no-referrer'])
  })
})

describe('authentication', () => {
  const mine: Resource = async ({ server }) => {
    server.post('/mine', { config: { access: { role: 'member', scope: 'ask' } } }, async ({ caller }) => caller)
  }
  const options = { host: '127.0.0.1', port: 0, version: '0', onError: () => undefined }

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
    const cases: readonly (readonly [status: number, headers: Record<string, string>])[] = [
      [200, {}],
      [200, { origin: server.url, 'sec-fetch-site': 'same-origin' }],
      [200, { host: `localhost:${own.split(':')[1]}` }],
      [403, { host: 'evil.example' }],
      [403, { host: '127.0.0.1.evil.example' }],
      [403, { origin: 'https://evil.example' }],
      [403, { origin: 'null' }],
      [403, { 'sec-fetch-site': 'cross-site' }],
      [403, { origin: server.url, 'sec-fetch-site': 'same-site' }],
      [403, { origin: 'http://127.0.0.1:1' }],
      [403, { origin: `https://${own}` }],
      ...['x-forwarded-for', 'x-real-ip', 'via', 'cf-connecting-ip', 'true-client-ip'].map(
        (name) => [403, { [name]: '203.0.113.1' }] as const,
      ),
      [403, { origin: 'https://evil.example', authorization: 'Basic eDp5' }],
      [200, { origin: 'https://evil.example', authorization: 'Bearer x' }],
      [415, { 'content-type': 'text/plain' }],
    ]
    for (const [expected, headers] of cases) expect([headers, await status(headers)]).toEqual([headers, expected])
    expect(await olderStatus(new URL(server.url))).toBe(403)
    await server.close()
    await app.close()
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
    const onError = ({ message }: Error): void => void told.push(message)
    const server = await startServer({ ...options, app, authenticate: signInLocally, resources: [broken], onError })
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
