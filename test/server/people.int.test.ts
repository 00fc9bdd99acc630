import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineAgent } from '../../src/domain/actor.ts'
import { codeAt } from '../../src/accounts/one-time-codes.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { startHttpWorld, type Asking, type HttpWorld } from '../support/http-server.ts'
import { startOidcProvider, type OidcProvider } from '../support/oidc-provider.ts'
import { Visitor } from '../support/visitor.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'

const PASSWORD = 'a long enough sentence'
const REDIRECT = 'http://127.0.0.1:9/session/oidc/callback'

let world: HttpWorld
let provider: OidcProvider
beforeAll(async () => {
  provider = await startOidcProvider('tutti')
  world = await startHttpWorld(
    {
      databases: [{ name: 'shop', url: 'sqlite:/nowhere/shop.sqlite' }],
      config: {
        people: {
          registration: 'open',
          oidc: { issuer: provider.url, clientId: 'tutti', clientSecret: 's', redirectUrl: REDIRECT },
        },
      },
    },
    authenticateBy,
  )
})
afterAll(async () => {
  await world.close()
  await provider.close()
})

/** The browser of a user. */
class Browser extends Visitor {
  constructor() {
    super((path, asking) => world.fetch(path, asking))
  }
}

const put = (json: unknown): Asking => ({ method: 'PUT', json })
const ann = new Browser()
const ben = new Browser()
const nobody = new Browser()
let annId = ''
let benId = ''

