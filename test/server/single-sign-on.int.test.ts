import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'
import { listen } from '../support/listen.ts'
import { encoded, startOidcProvider, type OidcProvider } from '../support/oidc-provider.ts'
import { openForAll } from '../support/opened.ts'
import { Visitor } from '../support/visitor.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'

/** A malicious or compromised provider of single sign-on. */

const SECRET = 'a client secret of some length'
const REDIRECT = 'http://127.0.0.1:9/session/oidc/callback'
const MAX_MS = 10_000

const provider = openForAll(() => startOidcProvider('tutti'))
const clock = new ManualClock(Date.now())
const world = openForAll(() => newWorld())
beforeAll(async () => {
  await world.app.people.accounts.add('', { username: 'root' })
})
afterEach(() => {
  vi.restoreAllMocks()
  Object.assign(provider, {
    tamper: (claims: object) => claims,
    describe: (metadata: object) => metadata,
    keys: (keys: object[]) => keys,
    answer: () => false,
    sign: undefined,
    forged: false,
  })
})

const newWorld = (issuer = provider.url, redirectUrl = REDIRECT): Promise<HttpWorld> =>
  startHttpWorld(
    { clock, config: { people: { oidc: { issuer, clientId: 'tutti', clientSecret: SECRET, redirectUrl } } } },
    authenticateBy,
  )
/** Another installation with an account. */
async function ownWorld(...settings: Parameters<typeof newWorld>): Promise<HttpWorld> {
  const own = await newWorld(...settings)
  await own.app.people.accounts.add('', { username: 'root' })
  return own
}

const visitor = (to = world): Visitor => new Visitor((path, asking) => to.fetch(path, asking))
const names = async (): Promise<readonly string[]> =>
  (await world.app.people.accounts.list()).map(({ username }) => username)

/** The provider's answer to a redirect, as the query of the callback. */
async function answerTo(begun: Response): Promise<string> {
  const back = await fetch(begun.headers.get('location')!, { redirect: 'manual' })
  return new URL(back.headers.get('location')!).search
}

let subjects = 0
/** Signs in a new user with these claims. */
async function signOn(claims: object): Promise<{ readonly status: number; readonly who: Visitor }> {
  // Attempts are counted per minute.
  await clock.advance(60_000)
  provider.user = { sub: `s${++subjects}`, preferred_username: `p${subjects}`, ...claims }
  const who = visitor()
  return { status: (await who.signOn()).status, who }
}

it('does not make the first user admin', async () => {
  const empty = await newWorld()
  const asked = provider.asked.length
  const begun = await empty.fetch('/session/oidc', { as: null })
  expect([begun.status, await begun.text()]).toEqual([
    403,
    expect.stringContaining('tutti people add NAME --role admin'),
  ])
  expect(provider.asked).toHaveLength(asked)
  const html = { accept: 'text/html' }
  expect((await visitor(empty).fetch('/session/oidc', { headers: html })).headers.get('location')).toBe(
    '/#sign-on=failed',
  )
  expect(empty.trouble.map(({ message }) => message).join()).toContain('No accounts exist yet')
  // A user who was redirected there before.
  await expect(empty.app.people.accounts.findBySubject('x 1', { usernames: ['eve'] })).rejects.toThrow(
    'No accounts exist yet',
  )
  expect(await empty.app.people.accounts.hasAny()).toBe(false)
  await empty.app.people.accounts.add('', { username: 'root' })
  provider.user = { sub: 'later', preferred_username: 'later' }
  const later = visitor(empty)
  expect((await later.signOn()).status).toBe(302)
  expect((await later.json('/session')).person.role).toBe('member')
  await empty.close()
})

it('requires a recent sign-in from users without a password before their data is exported or erased', async () => {
  const { who } = await signOn({})
  const asked = (as: Visitor, path: string, json: object = {}) => as.status(path, { json })
  expect((await who.json('/session')).person.hasPassword).toBe(false)
  expect(await asked(who, '/session/export')).toBe(200)
  await clock.advance(5 * 60_000)
  for (const path of ['/session/export', '/session/erase'])
    expect(await (await who.fetch(path, { json: {} })).text()).toContain('with your provider')
  // A key is not a session, and another user's session proves nothing.
  const { userId } = (await who.json('/session')).person
  const { key } = await world.app.people.keys.create(userId, { name: 'k', scopes: ['admin'] })
  const other = await signOn({})
  const headers = { authorization: `Bearer ${key}` }
  const cookie = [...other.who.cookies].map((pair) => pair.join('=')).join('; ')
  for (const more of [{}, { cookie }])
    expect(await world.status('/session/export', { as: null, json: {}, headers: { ...headers, ...more } })).toBe(401)
  provider.user = { sub: `s${subjects - 1}` }
  const begun = await who.fetch('/session/oidc?again=true')
  expect(begun.headers.get('location')).toContain('prompt=login')
  const returned = await who.fetch(`/session/oidc/callback${await answerTo(begun)}`)
  expect(returned.headers.get('location')).toBe('/settings/security')
  expect(await asked(who, '/session/erase')).toBe(204)
  expect(await world.app.people.accounts.byId(userId)).toBeUndefined()
})

