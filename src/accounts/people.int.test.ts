import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { describeStores } from '../../test/support/stores.ts'
import { SCOPES } from '../domain/caller.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { SecretKey } from '../storage/secret-key.ts'
import type { Script, SqlRunner } from '../storage/sql/query.ts'
import { createPeople, type People } from './people.ts'
import type { Seal } from '../storage/sql/sql-store.ts'

const DAY_MS = 86_400_000
const PASSWORD = 'a long enough sentence'

const key = new SecretKey(randomBytes(32))
const seal: Seal = {
  close: async (text, place) => key.seal(text, place),
  open: async (sealed, place) => key.open(sealed, place),
}

describeStores('accounts', (_store, _kind, storage) => {
  const clock = new ManualClock(Date.UTC(2026, 0, 5))
  const people = (): People => createPeople(storage().sql, clock, seal)
  const loggedIn = (username: string, password = PASSWORD) =>
    people().signIn.logIn({ username, password, fromWhere: 'a browser' })
  const refusal = async (attempt: Promise<unknown>): Promise<unknown> =>
    attempt.then(
      () => 'let in',
      ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
    )

  it('makes exactly one of several parallel first users admin', async () => {
    expect(await people().accounts.hasAny()).toBe(false)
    // Users of single sign-on do not count.
    await expect(people().accounts.findBySubject('x 1', { usernames: ['eve'] })).rejects.toThrow(
      'No accounts exist yet',
    )
    const names = ['Ann', 'Ben', 'Cem', 'Dee']
    const added = await Promise.all(
      names.map((username) => people().accounts.register({ username, password: PASSWORD }, 'open')),
    )
    expect(added.map(({ role }) => role).sort()).toEqual(['admin', 'member', 'member', 'member'])
    await people().accounts.setRole('test', await idOf('ann'), 'admin')
    for (const name of ['ben', 'cem', 'dee']) await people().accounts.setRole('test', await idOf(name), 'member')
  })

  const idOf = async (name: string): Promise<string> => (await people().accounts.find(name)).userId

  it('accepts a name once, in any case', async () => {
    const again = people().accounts.register({ username: ' aNN ', password: PASSWORD }, 'open')
    await expect(again).rejects.toThrow('is taken')
    await expect(people().accounts.register({ username: '../x', password: PASSWORD }, 'open')).rejects.toThrow(
      'A username must',
    )
  })

  it.each([{ displayName: 'a\nb' }, { displayName: '\ud800' }, { displayName: 'x'.repeat(201) }])(
    'refuses user data that cannot be stored or displayed: %j',
    async (odd) => {
      await expect(people().accounts.add('test', { username: 'odd', ...odd })).rejects.toThrow(/^The name/)
    },
  )

  it.each(['short', 'x'.repeat(257), 'ann-123'])('refuses the password %s', async (password) => {
    await expect(people().accounts.register({ username: 'Ann-1', password }, 'open')).rejects.toThrow(/password/i)
  })

  it('refuses a new name that could be confused: of two scripts, or an id', async () => {
    const { accounts } = people()
    const userId = await idOf('ann')
    for (const username of ['lооkalike', 'аnn', 'ann\u03B1', userId, userId.toUpperCase()]) {
      const refused = accounts.register({ username, password: PASSWORD }, 'open')
      await expect(refused, username).rejects.toThrow(/one script/)
    }
    for (const username of ['анна', 'élodie', '花子Hanako'])
      expect((await accounts.register({ username, password: PASSWORD }, 'open')).username).toBe(username)
  })

  it('registers only the first user if registration is closed', async () => {
    const registered = people().accounts.register({ username: 'eve', password: PASSWORD }, 'closed')
    expect(await refusal(registered)).toContain('NotAllowed')
  })

  it('answers a wrong name, a wrong password and a locked name in the same words', async () => {
    const unknown = await refusal(loggedIn('nobody'))
    const wrong: unknown[] = []
    // Parallel attempts count the same as sequential ones.
    wrong.push(...(await Promise.all(Array.from({ length: 12 }, () => refusal(loggedIn('ben', 'not the password'))))))
    const locked = await refusal(loggedIn('ben'))
    expect(new Set([unknown, ...wrong, locked])).toEqual(new Set([unknown]))
    expect(unknown).toContain('NotSignedIn')
    await clock.advance(61_000)
    expect(await refusal(loggedIn('ben'))).toBe('let in')
    expect(await refusal(loggedIn('ben', 'not the password'))).toBe(unknown)
    expect(await refusal(loggedIn('ben'))).toBe('let in')
  })

  it('keeps sessions a week after their last use and a month at most, and ends them one by one', async () => {
    const { signIn } = people()
    const [first, second] = [await loggedIn('ann'), await loggedIn('ANN')]
    expect((await signIn.sessions.find(first.token))?.person).toMatchObject({ username: 'Ann', role: 'admin' })
    const { userId } = first.person
    expect((await signIn.sessions.list(userId)).map(({ fromWhere }) => fromWhere)).toEqual(['a browser', 'a browser'])
    const { sessionId } = (await signIn.sessions.find(second.token))!
    expect(await signIn.sessions.end(await idOf('ben'), { sessionId })).toBe(false)
    expect(await signIn.sessions.end(userId, { sessionId })).toBe(true)
    expect(await signIn.sessions.find(second.token)).toBeUndefined()
    for (let day = 0; day < 29; day += 6) {
      expect(await signIn.sessions.find(first.token)).toBeDefined()
      await clock.advance(6 * DAY_MS)
    }
    expect(await signIn.sessions.find(first.token)).toBeUndefined()
    const idle = await loggedIn('ann')
    await clock.advance(7 * DAY_MS)
    expect(await signIn.sessions.find(idle.token)).toBeUndefined()
    expect(await signIn.sessions.find('made up')).toBeUndefined()
  })

  it('accepts a new password by a link that is valid once, for a day', async () => {
    const { accounts, signIn } = people()
    const before = await loggedIn('dee')
    const token = await accounts.createResetToken(await idOf('ann'), before.person.userId)
    await expect(accounts.reset(token, 'short')).rejects.toThrow('10 to 256')
    await accounts.reset(token, PASSWORD)
    expect(await signIn.sessions.find(before.token)).toBeUndefined()
    expect(await refusal(loggedIn('dee'))).toBe('let in')
    await expect(accounts.reset(token, PASSWORD)).rejects.toThrow('was used')
    const { userId } = before.person
    const [older, newer] = [await accounts.createResetToken('', userId), await accounts.createResetToken('', userId)]
    await expect(accounts.reset(older, PASSWORD)).rejects.toThrow('was used')
    await signIn.changePassword(userId, { before: PASSWORD, after: PASSWORD })
    await expect(accounts.reset(newer, PASSWORD)).rejects.toThrow('was used')
    const late = await accounts.createResetToken(await idOf('ann'), before.person.userId)
    await clock.advance(DAY_MS)
    await expect(accounts.reset(late, PASSWORD)).rejects.toThrow('has expired')
  })

  it('accepts keys that are not expired, not revoked, and not of a locked user', async () => {
    const { keys, accounts } = people()
    const userId = await idOf('dee')
    const { key: forever, record } = await keys.create(userId, { name: 'script', scopes: ['read', 'ask'] })
    const { key: forADay } = await keys.create(userId, {
      name: 'day',
      scopes: ['read'],
      expiresAt: clock.now() + DAY_MS,
    })
    expect(forever.startsWith(record.beginsWith)).toBe(true)
    expect(await people().caller({ key: forever })).toEqual({
      userId,
      role: 'member',
      groups: [],
      scopes: ['read', 'ask'],
      kind: 'key',
      keyId: expect.any(String),
    })
    expect(await people().caller({ key: forADay })).toBeDefined()
    await clock.advance(DAY_MS)
    expect(await people().caller({ key: forADay })).toBeUndefined()
    await accounts.setDisabled(await idOf('ann'), userId, true)
    expect(await people().caller({ key: forever })).toBeUndefined()
    await accounts.setDisabled(await idOf('ann'), userId, false)
    expect(await people().caller({ key: forever })).toBeDefined()
    await expect(keys.revoke(await idOf('ben'), record.keyId)).rejects.toThrow('not found')
    await keys.revoke(userId, record.keyId)
    expect(await people().caller({ key: forever })).toBeUndefined()
    await expect(keys.create(userId, { name: 'x', scopes: ['everything'] })).rejects.toThrow('Unknown scope')
    await expect(keys.create(userId, { name: 'x', scopes: [] })).rejects.toThrow('Choose at least one scope')
  })

  it('makes the same number of writes for an unknown or delayed name as for a valid one', async () => {
    const runner = storage().sql
    const verbs: string[] = []
    const watched: SqlRunner = {
      dialect: runner.dialect,
      all: (query) => runner.all(query),
      of: (owner, query) => runner.of(owner, query),
      write: <T>(lock: string, script: () => Script<T>) =>
        runner.write(lock, function* (): Script<T> {
          const work = script()
          let step = work.next()
          while (step.done !== true) {
            verbs.push(/^\w+/.exec(step.value.sql)![0])
            step = work.next(yield step.value)
          }
          return step.value
        }),
      emptyLog: () => undefined,
    }
    const { accounts, signIn } = createPeople(watched, clock, seal)
    await accounts.add('test', { username: 'zoe', password: PASSWORD })
    const statements = async (username: string): Promise<string> => {
      verbs.length = 0
      expect(await refusal(signIn.logIn({ username, password: 'a wrong one' }))).toContain('NotSignedIn')
      return verbs.join()
    }
    const tried: string[] = []
    for (let i = 0; i < 7; i++) tried.push(await statements('zoe'))
    expect(new Set([...tried, await statements('nobody-here')])).toEqual(new Set(['SELECT,UPDATE']))
  })

  it('revokes the links of an admin who loses that role', async () => {
    const { accounts } = people()
    const ann = await idOf('ann')
    const ends = {
      demoted: (userId: string) => accounts.setRole(ann, userId, 'member'),
      disabled: (userId: string) => accounts.setDisabled(ann, userId, true),
    }
    for (const [name, end] of Object.entries(ends)) {
      const { userId } = await accounts.add(ann, { username: name, role: 'admin' })
      const [reset, other] = [
        await accounts.createResetToken(userId, ann),
        await accounts.createResetToken(ann, await idOf('dee')),
      ]
      await end(userId)
      expect(await refusal(accounts.reset(reset, PASSWORD))).toContain('NotAllowed')
      expect(await refusal(accounts.reset(other, PASSWORD))).toBe('let in')
    }
  })

  it('signs a disabled user out at once, and keeps one admin', async () => {
    const { accounts } = people()
    const [ann, ben] = [await idOf('ann'), await idOf('ben')]
    for (const { userId, role } of await accounts.list())
      if (role === 'admin' && userId !== ann) await accounts.setRole(ann, userId, 'member')
    const { token } = await loggedIn('ben')
    expect(await people().caller({ session: token })).toEqual({
      userId: ben,
      role: 'member',
      groups: [],
      scopes: SCOPES,
      kind: 'person',
      sessionId: (await people().signIn.sessions.find(token))!.sessionId,
    })
    await accounts.setDisabled(ann, ben, true)
    expect(await people().caller({ session: token })).toBeUndefined()
    expect(await refusal(loggedIn('ben'))).toContain('NotSignedIn')
    await accounts.setDisabled(ann, ben, false)
    await expect(accounts.setDisabled(ann, ann, true)).rejects.toThrow('last admin')
    await expect(accounts.setRole(ann, ann, 'viewer')).rejects.toThrow('last admin')
    // Two admins remove each other's role in parallel: one stays admin.
    await accounts.setRole(ann, ben, 'admin')
    await Promise.allSettled([accounts.setRole(ann, ben, 'member'), accounts.setRole(ben, ann, 'member')])
    expect((await accounts.list()).filter(({ role }) => role === 'admin')).toHaveLength(1)
    const left = (await accounts.list()).find(({ role }) => role === 'admin')
    await accounts.setRole(left!.userId, ann, 'admin')
  })

  it('puts users into groups, manually and by claims of the provider', async () => {
    const { groups } = people()
    const [ann, ben] = [await idOf('ann'), await idOf('ben')]
    const [sales, finance] = [await groups.create(ann, 'sales'), await groups.create(ann, 'finance')]
    await expect(groups.create(ann, 'sales')).rejects.toThrow('already')
    await groups.addMember(ann, sales, ben)
    const odd = ['a\0b', '\ud800', '', 'x'.repeat(100_000), ...Array.from({ length: 50_000 }, (_, i) => `group ${i}`)]
    await groups.follow(ben, ['finance', 'sales', 'of no concern here', ...odd])
    expect(new Set(await groups.groupIdsOf(ben))).toEqual(new Set([sales, finance]))
    await groups.follow(ben, [])
    expect(await groups.groupIdsOf(ben)).toEqual([sales])
    expect(await groups.list()).toMatchObject([
      { name: 'finance', members: 0 },
      { name: 'sales', members: 1 },
    ])
    await groups.setGrant(ann, 'database:shop', `group:${sales}`, 'reader')
    await groups.setGrant(ann, 'mcp:files', 'everyone', 'reader')
    await groups.setGrant(ann, 'api:crm', `user:${ann}`, 'reader')
    const all = ['api:crm', 'database:shop', 'mcp:files'] as const
    const expectedCaller = { userId: ben, role: 'member', groups: [sales], scopes: SCOPES, kind: 'person' } as const
    expect(await groups.sourcesOf(expectedCaller, all)).toEqual(['database:shop', 'mcp:files'])
    await groups.remove(ann, sales)
    expect(await groups.groupIdsOf(ben)).toEqual([])
    expect(await groups.sourcesOf({ ...expectedCaller, groups: [sales] }, all)).toEqual(['mcp:files'])
    await expect(groups.setGrant(ann, 'shop', 'everyone', 'reader')).rejects.toThrow('is not a source')
    await expect(groups.setGrant(ann, 'collection:x', 'everyone', 'reader')).rejects.toThrow('Grant a collection with')
    await expect(groups.setGrant(ann, 'database:x', 'everyone', 'reader', all)).rejects.toThrow(
      'not found. Available: api:crm',
    )
    await expect(groups.setGrant(ann, 'database:x', 'everyone', undefined)).rejects.toThrow('There is no such grant')
    await expect(groups.setGrant(ann, 'database:x', 'user:nobody', 'reader')).rejects.toThrow('User not found')
  })

  it('logs changes by admins, without secrets', async () => {
    const ann = await idOf('ann')
    const audit = await people().audit(1_000)
    const actions = new Set(audit.map(({ action }) => action))
    const expected = ['set role', 'disable person', 'enable person', 'reset password']
    for (const action of [...expected, 'create group', 'add to group', 'give source', 'remove group'])
      expect(actions).toContain(action)
    expect(audit[0]).toMatchObject({ changedBy: ann, action: 'remove group', detail: { name: 'sales' } })
    const tables = ['users', 'sessions', 'tickets', 'api_keys', 'audit']
    const rows = await Promise.all(
      tables.map((table) => storage().sql.all({ sql: `SELECT * FROM ${table}`, parameters: [] })),
    )
    expect(JSON.stringify(rows)).not.toContain(PASSWORD)
    expect(JSON.stringify(rows)).toContain('$argon2id$')
  })
})