describe('accounts over HTTP', () => {
  it('sign in the local user until the first account exists, which is an admin', async () => {
    expect(await nobody.json('/session')).toMatchObject({
      caller: { kind: 'demo', userId: 'local' },
      singleSignOn: true,
    })
    const registered = await ann.fetch('/session/register', { json: { username: 'Ann', password: PASSWORD } })
    expect(registered.status).toBe(201)
    const [cookie] = registered.headers.getSetCookie()
    expect(cookie).toMatch(/^tutti_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/)
    const { caller, person } = await ann.json('/session')
    expect(person).toMatchObject({ username: 'Ann', role: 'admin' })
    annId = caller.userId
    expect(await nobody.json('/session')).toEqual({ registration: 'open', singleSignOn: true })
    expect(await nobody.status('/runs')).toBe(401)
    benId = (await ben.json('/session/register', { json: { username: 'ben', password: PASSWORD } })).person.userId
    expect(await ben.json('/session')).toMatchObject({ caller: { role: 'member', kind: 'person' } })
    expect(JSON.stringify(await ann.json('/people'))).not.toMatch(/password|argon2/)
  })

  it('marks the cookie as Secure when the browser uses HTTPS', async () => {
    const host = new URL(world.url).host
    const response = await new Browser().fetch('/session', {
      json: { username: 'ben', password: PASSWORD },
      headers: { origin: `https://${host}`, 'sec-fetch-site': 'same-origin' },
    })
    expect(response.headers.getSetCookie()[0]).toContain('; Secure')
  })

  it('refuses requests from pages of other sites', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect(await ann.status('/people/invitations', { json: {}, headers })).toBe(403)
      expect(await ann.status('/session', { method: 'DELETE', headers })).toBe(403)
    }
    expect(await ann.status('/people/invitations', { json: {} })).toBe(201)
  })

  it('list and end sessions, change passwords, sign out', async () => {
    const phone = new Browser()
    expect(
      await phone.status('/session', {
        json: { username: 'BEN', password: PASSWORD },
        headers: { 'user-agent': 'a phone' },
      }),
    ).toBe(200)
    const { items } = await ben.json('/session/all')
    const { sessionId } = items.find(({ fromWhere }: { fromWhere: string }) => fromWhere === 'a phone')
    expect(items.filter(({ isThis }: { isThis: boolean }) => isThis)).toHaveLength(1)
    expect(await ann.status(`/session/all/${sessionId}`, { method: 'DELETE' })).toBe(404)
    expect(await ben.status(`/session/all/${sessionId}`, { method: 'DELETE' })).toBe(204)
    expect(await phone.status('/session/all')).toBe(401)
    await phone.fetch('/session', { json: { username: 'ben', password: PASSWORD } })
    expect(await ben.status('/session/password', put({ before: 'wrong', after: `${PASSWORD}!` }))).toBe(401)
    expect(await ben.status('/session/password', put({ before: PASSWORD, after: 'short' }))).toBe(400)
    expect(await ben.status('/session/password', put({ before: PASSWORD, after: `${PASSWORD}!` }))).toBe(204)
    expect([await phone.status('/session/all'), await ben.status('/session/all')]).toEqual([401, 200])
    expect(await ben.status('/session', { method: 'DELETE' })).toBe(204)
    expect(await ben.status('/session/all')).toBe(401)
    expect(await ben.status('/session', { json: { username: 'ben', password: `${PASSWORD}!` } })).toBe(200)
  })

  it('let only an admin invite, reset and disable users', async () => {
    for (const [path, asking] of [
      ['/people', {}],
      ['/audit', {}],
      ['/groups', {}],
      ['/grants', {}],
      ['/limits/all', {}],
      ['/people', { json: { username: 'x' } }],
      [`/people/${benId}`, { method: 'PATCH', json: { role: 'admin' } }],
    ] as const) {
      expect([path, await nobody.status(path, asking), await ben.status(path, asking)]).toEqual([path, 401, 403])
    }
    const made = await ann.json('/people', { json: { username: 'cem', role: 'viewer' } })
    expect(await nobody.status('/session/reset', { json: { token: made.token, password: PASSWORD } })).toBe(204)
    const cem = new Browser()
    expect(await cem.status('/session', { json: { username: 'cem', password: PASSWORD } })).toBe(200)
    expect(await cem.status('/query', { json: { question: 'Hello?' } })).toBe(403)
    expect(await ann.status(`/people/${made.person.userId}`, { method: 'PATCH', json: { isDisabled: true } })).toBe(200)
    expect(await cem.status('/session/all')).toBe(401)
    expect(await ann.status(`/people/${annId}`, { method: 'PATCH', json: { role: 'member' } })).toBe(400)
    const { items } = await ann.json('/audit')
    expect(items[0]).toMatchObject({ changedBy: annId, action: 'disable person', target: made.person.userId })
  })

  it('give keys the rights of their scopes, and no cookie replaces an invalid key', async () => {
    const { key, record } = await ben.json('/keys', { json: { name: 'script', scopes: ['read'] } })
    const by = (text: string): Asking => ({ headers: { authorization: `Bearer ${text}` } })
    expect(await nobody.status('/runs', by(key))).toBe(200)
    expect(await nobody.status('/query', { json: { question: 'Hello?' }, ...by(key) })).toBe(403)
    expect(await nobody.status('/keys', { json: { scopes: ['admin'] }, ...by(key) })).toBe(403)
    expect(await ben.status('/runs', by('tutti_made-up'))).toBe(401)
    expect(await ann.status(`/keys/${record.keyId}`, { method: 'DELETE' })).toBe(404)
    expect(await ben.status(`/keys/${record.keyId}`, { method: 'DELETE' })).toBe(204)
    expect(await nobody.status('/runs', by(key))).toBe(401)
  })

  it('accept names or ids for limits and grants, and refuse unknown ones', async () => {
    const { groupId } = await ann.json('/groups', { json: { name: 'buyers' } })
    const limit = (to: string, measure = 'runs', period = 'day') =>
      ann.status('/limits', put({ to, measure, period, most: 900 }))
    expect([await limit('group:buyers'), await limit('user:cem')]).toEqual([204, 204])
    expect((await ann.json('/limits/all')).items).toMatchObject([
      { to: `group:${groupId}` },
      { to: expect.stringMatching(/^user:[\da-f-]{36}$/) },
    ])
    expect([await limit('group:nobody'), await limit('user:nobody-here')]).toEqual([404, 404])
    expect(await limit('group:buyers', 'storage', 'ever')).toBe(400)
    const give = (to: string, source = 'database:shop') => ann.status('/grants', put({ source, to, level: 'reader' }))
    expect(await give('group:buyers', 'database:nope')).toBe(404)
    expect(await ann.status('/grants', put({ source: 'database:shop', to: 'group:buyers' }))).toBe(404)
    const drop = { method: 'DELETE' }
    expect(await ann.status('/groups/buyers/members/cem', drop)).toBe(404)
    expect([await give('group:buyers'), await give('user:ben'), await give('group:nobody')]).toEqual([204, 204, 404])
    expect(JSON.stringify(await ann.json('/grants'))).toContain(`"group:${groupId}"`)
    for (const to of ['group:buyers', 'user:cem']) {
      expect(await ann.status('/limits', put({ to, measure: 'runs', period: 'day' }))).toBe(204)
    }
  })

  it('apply limits to users, with a sentence', async () => {
    expect(await ann.status('/limits', put({ to: `user:${benId}`, measure: 'runs', period: 'day', most: 1 }))).toBe(204)
    expect(
      await ann.status('/limits', put({ to: `user:${benId}`, measure: 'tokens', period: 'day', most: 1000 })),
    ).toBe(204)
    const asked = await ben.fetch('/query', { json: { question: 'What is 2 + 3?' } })
    expect(asked.status).toBe(200)
    const refused = await ben.fetch('/query', { json: { question: 'What is 2 + 3?' } })
    expect(refused.status).toBe(429)
    expect(((await refused.json()) as { detail: string }).detail).toMatch(
      /^You reached the limit of 1 run per day\. It is reset on \d{4}-\d\d-\d\d at 00:00 UTC/,
    )
    const { items } = await ben.json('/limits')
    expect(items).toMatchObject([
      { measure: 'runs', most: 1, used: 1 },
      { measure: 'tokens', most: 1000, used: 0 },
    ])
    const [run] = await world.app.as(benId).runs.runs()
    expect((await world.app.as(benId).runs.state(run!.runId)).request.budget).toEqual({ maxTokens: 250 })
    await expect(world.app.as(benId).runs.fork(run!.runId, 'plan:1')).rejects.toThrow('limit of 1 run per day')
  })
})

