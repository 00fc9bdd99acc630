import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { saidOn } from './terminal.ts'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'tutti-people-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

const said = async (command: string) => saidOn({ folder, columns: 120, isTTY: false }, command.split(' '))
// oxlint-disable-next-line typescript/no-explicit-any -- what is wanted of it is said where it is used
const json = async (command: string): Promise<any> => JSON.parse((await said(`${command} --json`)).out)

it('docs/people.md: the commands do what it says', async () => {
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
  const { out } = await said('audit')
  for (const words of [/add person +ann/, /give source +database:shop/, /command line/]) expect(out).toMatch(words)
})

it('changes roles, passwords and keys, and takes away what was given', async () => {
  expect((await said('people role ann member')).code).toBe(2)
  expect((await said('people role ben admin')).code).toBe(0)
  expect((await said('people disable ben')).code).toBe(0)
  expect((await said('people list')).out).toMatch(/ben +ben +admin +disabled/)
  expect((await said('people enable ben')).code).toBe(0)
  expect((await said('people reset ben --second-factor')).out.trim()).toMatch(/^[\w-]{43}$/)
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
  expect(await json('groups list')).toEqual({ groups: [], sources: [], limits: [] })
})

it.each([
  ['people add ../x', 'A name has'],
  ['people role nobody admin', 'Nobody here is called "nobody"'],
  ['people add x --role king', 'There is no role "king"'],
  ['groups give shop everyone', 'names no source'],
  ['groups give database:shop all', 'is nobody'],
  ['groups limit everyone patience day 3', 'Limit cost'],
  ['keys create ann --scope everything', 'There is no scope'],
  ['serve --host 0.0.0.0 --port 0 --data ELSEWHERE', 'nobody has an account yet'],
])('%s: says what is wrong', async (command, words) => {
  const { err, code } = await said(command.replace('ELSEWHERE', join(folder, 'elsewhere')))
  expect(code).not.toBe(0)
  expect(err).toContain(words)
})