it('requires the password from users who have one, however they signed in', async () => {
  const { who } = await signOn({})
  const { userId } = (await who.json('/session')).person
  const { accounts } = world.app.people
  const password = 'a long enough sentence'
  await accounts.reset(await accounts.createResetToken('', userId), password)
  provider.user = { sub: `s${subjects}` }
  await who.signOn()
  for (const [json, status] of [
    [{}, 401],
    [{ password: 'x' }, 401],
    [{ password }, 200],
  ] as const) {
    expect(await who.status('/session/export', { json })).toBe(status)
  }
})

const now = (): number => Math.floor(Date.now() / 1000)
const another = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = (): string => provider.publicKey.export({ format: 'pem', type: 'spki' }) as string
const signed = (header: object, claims: object, mac: (text: string) => Buffer | string): string => {
  const text = `${encoded(header)}.${encoded(claims)}`
  return `${text}.${Buffer.from(mac(text)).toString('base64url')}`
}
const hmac = (key: string) => (text: string) => createHmac('sha256', key).update(text).digest()

const CLAIMS: Readonly<Record<string, object>> = {
  'another nonce': { nonce: 'other' },
  'no nonce': { nonce: undefined },
  'a nonce that is a list': { nonce: ['x'] },
  'nobody as audience': { aud: [] },
  'another audience': { aud: ['another'] },
  'several audiences without azp': { aud: ['tutti', 'another'] },
  'several audiences, for another': { aud: ['tutti', 'another'], azp: 'another' },
  'one audience, for another': { azp: 'another' },
  'one audience, for nobody': { azp: null },
  'another issuer': { iss: 'https://evil.example' },
  'an end in the past': { exp: now() - 3_600 },
  'an end longer ago than clocks differ': { exp: now() - 60 },
  'no end': { exp: undefined },
  'an end that is no number': { exp: '9999999999' },
  'a beginning in the future': { nbf: now() + 3_600 },
  'no time of making': { iat: undefined },
  'an empty subject': { sub: '' },
  'no subject': { sub: undefined },
  'a subject that is a number': { sub: 42 },
  'a subject that is too long': { sub: 'x'.repeat(256) },
  'a subject with NUL': { sub: 'a\0b' },
  'a subject with half of a character': { sub: 'a\ud800' },
  'a subject with a line': { sub: 'a\nb' },
}

it.each(Object.entries(CLAIMS))('lets nobody in by a token with %s', async (_, lie) => {
  const before = await names()
  provider.tamper = (claims) => ({ ...claims, ...lie })
  const { status, who } = await signOn({})
  expect(status).toBe(401)
  expect(who.cookies.has('tutti_session')).toBe(false)
  expect(await names()).toEqual(before)
})

const TOKENS: Readonly<Record<string, (claims: object) => string>> = {
  'no signature': (claims) => signed({ alg: 'none' }, claims, () => ''),
  'alg none in other letters': (claims) => signed({ alg: 'nOnE', kid: 'k1' }, claims, () => ''),
  'HS256 by the public key': (claims) => signed({ alg: 'HS256', kid: 'k1' }, claims, hmac(pem())),
  'HS256 by the client secret': (claims) => signed({ alg: 'HS256' }, claims, hmac(SECRET)),
  'a key of its own in the header': (claims) =>
    signed({ alg: 'RS256', jwk: another.publicKey.export({ format: 'jwk' }) }, claims, (text) =>
      sign('sha256', Buffer.from(text), another.privateKey),
    ),
  'a key that it has not': (claims) =>
    signed({ alg: 'RS256', kid: '../../etc/passwd' }, claims, (text) =>
      sign('sha256', Buffer.from(text), another.privateKey),
    ),
  'critical extensions': (claims) => signed({ alg: 'RS256', kid: 'k1', crit: ['b64'], b64: false }, claims, () => 'x'),
  'four parts': (claims) => `${signed({ alg: 'none' }, claims, () => '')}.x.y`,
  'no JSON': () => 'a.b.c',
  nothing: () => '',
}