describe('single sign-on', () => {
  const signOn = (browser: Browser): Promise<Response> => browser.signOn()

  it('creates an account from the provider’s claims, with existing groups', async () => {
    const { groupId } = await ann.json('/groups', { json: { name: 'sales' } })
    provider.user = {
      sub: '42',
      preferred_username: 'dora',
      name: 'Dora D',
      email: 'dora@corp.test',
      groups: ['sales', 'else'],
    }
    const dora = new Browser()
    expect((await signOn(dora)).headers.get('location')).toBe('/')
    const { caller, person } = await dora.json('/session')
    expect(person).toMatchObject({ username: 'dora', displayName: 'Dora D', email: 'dora@corp.test', role: 'member' })
    expect(caller.groups).toEqual([groupId])
    provider.user = { ...provider.user, groups: [] }
    const again = new Browser()
    await signOn(again)
    expect((await again.json('/session')).caller).toEqual({ ...caller, groups: [] })
  })

  it('clears its cookie in the browser, with any result', async () => {
    provider.user = { sub: '45', preferred_username: 'finn' }
    for (const lie of [{}, { nonce: 'other' }]) {
      provider.tamper = (claims) => ({ ...claims, ...lie })
      const ended = await signOn(new Browser())
      expect(ended.status).toBe('nonce' in lie ? 401 : 302)
      const taken = ended.headers.getSetCookie().find((cookie) => cookie.startsWith('tutti_sign_on='))
      expect(taken).toMatch(/^tutti_sign_on=; Path=\/; HttpOnly; SameSite=Lax; Max-Age=0$/)
    }
    provider.tamper = (claims) => claims
  })

  it('does not match an existing name or address to a new subject', async () => {
    provider.user = { sub: '43', preferred_username: 'Ann', email: 'ann@corp.test', groups: 'sales' }
    const other = new Browser()
    await signOn(other)
    const { person } = await other.json('/session')
    expect(person.userId).not.toBe(annId)
    expect(person).toMatchObject({ username: 'user-43', role: 'member' })
  })

  it('redirects a user whom the provider refused to the sign-in page', async () => {
    const answered = await new Browser().fetch('/session/oidc/callback?error=access_denied', {
      headers: { accept: 'text/html,*/*' },
    })
    expect([answered.status, answered.headers.get('location')]).toEqual([302, '/#sign-on=failed'])
    // The operator sees the reason of the forged sign-ins above.
    expect(world.trouble.map(({ message }) => message).join()).toContain('Signing in with the provider failed: ')
  })

  it('reveals nothing about a provider that is down', async () => {
    const gone = createServer()
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
    const { port } = gone.address() as AddressInfo
    await new Promise((resolve) => gone.close(resolve))
    const oidc = { issuer: `http://127.0.0.1:${port}`, clientId: 'x', redirectUrl: REDIRECT }
    const other = await startHttpWorld({ config: { people: { oidc } } }, authenticateBy)
    await other.app.people.accounts.add('', { username: 'ann' })
    const response = await other.fetch('/session/oidc', { as: null })
    expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining(String(port))])
    expect(other.trouble.map(({ message }) => message).join()).toContain(String(port))
    await other.close()
  })
})

