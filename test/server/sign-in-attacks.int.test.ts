import { beforeAll, expect, it } from 'vitest'
import { codeAt } from '../../src/accounts/one-time-codes.ts'
import { MAX_PER_MINUTE_KNOWN } from '../../src/server/session/attempts.ts'
import { resources } from '../../src/server/resources.ts'
import { startServer } from '../../src/server/server.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { startHttpWorld, type Asking } from '../support/http-server.ts'
import { Visitor } from '../support/visitor.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'
import { openForAll } from '../support/opened.ts'

/** Attackers who guess passwords and codes, or lock others out by guessing. */

const PASSWORD = 'a long enough sentence'
const MINUTE_MS = 60_000
const clock = new ManualClock(Date.UTC(2026, 3, 1))

const world = openForAll(() => startHttpWorld({ clock }, authenticateBy))
beforeAll(async () => {
  await world.app.people.accounts.add('', { username: 'root' })
})

const visitor = (): Visitor => new Visitor((path, asking) => world.fetch(path, asking))
const put = (json: unknown): Asking => ({ method: 'PUT', json })
const drop = (json: unknown): Asking => ({ method: 'DELETE', json })
const signIn = (who: Visitor, username: string, more: object = {}) =>
  who.status('/session', { json: { username, password: PASSWORD, ...more } })

/** A signed-in user on their own device. */
async function person(username: string): Promise<{ readonly userId: string; readonly own: Visitor }> {
  const { userId } = await world.app.people.accounts.add('', { username, password: PASSWORD })
  const own = visitor()
  own.cookies.set('tutti_session', await world.app.people.signIn.sessions.start(userId, 'own'))
  return { userId, own }
}

async function withFactor(username: string) {
  const one = await person(username)
  const { secret } = await one.own.json('/session/second-factor', { json: { password: PASSWORD } })
  const confirm = { json: { code: codeAt(secret, clock.now()) } }
  expect(await one.own.status('/session/second-factor/confirm', confirm)).toBe(204)
  return { ...one, secret: secret as string }
}

it('accepts no code twice, at any endpoint, and the next one only a step later', async () => {
  const { own, secret } = await withFactor('ann')
  await clock.advance(2 * MINUTE_MS)
  const code = codeAt(secret, clock.now())
  expect(await signIn(visitor(), 'ann', { code })).toBe(200)
  // Nor the code of the previous step, which is accepted for clock differences.
  for (const used of [
    code,
    ` ${code} `,
    `${code.slice(0, 3)} ${code.slice(3)}`,
    codeAt(secret, clock.now() - 30_000),
  ]) {
    await clock.advance(1)
    expect(await signIn(visitor(), 'ann', { code: used })).toBe(401)
    expect(await own.status('/session/second-factor', drop({ password: PASSWORD, code: used }))).toBe(401)
  }
  await clock.advance(20 * MINUTE_MS)
  const fresh = codeAt(secret, clock.now())
  const change = { before: PASSWORD, after: PASSWORD, code: fresh }
  expect(await own.status('/session/password', put(change))).toBe(204)
  expect(await signIn(visitor(), 'ann', { code: fresh })).toBe(401)
})

it('removes no second factor with only a session, or only a password', async () => {
  const { own, userId, secret } = await withFactor('ben')
  const path = '/session/second-factor'
  await clock.advance(MINUTE_MS)
  expect(await own.status(path, drop({ password: PASSWORD }))).toBe(401)
  expect(await own.status(path, drop({ password: 'another sentence', code: codeAt(secret, clock.now()) }))).toBe(401)
  // A password alone does not replace its secret either.
  expect(await own.status(path, { json: { password: PASSWORD } })).toBe(400)
  // A password reset by a link keeps the second factor.
  const { accounts } = world.app.people
  await accounts.reset(await accounts.createResetToken('', userId), PASSWORD)
  expect(await signIn(visitor(), 'ben')).toBe(401)
  expect((await accounts.find('ben')).hasSecondFactor).toBe(true)
})

it('delays code guesses with the right password as long as password guesses', async () => {
  const { secret } = await withFactor('cem')
  const code = () => codeAt(secret, clock.now())
  await clock.advance(MINUTE_MS)
  for (let i = 0; i < 5; i++) expect(await signIn(visitor(), 'cem', i % 2 === 0 ? { code: '000000' } : {})).toBe(401)
  for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
    await clock.advance(minutes * MINUTE_MS - 1)
    // The right code is not checked, and stays valid.
    expect(await signIn(visitor(), 'cem', { code: code() })).toBe(401)
    await clock.advance(1)
    expect(await signIn(visitor(), 'cem', { code: '000000' })).toBe(401)
  }
  await clock.advance(60 * MINUTE_MS)
  expect(await signIn(visitor(), 'cem', { code: code() })).toBe(200)
})

