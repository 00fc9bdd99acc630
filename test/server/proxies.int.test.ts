import { request, type IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import { createRandom } from '../support/random.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import type { Resource } from '../../src/server/context.ts'
import { resources } from '../../src/server/resources.ts'
import { startServer, type RunningServer } from '../../src/server/server.ts'
import { testSeed } from '../support/seed.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'

const SEED = testSeed()

/** Returns the client and protocol that the server assumes. */
const probe: Resource = async ({ server }) => {
  server.get('/probe', { config: { access: 'public' } }, async ({ ip, protocol, host }) => ({ ip, protocol, host }))
}

const BY_USER = ['127.0.0.2', '127.1.0.0/16', 'fd00::/8']
const PROXY = '127.0.0.2'
const STRANGER = '127.0.0.3'

let app: App
let server: RunningServer
let plain: RunningServer
beforeAll(async () => {
  app = await createApp({ config: { people: { registration: 'open' } } })
  // Without accounts, requests through a proxy are refused.
  await app.people.accounts.register({ username: 'root', password: 'a long enough sentence' }, 'open')
  const options = {
    app,
    host: '127.0.0.1',
    port: 0,
    version: '0',
    // Attempts are counted per minute; the clock does not advance.
    clock: new ManualClock(),
    authenticate: authenticateBy(app.people),
    resources: [...resources({ version: '0' }), probe],
    onError: () => undefined,
  }
  server = await startServer({ ...options, host: '0.0.0.0', trustProxy: BY_USER })
  plain = await startServer(options)
})
afterAll(async () => {
  await server.close()
  await plain.close()
  await app.close()
})

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A request from a loopback address of this machine. Each address is a different peer for the server. */
function send(
  from: string,
  path: string,
  headers: Record<string, string>,
  json?: unknown,
  to = server,
): Promise<Reply> {
  const body = json === undefined ? undefined : JSON.stringify(json)
  return new Promise((resolve, reject) => {
    const asking = request(
      {
        host: '127.0.0.1',
        port: new URL(to.url).port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        localAddress: from,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: text }))
      },
    )
    asking.on('error', reject)
    asking.end(body)
  })
}

/** A second implementation: which addresses to trust, from the nearest to the farthest. */
function oracle(from: string, headers: Readonly<Record<string, string>>) {
  const list = new BlockList()
  list.addAddress('127.0.0.2')
  list.addSubnet('127.1.0.0', 16)
  list.addSubnet('fd00::', 8, 'ipv6')
  const isByUser = (address: string): boolean => {
    const plainAddress = address.replace(/^::ffff:(?=\d+\.)/i, '')
    const family = isIP(plainAddress)
    return family !== 0 && list.check(plainAddress, family === 4 ? 'ipv4' : 'ipv6')
  }
  const said = (headers['x-forwarded-for'] ?? '').split(',').map((one) => one.trim())
  const chain = [from, ...(headers['x-forwarded-for'] === undefined ? [] : said.toReversed())]
  const stranger = chain.findIndex((address) => !isByUser(address))
  const last = (name: string): string | undefined =>
    isByUser(from) ? headers[name]?.split(',').at(-1)!.trim() : undefined
  return {
    ip: stranger === -1 ? chain.at(-1) : chain[stranger],
    protocol: last('x-forwarded-proto') ?? 'http',
    host: last('x-forwarded-host') ?? headers['host'],
  }
}

