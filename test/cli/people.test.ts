import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import { sharedOwner } from '../../src/documents/collections.ts'
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
  const { keys } = await json('keys list ben')
  expect(keys).toMatchObject([{ name: 'script', scopes: ['read', 'ask'] }])
})

it('disables accounts, resets passwords, and revokes keys', async () => {
  expect((await said('people disable ben')).code).toBe(0)
  expect((await said('people list')).out).toMatch(/ben +ben +member +disabled/)
  const reset = await said('people reset ann')
  expect(reset.out.trim()).toMatch(/^[\w-]{43}$/)
  // Where a person opens it.
  expect(reset.err).toContain(`https://tutti.example.com/#reset=${reset.out.trim()}\n`)
  expect((await said('keys create ann')).code).toBe(0)
  const [{ beginsWith }] = (await json('keys list ann')).keys
  expect((await said(`keys revoke ann ${beginsWith}`)).code).toBe(0)
  expect((await json('keys list ann')).keys).toEqual([])
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

it('answers from a collection', async () => {
  await writeFile(join(folder, 'lease.md'), '# Lease\n\nThe lease of the warehouse needs 42 days of notice.\n')
  const app = await createApp({ storage: { folder: join(folder, 'data') } })
  const { collectionId } = await app.people.collections.create('test', 'contracts')
  const shelf = sharedOwner(collectionId)
  await app.knowledge.ingest.addPaths(shelf, ['lease.md'], { cwd: folder })
  const [{ documentId } = { documentId: '' }] = await app.knowledge.store.documents(shelf)
  await app.close()
  const asked = await said('ask How many days of notice does the lease of the warehouse need? --collection contracts')
  expect(asked.out).toContain('42 days')
  expect((await said(`docs show ${documentId}`)).out).toContain('42 days')
  expect((await said('docs search lease')).out).toContain('lease.md')
})

it.each([
  ['people add ../x', 'A username must'],
  ['people disable nobody', 'User "nobody" not found'],
  ['people add x --role king', 'Allowed choices are viewer, member, admin'],
  ['ask what --collection none', 'There is no collection "none"'],
  ['keys create ann --scope everything', 'Unknown scope'],
  ['serve --host 0.0.0.0 --port 0 --data ELSEWHERE', 'no accounts exist yet'],
])('%s: reports the fault', async (command, words) => {
  const { err, code } = await said(command.replace('ELSEWHERE', join(folder, 'elsewhere')))
  expect(code).not.toBe(0)
  expect(err).toContain(words)
})