it('locks out strangers who guess passwords, but not a known browser', async () => {
  const own = await startHttpWorld({}, authenticateBy)
  try {
    const { accounts } = own.app.people
    for (const username of ['ann', 'ben']) await accounts.add('', { username, password: PASSWORD })
    const signIn = (username: string, password: string, cookie = '') =>
      own.fetch('/session', { as: null, json: { username, password }, headers: { cookie } })
    const known = async (username: string): Promise<string> => {
      const set = (await signIn(username, PASSWORD)).headers.getSetCookie()
      return /^tutti_known=[^;]+/.exec(set.find((cookie) => cookie.startsWith('tutti_known='))!)![0]
    }
    const [ofAnn, ofBen] = [await known('ann'), await known('ben')]
    for (let i = 0; i < 5; i++) await signIn('ann', 'a guess')
    for (const cookie of ['', ofBen, 'tutti_known=AAAA']) {
      expect((await signIn('ann', PASSWORD, cookie)).status, cookie).toBe(401)
    }
    expect((await signIn('ann', PASSWORD, ofAnn)).status).toBe(200)
    // The known browser has few attempts, and none after a password change.
    for (let i = 0; i < 5; i++) expect((await signIn('ANN', 'a guess', ofAnn)).status).toBe(401)
    const often = await signIn('ann', PASSWORD, ofAnn)
    expect(often.status).toBe(429)
    expect(Number(often.headers.get('retry-after'))).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 60)
    const { userId } = await accounts.find('ben')
    await accounts.reset(await accounts.createResetToken('', userId), `${PASSWORD}!`)
    for (let i = 0; i < 5; i++) await signIn('ben', 'a guess')
    expect((await signIn('ben', `${PASSWORD}!`, ofBen)).status).toBe(401)
  } finally {
    await own.close()
  }
})

it('asks for the second factor at sign-in and for a new password, until an admin removes it', async () => {
  const clock = new ManualClock(Date.UTC(2026, 3, 1))
  const own = await startHttpWorld({ clock }, authenticateBy)
  try {
    const { userId } = await own.app.people.accounts.add('', { username: 'ann', password: PASSWORD })
    const headers = { cookie: `tutti_session=${await own.app.people.signIn.sessions.start(userId, '')}` }
    const send = async (path: string, asking: Asking) => {
      const answer = await own.fetch(path, { as: null, headers, ...asking })
      return { status: answer.status, said: await answer.text() }
    }
    const begun = await send('/session/second-factor', { json: { password: PASSWORD } })
    const { secret } = JSON.parse(begun.said) as { secret: string }
    const code = () => codeAt(secret, clock.now())
    expect((await send('/session/second-factor/confirm', { json: { code: code() } })).status).toBe(204)
    // Asking for a code that the endpoint does not accept would be a dead end.
    const again = await send('/session/second-factor', { json: { password: PASSWORD } })
    expect(again).toMatchObject({ status: 400, said: expect.stringContaining('Remove it first') })
    const change = { before: PASSWORD, after: `${PASSWORD}!` }
    const without = await send('/session/password', put(change))
    expect(without).toMatchObject({ status: 401, said: expect.stringContaining('code of your authenticator app') })
    await clock.advance(60_000)
    expect((await send('/session/password', put({ ...change, code: '000000' }))).status).toBe(401)
    expect((await send('/session/password', put({ ...change, code: code() }))).status).toBe(204)
    expect((await send('/session/all', {})).status).toBe(200)
    const signIn = async (more: object) =>
      (await own.fetch('/session', { as: null, json: { username: 'ann', password: change.after, ...more } })).status
    await clock.advance(60_000)
    expect([await signIn({}), await signIn({ code: code() })]).toEqual([401, 200])
    await own.app.people.signIn.clearSecondFactor(userId, userId)
    expect(await signIn({})).toBe(200)
  } finally {
    await own.close()
  }
})