describe('a server behind proxies', () => {
  it('trusts the headers of configured proxies only', async () => {
    const random = createRandom(SEED)
    const addresses = [
      '127.0.0.2',
      '127.1.2.3',
      'fd00::7',
      '::ffff:127.1.0.9',
      '198.51.100.7',
      '127.0.0.3',
      '2001:db8::1',
    ]
    const words = [...addresses, 'unknown', 'localhost', '0', '127.0.0.2.evil', "1' OR 1=1", '::1', '127.1.0.0/16']
    let believed = 0
    for (let i = 0; i < 400; i++) {
      const from = random.pick(['127.0.0.2', '127.1.2.3', '127.0.0.3', '127.2.0.1'])
      const headers: Record<string, string> = { host: random.pick(['tutti.example', '127.0.0.1:80']) }
      if (random.chance(0.8))
        headers['x-forwarded-for'] = Array.from({ length: random.int(1, 5) }, () => random.pick(words)).join(
          random.pick([', ', ',']),
        )
      if (random.chance(0.6))
        headers['x-forwarded-proto'] = random.pick(['https', 'http', 'http, https', 'https, http'])
      if (random.chance(0.6)) headers['x-forwarded-host'] = random.pick(['evil.example', 'a.example, tutti.example'])
      // Not supported.
      if (random.chance(0.3)) headers['forwarded'] = 'for=198.51.100.1;proto=https;host=evil.example'
      if (random.chance(0.3)) headers['x-real-ip'] = '198.51.100.2'
      const expected = oracle(from, headers)
      if (expected.ip !== from) believed++
      const about = `seed ${SEED}, ${i}: ${from} ${JSON.stringify(headers)}`
      expect(JSON.parse((await send(from, '/probe', headers)).body), about).toEqual(expected)
      const nobody = JSON.parse((await send(from, '/probe', headers, undefined, plain)).body) as object
      expect(nobody, about).toEqual({ ip: from, protocol: 'http', host: headers['host'] })
    }
    expect(believed).toBeGreaterThan(50)
  })

  it('counts attempts by client: a forged header gains no attempts, and no client blocks another', async () => {
    const attempt = async (from: string, said: string) =>
      (await send(from, '/session', { 'x-forwarded-for': said }, { username: 'nobody', password: 'wrong password' }))
        .status
    const strangers: number[] = []
    for (let i = 0; i < 31; i++) strangers.push(await attempt(STRANGER, `203.0.113.${i}`))
    expect(strangers.filter((status) => status === 429).length).toBeGreaterThan(0)
    // Through the proxy, which appends the client's address to the forged header.
    const behind: number[] = []
    for (let i = 0; i < 31; i++) behind.push(await attempt(PROXY, `203.0.113.${i}, 198.51.100.7`))
    expect(behind.filter((status) => status === 429).length).toBeGreaterThan(0)
    expect(await attempt(PROXY, '198.51.100.8')).toBe(401)
  })

  it('sets Secure cookies when a trusted proxy reports HTTPS, and recognises its own pages', async () => {
    const register = async (from: string, username: string, headers: Record<string, string>) => {
      const account = { username, password: 'a long enough sentence' }
      const reply = await send(from, '/session/register', headers, account)
      return [reply.status, reply.headers['set-cookie']?.[0]?.includes('; Secure')]
    }
    const https = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.20' }
    expect(await register(PROXY, 'ann', https)).toEqual([201, true])
    expect(await register(STRANGER.replace('3', '4'), 'bob', https)).toEqual([201, false])
    expect(await register(PROXY, 'cid', { 'x-forwarded-for': '198.51.100.21' })).toEqual([201, false])
    const page = { origin: 'https://tutti.example', host: 'inside:8080', 'x-forwarded-host': 'tutti.example' }
    expect((await register(PROXY, 'dan', { ...https, ...page }))[0]).toBe(201)
    expect((await register('127.0.0.5', 'eve', { ...https, ...page }))[0]).toBe(403)
    const other = { ...page, origin: 'https://evil.example' }
    expect((await register(PROXY, 'fay', { ...https, ...other }))[0]).toBe(403)
  })

  it('creates the first account, an admin, for local requests only', async () => {
    const empty = await createApp({ config: { people: { registration: 'open' } } })
    const fresh = await startServer({
      app: empty,
      host: '127.0.0.1',
      port: 0,
      version: '0',
      clock: new ManualClock(),
      authenticate: authenticateBy(empty.people),
      resources: resources({ version: '0' }),
      onError: () => undefined,
    })
    const here = { host: new URL(fresh.url).host }
    const register = async (username: string, headers: Record<string, string>) =>
      (await send('127.0.0.1', '/session/register', headers, { username, password: 'a long enough sentence' }, fresh))
        .status
    // A foreign host name that resolves to this server may belong to any site, whose pages then have the same origin.
    const site = { host: 'evil.example', origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' }
    expect(await register('rebound', site)).toBe(403)
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'cf-connecting-ip'])
      expect([name, await register('far', { ...here, [name]: '198.51.100.7' })]).toEqual([name, 403])
    expect(await empty.people.accounts.hasAny()).toBe(false)
    expect(await register('ann', here)).toBe(201)
    expect(await register('ben', site)).toBe(201)
    expect((await empty.people.accounts.list()).map(({ role }) => role)).toEqual(['admin', 'member'])
    await fresh.close()
    await empty.close()
  })

  it.each(['proxy', '10.0.0.0/0', '10.0.0.0/33', '::/0', '10.0.0', '*', '', '10.0.0.1,10.0.0.2', 'true'])(
    'refuses %j as a proxy',
    async (text) => {
      await expect(createApp({ config: { server: { trustProxy: [text] } } })).rejects.toThrow(
        'must be an address such as',
      )
    },
  )
})