it.each(Object.entries(TOKENS))('lets nobody in by a token with %s', async (_, token) => {
  provider.sign = token
  const before = await names()
  expect((await signOn({})).status).toBe(401)
  expect(await names()).toEqual(before)
})

it('accepts a token with several audiences and the right azp, and one that expired within the clock tolerance', async () => {
  for (const more of [
    { aud: ['tutti', 'another'], azp: 'tutti' },
    { aud: ['tutti'] },
    { azp: 'tutti' },
    { exp: now() - 10 },
  ]) {
    provider.tamper = (claims) => ({ ...claims, ...more })
    expect([more, (await signOn({})).status]).toEqual([more, 302])
  }
})

it('refuses tokens without an asymmetric signature, even if the provider announces them', async () => {
  provider.describe = (own) => ({ ...own, id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256'] })
  const own = await ownWorld()
  for (const [name, token] of Object.entries(TOKENS)) {
    provider.sign = token
    expect([name, (await visitor(own).signOn()).status]).toEqual([name, 401])
  }
  expect(await own.app.people.accounts.list()).toHaveLength(1)
  await own.close()
})

it('accepts only an answer with the provider’s issuer (RFC 9207)', async () => {
  provider.describe = (own) => ({ ...own, authorization_response_iss_parameter_supported: true })
  const own = await ownWorld()
  const statuses: number[] = []
  for (const more of ['', '&iss=https%3A%2F%2Fevil.example', `&iss=${encodeURIComponent(provider.url)}`]) {
    provider.user = { sub: 'mixed', preferred_username: 'mixed' }
    const mine = visitor(own)
    const begun = await mine.fetch('/session/oidc')
    statuses.push(await mine.status(`/session/oidc/callback${await answerTo(begun)}${more}`))
  }
  expect(statuses).toEqual([401, 401, 302])
  await own.close()
})

it('finds new keys of the provider, with at most one request per minute', async () => {
  const own = await ownWorld()
  const fetched = (): number => provider.asked.filter((path) => path === '/jwks').length
  const by = (kid: string) => (claims: object) =>
    signed({ alg: 'RS256', kid }, claims, (text) => sign('sha256', Buffer.from(text), another.privateKey))
  const enter = async (): Promise<number> => {
    provider.user = { sub: 'rotated', preferred_username: 'rotated' }
    return (await visitor(own).signOn()).status
  }
  const before = fetched()
  expect(await enter()).toBe(302)
  provider.keys = (keys) => [
    ...keys,
    { ...another.publicKey.export({ format: 'jwk' }), kid: 'k2', alg: 'RS256', use: 'sig' },
  ]
  provider.sign = by('k2')
  const real = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => real() + 61_000)
  expect([await enter(), fetched() - before]).toEqual([302, 2])
  provider.sign = by('never there')
  for (let i = 0; i < 5; i++) expect(await enter()).toBe(401)
  expect(fetched() - before).toBe(2)
  await own.close()
})

it('refuses the second of two keys with one id, and keys for other uses', async () => {
  const jwk = { ...another.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256' }
  const lists: ((keys: readonly object[]) => readonly object[])[] = [
    (keys) => [...keys, { ...jwk, use: 'sig' }],
    () => [{ ...jwk, use: 'enc' }],
    () => [],
  ]
  for (const keys of lists) {
    const own = await ownWorld()
    provider.keys = keys
    provider.forged = true
    provider.user = { sub: 'keyed', preferred_username: 'keyed' }
    expect((await visitor(own).signOn()).status).toBe(401)
    expect(await own.app.people.accounts.list()).toHaveLength(1)
    await own.close()
  }
})

/** Invalid names from a provider. */
const ODD = ['', ' ', 'a\0b', 'Dora\nD', '\ud800', 'x\u202Egnp.exe', 'x'.repeat(100_000), 7, null, ['x'], { x: 1 }]
const KEPT = /^[^\p{Cc}\p{Cs}\u2028-\u202E]{1,200}$/u

it('stores valid claims of the provider, and signs the user in', async () => {
  const { groupId } = (await world.app.people.groups.list())[0] ?? {
    groupId: await world.app.people.groups.create('', 'sales'),
  }
  for (const odd of ODD) {
    const many = [...Array.from({ length: 20_000 }, (_, i) => `group ${i}`), odd, 'sales']
    const { status, who } = await signOn({ name: odd, preferred_username: odd, email: odd, groups: many })
    expect([odd, status]).toEqual([odd, 302])
    const { person, caller } = await who.json('/session')
    for (const name of [person.username, person.displayName]) expect(name).toMatch(KEPT)
    expect(caller.groups).toEqual([groupId])
  }
  for (const groups of ODD) expect((await signOn({ groups })).status).toBe(302)
  const claims = { name: ' Dora  D. 😀', preferred_username: 'dora', groups: ['sales'] }
  const { who } = await signOn(claims)
  const { person, caller } = await who.json('/session')
  expect(person).toMatchObject({
    username: 'dora',
    displayName: 'Dora  D. 😀',
    role: 'member',
  })
  provider.user = { ...provider.user, groups: [] }
  const again = visitor()
  expect((await again.signOn()).headers.get('location')).toBe('/')
  expect((await again.json('/session')).caller).toEqual({ ...caller, groups: [] })
  expect(world.trouble.filter(({ code }) => code === 'Internal')).toEqual([])
})

it('does not match an existing name or address to a new subject', async () => {
  const { who } = await signOn({ sub: '43', preferred_username: 'Root', email: 'root@corp.test', groups: 'sales' })
  const { person } = await who.json('/session')
  expect(person.userId).not.toBe((await world.app.people.accounts.find('root')).userId)
  expect(person).toMatchObject({ username: 'user-43', role: 'member' })
})

it('clears its cookie in the browser, with any result', async () => {
  for (const lie of [{}, { nonce: 'other' }]) {
    provider.tamper = (claims) => ({ ...claims, ...lie })
    provider.user = { sub: '45', preferred_username: 'finn' }
    const ended = await visitor().signOn()
    expect(ended.status).toBe('nonce' in lie ? 401 : 302)
    const taken = ended.headers.getSetCookie().find((cookie) => cookie.startsWith('tutti_sign_on='))
    expect(taken).toMatch(/^tutti_sign_on=; Path=\/; HttpOnly; SameSite=Lax; Max-Age=0$/)
  }
  // The operator sees the reason.
  expect(world.trouble.map(({ message }) => message).join()).toContain('Signing in with the provider failed: ')
})

it('marks its cookie as Secure when the provider redirects to HTTPS', async () => {
  const own = await ownWorld(provider.url, 'https://tutti.test/session/oidc/callback')
  const begun = await own.fetch('/session/oidc', { as: null, redirect: 'manual' })
  expect(begun.headers.getSetCookie()[0]).toMatch(/^tutti_sign_on=.*; Secure$/)
  await own.close()
})

it('redirects a user whom the provider refused to the sign-in page', async () => {
  expect(await visitor().json('/session')).toMatchObject({ singleSignOn: true })
  const headers = { accept: 'text/html,*/*' }
  const answered = await visitor().fetch('/session/oidc/callback?error=access_denied', { headers })
  expect([answered.status, answered.headers.get('location')]).toEqual([302, '/#sign-on=failed'])
})

it('reveals nothing about a provider that is down', async () => {
  const gone = await listen()
  await gone.close()
  const own = await ownWorld(gone.url)
  const response = await own.fetch('/session/oidc', { as: null })
  expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining(String(gone.port))])
  expect(own.trouble.map(({ message }) => message).join()).toContain(String(gone.port))
  await own.close()
})

