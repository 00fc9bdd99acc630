import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import { saidOn } from './terminal.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-people-'))
  await writeFile(
    join(folder, 'tutti.config.yaml'),
    'databases:\n  - name: shop\n    url: sqlite:shop.sqlite\nserver:\n  url: https://tutti.example.com\n',
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const said = async (command: string) => saidOn({ folder, columns: 120, isTTY: false }, command.split(' '))
// oxlint-disable-next-line typescript/no-explicit-any -- what is wanted of it is said where it is used
const json = async (command: string): Promise<any> => JSON.parse((await said(`${command} --json`)).out)

it('docs/people.md: the commands work as described', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/people.md'), 'utf8')
  const commands = /```sh\n([\s\S]*?)```/.exec(page)![1]!.trim().split('\n')
  for (const line of commands) {
    const [, command] = /^tutti ([^#]*?)\s*(?:#.*)?$/.exec(line)!
    expect([command, (await said(command!)).code]).toEqual([command, 0])
  }
  const { people } = await json('people list')
  expect(people).toMatchObject([
    { username: 'ann', role: 'admin' },
    { username: 'ben', role: 'member' },
  ])
  expect(await json('groups list')).toMatchObject({
    groups: [{ name: 'sales', members: 1 }],
    sources: [{ source: 'database:shop', 'given to': 'group:sales' }],
    limits: [{ whom: 'group:sales', measure: 'runs', period: 'day', most: 200 }],
  })
  const { keys } = await json('keys list ben')
  expect(keys).toMatchObject([{ name: 'script', scopes: ['read', 'ask'] }])
  expect(await json('collections list')).toMatchObject({
    collections: [{ name: 'contracts', documents: 0, 'given to': 'group:sales' }],
  })
  const { out } = await said('audit')
  for (const words of [/add person +ann/, /give source +database:shop/, /command line/]) expect(out).toMatch(words)
})

it('changes roles, passwords and keys, and revokes grants', async () => {
  expect((await said('people role ann member')).code).toBe(2)
  expect((await said('people role ben admin')).code).toBe(0)
  expect((await said('people disable ben')).code).toBe(0)
  expect((await said('people list')).out).toMatch(/ben +ben +admin +disabled/)
  expect((await said('people enable ben')).code).toBe(0)
  const reset = await said('people reset ben --second-factor')
  expect(reset.out.trim()).toMatch(/^[\w-]{43}$/)
  // Where a person opens it.
  expect(reset.err).toContain(`https://tutti.example.com/#reset=${reset.out.trim()}\n`)
  const [{ beginsWith }] = (await json('keys list ben')).keys
  expect((await said(`keys revoke ben ${beginsWith}`)).code).toBe(0)
  expect((await json('keys list ben')).keys).toEqual([])
  for (const command of [
    'groups take database:shop group:sales',
    'groups limit group:sales runs day',
    'groups drop sales ben',
    'groups remove sales',
  ])
    expect([command, (await said(command)).code]).toEqual([command, 0])
  expect(await json('groups list')).toEqual({
    groups: [],
    sources: [{ source: 'database:shop', 'given to': '' }],
    limits: [],
  })
})

it('invites, lists who is invited, and withdraws it', async () => {
  const made = await said('people invite --role viewer')
  expect(made.err).toContain(`https://tutti.example.com/#invitation=${made.out.trim()}\n`)
  const { invitations } = await json('people invitations')
  expect(invitations).toMatchObject([{ role: 'viewer', madeBy: 'command line' }])
  const [{ invitationId, expiresAt }] = invitations
  const { out } = await said('people invitations')
  expect(out).toContain(`${invitationId}  viewer  command line  `)
  expect(out).toContain(expiresAt.slice(0, 16).replace('T', ' '))
  expect(out).not.toContain(made.out.trim())
  expect((await said(`people withdraw ${invitationId}`)).code).toBe(0)
  expect(await said(`people withdraw ${invitationId}`)).toMatchObject({
    code: 2,
    err: expect.stringContaining('Invitation not found'),
  })
  expect((await said('people invitations')).err).toBe('There are no open invitations.\n')
  expect((await said('audit')).out).toMatch(new RegExp(`withdraw invitation +${invitationId}`))
})

it('is served with a warning for each unreadable database', async () => {
  const own = await mkdtemp(join(tmpdir(), 'tutti-broken-'))
  await writeFile(
    join(own, 'tutti.config.yaml'),
    `databases:
  - { name: bare, url: sqlite:bare.sqlite }
  - { name: gone, url: sqlite:not-here.sqlite }
`,
  )
  await writeFile(join(own, 'bare.sqlite'), '')
  const words =
    /Warning: the database bare cannot be asked: It has no table .+\n.*Warning: the database gone cannot be asked: .*not-here\.sqlite/
  const stays = (text: () => string) => vi.waitFor(() => expect(text()).toMatch(words), { timeout: 60_000 })
  const served = await saidOn({ folder: own, columns: 120, isTTY: false, stays }, ['serve', '--port', '0'])
  expect(served.err).toMatch(words)
  await rm(own, { recursive: true })
})

it('leaves no partial file of a failed export, so that the next one succeeds', async () => {
  const own = await mkdtemp(join(tmpdir(), 'tutti-export-'))
  const [rightKey, wrongKey] = ['5', '6'].map((digit) => digit.repeat(64))
  const app = await createApp({ storage: { folder: join(own, 'data'), secretKey: rightKey! } })
  const { userId } = await app.people.accounts.add('test', { username: 'dora' })
  const timing = { at: Date.now() + 86_400_000 }
  await app.schedules.add(userId, { timing, request: { question: 'What is new?' }, webhook: 'https://hooks.example/x' })
  await app.close()
  const run = (key: string) =>
    saidOn({ folder: own, columns: 120, isTTY: false, env: { TUTTI_SECRET_KEY: key } }, [
      'people',
      'export',
      'dora',
      'd.tgz',
    ])
  const failed = await run(wrongKey!)
  expect([failed.code === 0, await readdir(own)]).toEqual([false, ['data']])
  expect(await run(rightKey!)).toMatchObject({ code: 0 })
  const whole = await readFile(join(own, 'd.tgz'))
  const again = await run(rightKey!)
  expect([again.code, again.err]).toEqual([2, expect.stringContaining('exists already')])
  expect(await readFile(join(own, 'd.tgz'))).toEqual(whole)
  await rm(own, { recursive: true })
})

it('fills, shows and empties a collection, and answers from it', async () => {
  await writeFile(join(folder, 'lease.md'), '# Lease\n\nThe lease of the warehouse needs 42 days of notice.\n')
  expect((await said('collections add contracts lease.md')).code).toBe(0)
  expect((await json('collections documents contracts')).documents).toMatchObject([{ name: 'lease.md' }])
  const asked = await said('ask How many days of notice does the lease of the warehouse need? --collection contracts')
  expect(asked.out).toContain('42 days')
  const [{ documentId }] = (await json('collections documents contracts')).documents
  expect((await said(`docs show ${documentId}`)).out).toContain('42 days')
  expect((await said('docs search lease')).out).toContain('lease.md')
  expect((await said('collections drop contracts lease.md')).code).toBe(0)
  expect((await json('collections documents contracts')).documents).toEqual([])
  for (const command of [
    'collections give contracts everyone',
    'collections take contracts everyone',
    'collections remove contracts --yes',
  ])
    expect([command, (await said(command)).code]).toEqual([command, 0])
  expect(await json('collections list')).toEqual({ collections: [] })
})

it('lists grants of users’ own data, and withdraws them from one or from all', async () => {
  const app = await createApp({ storage: { folder: join(folder, 'data') } })
  const { userId } = await app.people.accounts.find('ann')
  const notes = await app.people.collections.create(userId, 'notes', userId)
  const groupId = await app.people.groups.create('test', 'readers')
  await app.people.collections.setGrant(userId, notes, 'everyone', 'reader')
  await app.people.collections.setGrant(userId, notes, `group:${groupId}`, 'editor')
  await app.close()
  expect(await json('collections given')).toEqual({
    given: [{ id: notes.collectionId, name: 'notes', owner: 'ann', 'given to': 'everyone, group:readers (edit)' }],
  })
  expect((await said('collections given')).out).toMatch(/notes +ann +everyone, group:readers \(edit\)/)
  const start = notes.collectionId.slice(0, 8)
  expect((await said(`collections withdraw ${start} user:ben`)).err).toContain('There is no such grant')
  expect((await said('collections withdraw nothing-like-it')).err).toContain('There is no collection')
  expect((await said(`collections withdraw ${start} everyone`)).code).toBe(0)
  expect(await json('collections given')).toMatchObject({ given: [{ 'given to': 'group:readers (edit)' }] })
  expect((await said('collections withdraw notes')).code).toBe(0)
  expect(await json('collections given')).toEqual({ given: [] })
  expect((await said('audit')).out).toMatch(/take collection/)
  expect((await said('groups remove readers')).code).toBe(0)
})

it.each([
  ['people add ../x', 'A username must'],
  ['people role nobody admin', 'User "nobody" not found'],
  ['people add x --role king', 'Allowed choices are viewer, member, admin'],
  ['groups give shop everyone', 'is not a source'],
  ['groups give database:nope everyone', 'Source "database:nope" not found. Available: database:shop'],
  ['groups take database:shop everyone', 'There is no such grant'],
  ['groups give database:shop all', 'is not valid'],
  ['groups give collection:x everyone', 'to grant a collection'],
  ['collections give none everyone', 'There is no collection "none"'],
  ['collections remove none', 'There is no collection "none"'],
  ['ask what --collection none', 'There is no collection "none"'],
  ['groups limit everyone patience day 3', 'Allowed choices are cost'],
  ['keys create ann --scope everything', 'Unknown scope'],
  ['serve --host 0.0.0.0 --port 0 --data ELSEWHERE', 'no accounts exist yet'],
])('%s: reports the fault', async (command, words) => {
  const { err, code } = await said(command.replace('ELSEWHERE', join(folder, 'elsewhere')))
  expect(code).not.toBe(0)
  expect(err).toContain(words)
})