it('lets no stranger prevent a signed-in user from changing the password', async () => {
  const { own } = await person('dee')
  for (let i = 0; i < 8; i++) expect(await signIn(visitor(), 'dee', { password: 'a guess' })).toBe(401)
  expect(await signIn(visitor(), 'dee')).toBe(401)
  await clock.advance(MINUTE_MS)
  await signIn(visitor(), 'dee', { password: 'a guess' })
  const { secret } = await own.json('/session/second-factor', { json: { password: PASSWORD } })
  const code = codeAt(secret, clock.now())
  expect(await own.status('/session/second-factor/confirm', { json: { code } })).toBe(204)
  await clock.advance(MINUTE_MS)
  const next = codeAt(secret, clock.now())
  expect(await own.status('/session/second-factor', drop({ password: PASSWORD, code: next }))).toBe(204)
  expect(await own.status('/session/password', put({ before: PASSWORD, after: `${PASSWORD}!` }))).toBe(204)
  expect(await own.status('/session/export', { json: { password: `${PASSWORD}!` } })).toBe(200)
})

it('does not count attempts of strangers at the same address for a known browser and a signed-in user', async () => {
  const { own } = await person('ivy')
  await clock.advance(MINUTE_MS)
  expect(await signIn(own, 'ivy')).toBe(200)
  await clock.advance(MINUTE_MS)
  for (let i = 0; i < 31; i++) await signIn(visitor(), `nobody${i}`, { password: 'a guess' })
  expect(await signIn(visitor(), 'ivy')).toBe(429)
  expect(await own.status('/session/export', { json: { password: PASSWORD } })).toBe(200)
  expect(await own.status('/session/password', put({ before: PASSWORD, after: `${PASSWORD}!` }))).toBe(204)
  // The browser in which the password was changed is still known.
  expect(await signIn(own, 'ivy', { password: `${PASSWORD}!` })).toBe(200)
  const wrong: number[] = []
  for (let i = 0; i < 7; i++) wrong.push(await signIn(own, 'ivy', { password: 'a guess' }))
  expect(wrong).toEqual([...Array(MAX_PER_MINUTE_KNOWN).fill(401), 429, 429])
})