it('accepts an answer of the provider once, in the browser that asked', async () => {
  await clock.advance(60_000)
  provider.user = { sub: 'once', preferred_username: 'once' }
  const mine = visitor()
  const begun = await mine.fetch('/session/oidc')
  const cookie = mine.cookies.get('tutti_sign_on')!
  const search = await answerTo(begun)
  // A session cookie that an attacker planted is replaced.
  mine.cookies.set('tutti_session', 'planted')
  expect(await visitor().status(`/session/oidc/callback${search}`)).toBe(401)
  const other = visitor()
  await other.fetch('/session/oidc')
  expect(await other.status(`/session/oidc/callback${search}`)).toBe(401)
  expect(await mine.status(`/session/oidc/callback${search}`)).toBe(302)
  const began = mine.cookies.get('tutti_session')
  expect(began).toMatch(/^[\w-]{43}$/)
  const again = visitor()
  again.cookies.set('tutti_sign_on', cookie)
  expect(await again.status(`/session/oidc/callback${search}`)).toBe(401)
  expect(again.cookies.has('tutti_session')).toBe(false)
  const planted = visitor()
  planted.cookies.set('tutti_session', 'planted')
  expect(await planted.status('/session/all')).toBe(401)
  // Two answers in one URL.
  expect(await visitor().status(`/session/oidc/callback${search}&code=x&state=y`)).toBe(401)
})

