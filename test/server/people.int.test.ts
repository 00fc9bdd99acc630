import { describe, expect, it } from 'vitest'
import { authenticateBy } from '../../src/server/session/authenticate.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { agent } from '../support/engine-world.ts'
import { startHttpWorld, type Asking } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'
import { Visitor } from '../support/visitor.ts'

const PASSWORD = 'a long enough sentence'

const clock = new ManualClock(Date.now())
const waiter = agent('waiter', () => new Promise(() => undefined), { keywords: ['patience'] })
const world = openForAll(() =>
  startHttpWorld(
    {
      clock,
      agents: [waiter],
      databases: [{ name: 'shop', url: 'sqlite:/nowhere/shop.sqlite' }],
      config: { people: { registration: 'open' } },
    },
    authenticateBy,
  ),
)

/** The browser of a user. */
const browser = (): Visitor => new Visitor((path, asking) => world.fetch(path, asking))
const put = (json: unknown): Asking => ({ method: 'PUT', json })
const [ann, ben, nobody] = [browser(), browser(), browser()]
let annId = ''
let benId = ''

describe('accounts over HTTP', () => {
  it('sign in the local user until the first account exists, which is an admin', async () => {
    expect(await nobody.json('/session')).toMatchObject({ caller: { kind: 'demo', userId: 'local' } })
    const registered = await ann.fetch('/session/register', { json: { username: 'Ann', password: PASSWORD } })
    expect(registered.status).toBe(201)
    const [cookie] = registered.headers.getSetCookie()
    expect(cookie).toMatch(/^tutti_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/)
    const { caller, person } = await ann.json('/session')
    expect(person).toMatchObject({ username: 'Ann', role: 'admin' })
    annId = caller.userId
    expect(await nobody.json('/session')).toMatchObject({ registration: 'open' })
    expect(await nobody.status('/runs')).toBe(401)
    benId = (await ben.json('/session/register', { json: { username: 'ben', password: PASSWORD } })).person.userId
    expect(await ben.json('/session')).toMatchObject({ caller: { role: 'member', kind: 'person' } })
    expect(JSON.stringify(await ann.json('/people'))).not.toMatch(/password|argon2/)
  })

  it('mark the cookie as Secure when the browser uses HTTPS', async () => {
    const headers = { origin: `https://${new URL(world.url).host}`, 'sec-fetch-site': 'same-origin' }
    const response = await browser().fetch('/session', { json: { username: 'ben', password: PASSWORD }, headers })
    expect(response.headers.getSetCookie()[0]).toContain('; Secure')
  })

  it('refuse requests from pages of other sites', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect(await ann.status('/groups', { json: { name: 'other' }, headers })).toBe(403)
      expect(await ann.status('/session', { method: 'DELETE', headers })).toBe(403)
    }
    expect(await ann.status('/groups', { json: { name: 'other' } })).toBe(201)
  })

  it('list and end sessions, change passwords, sign out', async () => {
    const phone = browser()
    const signIn = { json: { username: 'BEN', password: PASSWORD }, headers: { 'user-agent': 'a phone' } }
    expect(await phone.status('/session', signIn)).toBe(200)
    const { items } = await ben.json<{ items: Record<string, unknown>[] }>('/session/all')
    const { sessionId } = items.find(({ fromWhere }) => fromWhere === 'a phone')!
    expect(items.filter(({ isThis }) => isThis)).toHaveLength(1)
    expect(await ann.status(`/session/all/${sessionId}`, { method: 'DELETE' })).toBe(404)
    expect(await ben.status(`/session/all/${sessionId}`, { method: 'DELETE' })).toBe(204)
    expect(await phone.status('/session/all')).toBe(401)
    await phone.fetch('/session', signIn)
    expect(await ben.status('/session/password', put({ before: 'wrong', after: `${PASSWORD}!` }))).toBe(401)
    expect(await ben.status('/session/password', put({ before: PASSWORD, after: 'short' }))).toBe(400)
    expect(await ben.status('/session/password', put({ before: PASSWORD, after: `${PASSWORD}!` }))).toBe(204)
    expect([await phone.status('/session/all'), await ben.status('/session/all')]).toEqual([401, 200])
    expect(await ben.status('/session', { method: 'DELETE' })).toBe(204)
    expect(await ben.status('/session/all')).toBe(401)
    expect(await ben.status('/session', { json: { username: 'ben', password: `${PASSWORD}!` } })).toBe(200)
  })

  it('are created, reset and disabled by an admin', async () => {
    const made = await ann.json('/people', { json: { username: 'cem', role: 'viewer' } })
    expect(await nobody.status('/session/reset', { json: { token: made.token, password: PASSWORD } })).toBe(204)
    const cem = browser()
    expect(await cem.status('/session', { json: { username: 'cem', password: PASSWORD } })).toBe(200)
    expect(await cem.status('/query', { json: { question: 'Hello?' } })).toBe(403)
    const patch = (id: string, json: object) => ann.status(`/people/${id}`, { method: 'PATCH', json })
    expect(await patch(made.person.userId, { isDisabled: true })).toBe(200)
    expect(await cem.status('/session/all')).toBe(401)
    expect(await patch(annId, { role: 'member' })).toBe(400)
    const { items } = await ann.json('/audit')
    expect(items[0]).toMatchObject({ changedBy: annId, action: 'disable person', target: made.person.userId })
  })

  it('have keys, which another user cannot revoke, and whose place no cookie takes', async () => {
    const { record } = await ben.json('/keys', { json: { name: 'script', scopes: ['read'] } })
    expect(await ben.status('/runs', { headers: { authorization: 'Bearer tutti_made-up' } })).toBe(401)
    expect(await ann.status(`/keys/${record.keyId}`, { method: 'DELETE' })).toBe(404)
    expect(await ben.status(`/keys/${record.keyId}`, { method: 'DELETE' })).toBe(204)
  })

  it('are named in limits and grants by name or id; unknown ones are refused', async () => {
    const { groupId } = await ann.json('/groups', { json: { name: 'buyers' } })
    const limit = (to: string) => ann.status('/limits', put({ to, measure: 'runs', period: 'day', most: 900 }))
    expect([await limit('group:buyers'), await limit('user:cem')]).toEqual([204, 204])
    expect((await ann.json('/limits/all')).items).toMatchObject([
      { to: `group:${groupId}` },
      { to: expect.stringMatching(/^user:[\da-f-]{36}$/) },
    ])
    expect([await limit('group:nobody'), await limit('user:nobody-here')]).toEqual([404, 404])
    const give = (to: string, source = 'database:shop') => ann.status('/grants', put({ source, to, level: 'reader' }))
    expect(await give('group:buyers', 'database:nope')).toBe(404)
    expect(await ann.status('/grants', put({ source: 'database:shop', to: 'group:buyers' }))).toBe(404)
    expect(await ann.status('/groups/buyers/members/cem', { method: 'DELETE' })).toBe(404)
    expect([await give('group:buyers'), await give('user:ben'), await give('group:nobody')]).toEqual([204, 204, 404])
    expect(JSON.stringify(await ann.json('/grants'))).toContain(`"group:${groupId}"`)
    for (const to of ['group:buyers', 'user:cem']) {
      expect(await ann.status('/limits', put({ to, measure: 'runs', period: 'day' }))).toBe(204)
    }
  })

  it('are limited in runs, also of forks, and in the tokens of each run', async () => {
    for (const [measure, most] of [
      ['runs', 1],
      ['tokens', 1000],
    ]) {
      expect(await ann.status('/limits', put({ to: `user:${benId}`, measure, period: 'day', most }))).toBe(204)
    }
    expect(await ben.status('/query', { json: { question: 'What is 2 + 3?' } })).toBe(200)
    expect(await ben.status('/query', { json: { question: 'What is 2 + 3?' } })).toBe(429)
    expect((await ben.json('/limits')).items).toMatchObject([
      { measure: 'runs', most: 1, used: 1 },
      { measure: 'tokens', most: 1000, used: 0 },
    ])
    const { runs } = world.app.as(benId)
    const [run] = await runs.runs()
    expect((await runs.state(run!.runId)).request.budget).toEqual({ maxTokens: 250 })
    await expect(runs.fork(run!.runId, 'plan:1')).rejects.toThrow('limit of 1 run per day')
    for (const measure of ['runs', 'tokens']) {
      await ann.fetch('/limits', put({ to: `user:${benId}`, measure, period: 'day' }))
    }
  })

  it('lose their open streams when the key is revoked or the user is disabled', async () => {
    const runId = await world.app.as(benId).start('Have patience')
    const stream = await ben.fetch(`/runs/${runId}/events`)
    expect(stream.status).toBe(200)
    const whole = stream.text()
    const { key, record } = await world.app.people.keys.create(benId, { name: 'mcp', scopes: ['ask'] })
    const headers = { accept: 'application/json, text/event-stream', authorization: `Bearer ${key}` }
    const params = { name: 'ask', arguments: { question: 'Have patience' } }
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const listening = world.fetch('/mcp', { as: null, headers, json })
    const heard = listening
      .then((response) => response.text())
      .then(
        () => 'ended',
        () => 'cut off',
      )
    await clock.advance(15_000)
    await world.app.people.keys.revoke(benId, record.keyId)
    await clock.advance(15_000)
    expect(await heard).toBe('cut off')
    expect(await world.status('/mcp', { as: null, headers, json })).toBe(401)
    await world.app.people.accounts.setDisabled(annId, benId, true)
    await clock.advance(15_000)
    expect(await whole).not.toContain('event: done')
    await world.app.as(benId).runs.cancel(runId, benId)
    await world.app.people.accounts.setDisabled(annId, benId, false)
  })

  it('are exported and erased after the user authenticates again, or by an admin', async () => {
    await ben.fetch('/session', { json: { username: 'ben', password: `${PASSWORD}!` } })
    const again = { json: { password: `${PASSWORD}!` } }
    for (const path of ['/session/export', '/session/erase']) {
      expect(await ben.status(path, { json: { password: 'wrong' } })).toBe(401)
    }
    const archive = await ben.fetch('/session/export', again)
    expect(archive.headers.get('content-type')).toBe('application/gzip')
    expect(new Uint8Array(await archive.arrayBuffer()).slice(0, 2)).toEqual(new Uint8Array([0x1f, 0x8b]))
    expect(await ann.status('/people/cem/export')).toBe(200)
    expect(await ben.status('/session/erase', again)).toBe(204)
    expect(await ben.status('/session/all')).toBe(401)
    const { userId } = await world.app.people.accounts.find('cem')
    expect(await ann.status(`/people/${userId}`, { method: 'DELETE' })).toBe(204)
    expect(await ann.status(`/people/${userId}`, { method: 'DELETE' })).toBe(404)
    expect(await ann.status('/people/ann', { method: 'DELETE' })).toBe(400)
    expect((await world.app.people.accounts.list()).map(({ username }) => username)).toEqual(['Ann'])
  })
})