it('lets users export and erase their data after they authenticate again', async () => {
  const own = await startHttpWorld({}, authenticateBy)
  try {
    const { accounts, signIn } = own.app.people
    await accounts.add('', { username: 'ann' })
    const { userId } = await accounts.add('', { username: 'ben', password: PASSWORD })
    const { userId: cleoId } = await accounts.add('', { username: 'cleo' })
    const as = async (id: string) => ({ cookie: `tutti_session=${await signIn.sessions.start(id, '')}` })
    const [mine, admins] = [await as(userId), await as((await accounts.find('ann')).userId)]
    const send = (path: string, headers: Record<string, string>, more: Asking = {}) =>
      own.fetch(path, { as: null, headers, ...more })
    const json = { password: PASSWORD }
    for (const path of ['/session/export', '/session/erase']) {
      expect((await send(path, mine, { json: { password: 'wrong' } })).status).toBe(401)
    }
    const archive = await send('/session/export', mine, { json })
    expect(archive.headers.get('content-type')).toBe('application/gzip')
    expect(new Uint8Array(await archive.arrayBuffer()).slice(0, 2)).toEqual(new Uint8Array([0x1f, 0x8b]))
    expect((await send('/people/cleo/export', admins)).status).toBe(200)
    expect((await send('/session/erase', mine, { json })).status).toBe(204)
    expect((await send('/session/all', mine)).status).toBe(401)
    expect((await send(`/people/${cleoId}`, admins, { method: 'DELETE' })).status).toBe(204)
    expect((await send(`/people/${cleoId}`, admins, { method: 'DELETE' })).status).toBe(404)
    expect((await send('/people/ann', admins, { method: 'DELETE' })).status).toBe(400)
    expect((await accounts.list()).map(({ username }) => username)).toEqual(['ann'])
  } finally {
    await own.close()
  }
})

it('ends an open stream of a disabled user', async () => {
  const clock = new ManualClock()
  const waiter = defineAgent({
    name: 'waiter',
    description: 'Waits.',
    capabilities: [],
    useCases: [],
    keywords: ['patience'],
    run: () => new Promise(() => undefined),
  })
  const own = await startHttpWorld({ clock, agents: [waiter] }, authenticateBy)
  try {
    const { accounts, signIn } = own.app.people
    const { userId: admin } = await accounts.add('', { username: 'ann' })
    const { userId } = await accounts.add('', { username: 'ben' })
    const headers = { cookie: `tutti_session=${await signIn.sessions.start(userId, '')}` }
    const runId = await own.app.as(userId).start('Have patience')
    const stream = await own.fetch(`/runs/${runId}/events`, { as: null, headers })
    expect(stream.status).toBe(200)
    const whole = stream.text()
    const { key, record } = await own.app.people.keys.create(userId, { name: 'mcp', scopes: ['read'] })
    const rpc = { accept: 'application/json, text/event-stream', authorization: `Bearer ${key}` }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
    const json = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
    const begun = await own.fetch('/mcp', { as: null, headers: rpc, json })
    const session = { ...rpc, 'mcp-session-id': begun.headers.get('mcp-session-id')! }
    await begun.text()
    const listening = await own.fetch('/mcp', { as: null, headers: session })
    expect(listening.status).toBe(200)
    const heard = listening.text().then(
      () => 'ended',
      () => 'cut off',
    )
    await clock.advance(15_000)
    await own.app.people.keys.revoke(userId, record.keyId)
    await clock.advance(15_000)
    expect(await heard).toBe('cut off')
    expect((await own.fetch('/mcp', { as: null, headers: session })).status).toBe(401)
    await accounts.setDisabled(admin, userId, true)
    await clock.advance(15_000)
    expect(await whole).not.toContain('event: done')
    await own.app.as(userId).runs.cancel(runId, userId)
  } finally {
    await own.close()
  }
})

it('marks every cookie as Secure when the provider redirects to HTTPS', async () => {
  const oidc = {
    issuer: provider.url,
    clientId: 'tutti',
    clientSecret: 's',
    redirectUrl: 'https://tutti.test/session/oidc/callback',
  }
  const own = await startHttpWorld({ config: { people: { oidc } } }, authenticateBy)
  try {
    await own.app.people.accounts.add('', { username: 'ann' })
    const begun = await own.fetch('/session/oidc', { as: null, redirect: 'manual' })
    expect(begun.headers.getSetCookie()[0]).toMatch(/^tutti_sign_on=.*; Secure$/)
  } finally {
    await own.close()
  }
})
