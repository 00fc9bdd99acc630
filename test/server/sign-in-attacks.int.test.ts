import { beforeAll, expect, it } from 'vitest'
import { MAX_PER_MINUTE_KNOWN } from '../../src/server/session/attempts.ts'
import { resources } from '../../src/server/resources.ts'
import { startServer } from '../../src/server/server.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { startHttpWorld, type Asking } from '../support/http-server.ts'
import { Visitor } from '../support/visitor.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'
import { openForAll } from '../support/opened.ts'

/** Attackers who guess passwords, or lock others out by guessing. */

const PASSWORD = 'a long enough sentence'
const MINUTE_MS = 60_000
const clock = new ManualClock(Date.UTC(2026, 3, 1))

const world = openForAll(() => startHttpWorld({ clock }, authenticateBy))
beforeAll(async () => {
  await world.app.people.accounts.add('', { username: 'root' })
})

const visitor = (): Visitor => new Visitor((path, asking) => world.fetch(path, asking))
const put = (json: unknown): Asking => ({ method: 'PUT', json })
const signIn = (who: Visitor, username: string, more: object = {}) =>
  who.status('/session', { json: { username, password: PASSWORD, ...more } })

/** A signed-in user on their own device. */
async function person(username: string): Promise<{ readonly userId: string; readonly own: Visitor }> {
  const { userId } = await world.app.people.accounts.add('', { username, password: PASSWORD })
  const own = visitor()
  own.cookies.set('tutti_session', await world.app.people.signIn.sessions.start(userId, 'own'))
  return { userId, own }
}

it('doubles the delay with each further guess, up to an hour', async () => {
  await person('cem')
  const guess = { password: 'a guess' }
  await clock.advance(MINUTE_MS)
  for (let i = 0; i < 5; i++) expect(await signIn(visitor(), 'cem', guess)).toBe(401)
  for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
    await clock.advance(minutes * MINUTE_MS - 1)
    // The right password is not checked.
    expect(await signIn(visitor(), 'cem')).toBe(401)
    await clock.advance(1)
    expect(await signIn(visitor(), 'cem', guess)).toBe(401)
  }
  await clock.advance(60 * MINUTE_MS)
  expect(await signIn(visitor(), 'cem')).toBe(200)
})

it('lets no stranger prevent a signed-in user from changing the password', async () => {
  const { own } = await person('dee')
  for (let i = 0; i < 8; i++) expect(await signIn(visitor(), 'dee', { password: 'a guess' })).toBe(401)
  expect(await signIn(visitor(), 'dee')).toBe(401)
  await clock.advance(MINUTE_MS)
  await signIn(visitor(), 'dee', { password: 'a guess' })
  expect(await own.status('/session/password', put({ before: PASSWORD, after: `${PASSWORD}!` }))).toBe(204)
  expect(await own.status('/session/export', { json: { password: `${PASSWORD}!` } })).toBe(200)
})

it('locks out strangers who guess passwords, but not the browser of the user', async () => {
  const [pat, quin, rob] = [await person('pat'), await person('quin'), await person('rob')]
  await clock.advance(MINUTE_MS)
  for (const [who, name] of [
    [pat.own, 'pat'],
    [quin.own, 'quin'],
  ] as const)
    expect(await signIn(who, name)).toBe(200)
  await clock.advance(MINUTE_MS)
  for (let i = 0; i < 5; i++) await signIn(visitor(), 'pat', { password: 'a guess' })
  const forged = visitor()
  forged.cookies.set('tutti_known', 'AAAA')
  for (const stranger of [visitor(), quin.own, rob.own, forged]) expect(await signIn(stranger, 'pat')).toBe(401)
  expect(await signIn(pat.own, 'pat')).toBe(200)
  for (let i = 0; i < 5; i++) expect(await signIn(pat.own, 'PAT', { password: 'a guess' })).toBe(401)
  const often = await pat.own.fetch('/session', { json: { username: 'pat', password: PASSWORD } })
  expect(often.status).toBe(429)
  expect(Number(often.headers.get('retry-after'))).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 60)
  // No browser is known any longer after a new password by a link.
  const { accounts } = world.app.people
  await accounts.reset(await accounts.createResetToken('', quin.userId), `${PASSWORD}!`)
  await clock.advance(MINUTE_MS)
  for (let i = 0; i < 5; i++) await signIn(visitor(), 'quin', { password: 'a guess' })
  expect(await signIn(quin.own, 'quin', { password: `${PASSWORD}!` })).toBe(401)
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

it('does not lock a name for wrong passwords in its own settings, and limits them', async () => {
  const { own } = await person('kim')
  const change = put({ before: 'a guess', after: PASSWORD })
  const statuses: number[] = []
  for (let minute = 0; minute < 2; minute++) {
    await clock.advance(MINUTE_MS)
    for (let i = 0; i < 6; i++) statuses.push(await own.status('/session/password', change))
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(2 * MAX_PER_MINUTE_KNOWN)
  expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  await clock.advance(MINUTE_MS)
  expect(await signIn(visitor(), 'kim')).toBe(200)
})

it('refuses a common password, in any case, at every endpoint', async () => {
  const { accounts } = world.app.people
  const { userId, own } = await person('mia')
  const token = await accounts.createResetToken('', userId)
  await clock.advance(MINUTE_MS)
  const password = 'Password123'
  expect(await visitor().status('/session/register', { json: { username: 'ned', password } })).toBe(400)
  expect(await visitor().status('/session/reset', { json: { token, password } })).toBe(400)
  expect(await own.status('/session/password', put({ before: PASSWORD, after: password }))).toBe(400)
  const spellings = ['QWERTYUIOP', ' qwerty uiop ', 'qwerty\u200Buiop', 'ｑｗｅｒｔｙｕｉｏｐ']
  for (const password of spellings)
    await expect(accounts.add('', { username: 'ned', password })).rejects.toThrow('common')
  const wide = { username: 'ned-the-admin', password: 'ｎｅｄ-ｔｈｅ-ａｄｍｉｎ' }
  await expect(accounts.add('', wide)).rejects.toThrow('too similar to the username')
  // The link is not used up.
  expect(await visitor().status('/session/reset', { json: { token, password: `${PASSWORD}?` } })).toBe(204)
})

it('lets the holder of a stolen session try few passwords, from any number of addresses', async () => {
  const { own } = await person('eve')
  await clock.advance(MINUTE_MS)
  const asked: [string, Asking][] = [
    ['/session/password', put({ before: 'a guess', after: PASSWORD })],
    ['/session/export', { json: { password: 'a guess' } }],
    ['/session/erase', { json: { password: 'a guess' } }],
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
        onError: ({ message }) => expect.fail(message),
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
    const register = { json: { username: 'ida', password: PASSWORD } }
    expect(await count(45, (i) => through(i).status('/session/register', register))).toEqual({ 403: 30, 429: 15 })
    // With a stolen session, over any endpoint.
    const paths = ['/session/export', '/session/erase']
    const wrong = { json: { password: 'a wrong sentence' } }
    const tried = await count(18, (i) => through(i, own.cookies).status(paths[i % 2]!, wrong))
    expect(tried).toEqual({ 401: MAX_PER_MINUTE_KNOWN, 429: 18 - MAX_PER_MINUTE_KNOWN })
  } finally {
    for (const server of servers) await server.close()
  }
})