it('asks the provider at most as often as one address may attempt to sign in', async () => {
  await clock.advance(60_000)
  const mine = visitor()
  await mine.fetch('/session/oidc')
  const cookie = mine.cookies.get('tutti_sign_on')!
  const { state } = JSON.parse(Buffer.from(cookie, 'base64url').toString()) as { state: string }
  const before = provider.asked.length
  const statuses: number[] = []
  for (let i = 0; i < 40; i++) {
    mine.cookies.set('tutti_sign_on', cookie)
    statuses.push(await mine.status(`/session/oidc/callback?code=made-up&state=${state}`))
  }
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  expect(provider.asked.length - before).toBe(30)
})

it('calls no internal address from the provider’s metadata, and follows no redirect', async () => {
  const reached: string[] = []
  const inside = await listen((request, response) => {
    reached.push(request.url!)
    response.end('{}')
  })
  const trap = inside.url
  const metadata = 'http://169.254.169.254/latest'
  type Lie = Pick<OidcProvider, 'describe' | 'answer'>
  const says = (more: object): Lie => ({ describe: (own) => ({ ...own, ...more }), answer: () => false })
  const redirects = (path: string, to: string): Lie => ({
    describe: (own) => own,
    answer: (asked, response) => {
      if (asked === path) response.writeHead(307, { location: to }).end()
      return asked === path
    },
  })
  const lies: Lie[] = [
    says({ issuer: 'https://evil.example' }),
    says({ issuer: `${provider.url}/` }),
    says({ token_endpoint: `${trap}/token` }),
    says({ jwks_uri: `${trap}/keys` }),
    says({ token_endpoint: metadata }),
    says({ jwks_uri: 'file:///etc/passwd' }),
    says({ token_endpoint: 'http://[::ffff:127.0.0.1]/token' }),
    says({ token_endpoint: undefined }),
    redirects('/.well-known/openid-configuration', `${trap}/discovery`),
    redirects('/token', `${trap}/redirected`),
    redirects('/jwks', `${trap}/redirected`),
    redirects('/token', metadata),
  ]
  for (const [i, lie] of lies.entries()) {
    Object.assign(provider, lie)
    const own = await ownWorld()
    provider.user = { sub: 'inside', preferred_username: 'inside' }
    const ended = await visitor(own).signOn()
    expect([i, [401, 500].includes(ended.status)]).toEqual([i, true])
    expect(await ended.text()).not.toMatch(/169\.254|127\.0|evil/)
    expect(own.trouble.length, String(i)).toBeGreaterThan(0)
    expect(await own.app.people.accounts.list()).toHaveLength(1)
    await own.close()
  }
  expect(reached).toEqual([])
  await inside.close()
})

it('limits the wait for a provider, and the bytes that it reads', async () => {
  const given: number[] = []
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    given.push(ms)
    return timeout(ms / 20)
  })
  let sent = 0
  const hang = { never: () => undefined, bytes: drip, flood }
  function drip(response: Parameters<OidcProvider['answer']>[1]): void {
    response.writeHead(200, { 'content-type': 'application/json' })
    const every = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(every))
  }
  function flood(response: Parameters<OidcProvider['answer']>[1]): void {
    response.writeHead(200, { 'content-type': 'application/json' })
    const piece = Buffer.alloc(100_000, ' ')
    const more = (): void => {
      while (!response.destroyed && sent < 100_000_000) {
        sent += piece.length
        if (!response.write(piece)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  }
  for (const path of ['/.well-known/openid-configuration', '/token', '/jwks']) {
    for (const [name, work] of Object.entries(hang)) {
      const own = await ownWorld()
      sent = 0
      provider.answer = (asked, response) => {
        if (asked === path) work(response)
        return asked === path
      }
      provider.user = { sub: 'slow', preferred_username: 'slow' }
      const ended = await visitor(own).signOn()
      expect([path, name, ended.status]).toEqual([path, name, path.includes('well-known') ? 500 : 401])
      // Buffered bytes count as sent.
      expect(sent).toBeLessThan(20_000_000)
      // It is asked again once it answers.
      provider.answer = () => false
      expect((await visitor(own).signOn()).status).toBe(302)
      await own.close()
    }
  }
  expect(given.length).toBeGreaterThan(0)
  expect(Math.max(...given)).toBeLessThanOrEqual(MAX_MS)
}, 60_000)