it('does not lock a name for wrong codes and passwords in its own settings, and limits them', async () => {
  const { own, userId, secret } = await withFactor('kim')
  const { own: other } = await person('leo')
  await other.json('/session/second-factor', { json: { password: PASSWORD } })
  const change = put({ before: PASSWORD, after: PASSWORD, code: '000000' })
  const statuses: number[] = []
  for (let minute = 0; minute < 2; minute++) {
    await clock.advance(MINUTE_MS)
    for (let i = 0; i < 6; i++) {
      statuses.push(await own.status('/session/password', change))
      statuses.push(await other.status('/session/second-factor/confirm', { json: { code: '000000' } }))
    }
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(4 * MAX_PER_MINUTE_KNOWN)
  expect(statuses.filter((status) => status === 429)).toHaveLength(4)
  await clock.advance(MINUTE_MS)
  expect(await signIn(visitor(), 'kim', { code: codeAt(secret, clock.now()) })).toBe(200)
  expect(await signIn(visitor(), 'leo')).toBe(200)
  expect((await world.app.people.accounts.byId(userId))?.hasSecondFactor).toBe(true)
})

it('refuses a common password, in any case, at every endpoint', async () => {
  const { accounts } = world.app.people
  const { userId, own } = await person('mia')
  const invitation = await accounts.invite((await accounts.find('root')).userId)
  const token = await accounts.createResetToken('', userId)
  await clock.advance(MINUTE_MS)
  const password = 'Password123'
  expect(await visitor().status('/session/register', { json: { username: 'ned', password, invitation } })).toBe(400)
  expect(await visitor().status('/session/reset', { json: { token, password } })).toBe(400)
  expect(await own.status('/session/password', put({ before: PASSWORD, after: password }))).toBe(400)
  const spellings = ['QWERTYUIOP', ' qwerty uiop ', 'qwerty\u200Buiop', 'ｑｗｅｒｔｙｕｉｏｐ']
  for (const password of spellings)
    await expect(accounts.add('', { username: 'ned', password })).rejects.toThrow('common')
  const wide = { username: 'ned-the-admin', password: 'ｎｅｄ-ｔｈｅ-ａｄｍｉｎ' }
  await expect(accounts.add('', wide)).rejects.toThrow('too similar to the username')
  // Neither the link nor the invitation is used up.
  expect(await visitor().status('/session/reset', { json: { token, password: `${PASSWORD}?` } })).toBe(204)
  expect(
    await visitor().status('/session/register', { json: { username: 'ned', password: PASSWORD, invitation } }),
  ).toBe(201)
})

it('lets the holder of a stolen session try few passwords, from any number of addresses', async () => {
  const { own } = await person('eve')
  await clock.advance(MINUTE_MS)
  const asked: [string, Asking][] = [
    ['/session/password', put({ before: 'a guess', after: PASSWORD })],
    ['/session/second-factor', { json: { password: 'a guess' } }],
    ['/session/second-factor', drop({ password: 'a guess' })],
  ]
  const statuses: number[] = []
  for (let i = 0; i < 9; i++) statuses.push(await own.status(...asked[i % 3]!))
  expect(statuses).toEqual([...Array(MAX_PER_MINUTE_KNOWN).fill(401), ...Array(9 - MAX_PER_MINUTE_KNOWN).fill(429)])
  const erase = async (): Promise<readonly number[]> => {
    const erasing: number[] = []
    for (let i = 0; i < 9; i++) erasing.push(await own.status('/session/erase', { json: { password: 'a guess' } }))
    return erasing.filter((status) => status === 401)
  }
  // All endpoints share the same attempts.
  expect(await erase()).toEqual([])
  await clock.advance(MINUTE_MS)
  expect(await erase()).toHaveLength(MAX_PER_MINUTE_KNOWN)
  expect(await own.status('/session/all')).toBe(200)
})

it('accepts a reset link once, also in parallel, and ends sessions of the old password', async () => {
  const { userId, own } = await person('fay')
  const { accounts } = world.app.people
  const token = await accounts.createResetToken('', userId)
  await clock.advance(MINUTE_MS)
  const chosen = Array.from({ length: 6 }, (_, i) => `${PASSWORD} ${i}`)
  const [used, late] = await Promise.all([
    Promise.all(chosen.map((password) => visitor().status('/session/reset', { json: { token, password } }))),
    // Sign-ins with the old password during the change may fail, and their sessions end.
    Promise.all(
      Array.from({ length: 6 }, async () => {
        const who = visitor()
        await signIn(who, 'fay')
        return who
      }),
    ),
  ])
  expect(used.toSorted()).toEqual([204, 403, 403, 403, 403, 403])
  const good: number[] = []
  for (const [i, password] of chosen.entries()) {
    // Any lock of the name has expired by then.
    await clock.advance(60 * MINUTE_MS)
    if ((await signIn(visitor(), 'fay', { password })) === 200) good.push(i)
  }
  expect(good).toEqual([used.indexOf(204)])
  for (const who of [own, ...late]) expect(await who.status('/session/all')).toBe(401)
})

it('starts a new session at each sign-in, and never a planted one', async () => {
  await person('gus')
  const who = visitor()
  const seen = new Set<string>()
  for (const planted of ['', 'x'.repeat(43), '../x', 'tutti_session=y']) {
    who.cookies.set('tutti_session', planted)
    await clock.advance(MINUTE_MS)
    expect(await signIn(who, 'gus')).toBe(200)
    seen.add(who.cookies.get('tutti_session')!)
    const other = visitor()
    other.cookies.set('tutti_session', planted)
    expect(await other.status('/session/all')).toBe(401)
  }
  expect(seen.size).toBe(4)
  for (const token of seen) expect(token).toMatch(/^[\w-]{43}$/)
})

it('allows no more guesses with more processes', async () => {
  const { own } = await person('hal')
  const { app } = world
  const parts = { app, host: '127.0.0.1', port: 0, version: '0', clock, authenticate: authenticateBy(app.people) }
  const servers = await Promise.all(
    [1, 2, 3].map(() =>
      startServer({
        ...parts,
        resources: resources({ version: '0' }),
        onTrouble: ({ message }) => expect.fail(message),
      }),
    ),
  )
  try {
    const through = (i: number, cookies: ReadonlyMap<string, string> = new Map()): Visitor => {
      const who = new Visitor((path, { json, headers, ...asking } = {}) => {
        const body = json === undefined ? {} : { method: 'POST', ...asking, body: JSON.stringify(json) }
        const type = json === undefined ? {} : { 'content-type': 'application/json' }
        return fetch(servers[i % 3]!.url + path, {
          ...asking,
          ...body,
          headers: { ...type, ...headers },
        } as RequestInit)
      })
      for (const [name, value] of cookies) who.cookies.set(name, value)
      return who
    }
    const count = async (times: number, ask: (i: number) => Promise<number>): Promise<Record<number, number>> => {
      await clock.advance(MINUTE_MS - (clock.now() % MINUTE_MS))
      const statuses = await Promise.all(Array.from({ length: times }, (_, i) => ask(i)))
      return Object.fromEntries([...new Set(statuses)].map((one) => [one, statuses.filter((s) => s === one).length]))
    }
    const guess = { username: 'nobody', password: 'a wrong sentence' }
    expect(await count(45, (i) => through(i).status('/session', { json: guess }))).toEqual({ 401: 30, 429: 15 })
    const token = 'x'.repeat(43)
    const reset = { json: { token, password: PASSWORD } }
    expect(await count(45, (i) => through(i).status('/session/reset', reset))).toEqual({ 403: 30, 429: 15 })
    const register = { json: { username: 'ida', password: PASSWORD, invitation: token } }
    expect(await count(45, (i) => through(i).status('/session/register', register))).toEqual({ 403: 30, 429: 15 })
    // With a stolen session, over any endpoint.
    const paths = ['/session/export', '/session/erase', '/session/second-factor']
    const wrong = { json: { password: 'a wrong sentence' } }
    const tried = await count(18, (i) => through(i, own.cookies).status(paths[Math.floor(i / 6)]!, wrong))
    expect(tried).toEqual({ 401: MAX_PER_MINUTE_KNOWN, 429: 18 - MAX_PER_MINUTE_KNOWN })
  } finally {
    for (const server of servers) await server.close()
  }
})
