import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assertConnectable } from './connect-limits.ts'
import type { Connectable, Kind } from './connection-file.ts'

let cwd: string
let dataDir: string
beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'tutti-connect-')))
  dataDir = join(cwd, '.tutti')
  await mkdir(join(dataDir, 'inner'), { recursive: true })
  await mkdir(join(cwd, 'shared'))
  for (const file of ['.tutti/tutti.db', '.tutti/inner/deep.db', 'shop.db', 'shared/sales.db'])
    await writeFile(join(cwd, file), '')
  await symlink(join(dataDir, 'tutti.db'), join(cwd, 'shared', 'linked.db'))
  await link(join(dataDir, 'tutti.db'), join(cwd, 'shared', 'hard.db'))
  await symlink(dataDir, join(cwd, 'shared', 'folder'))
  await symlink(join(cwd, 'shop.db'), join(cwd, 'shared', 'outside.db'))
})
afterAll(() => rm(cwd, { recursive: true, force: true }))

/** The refusal for an admin or the operator; undefined when allowed. */
async function connectError<K extends Kind>(kind: K, entry: Connectable<K>, by: 'operator' | readonly string[] = []) {
  const admin = by === 'operator' ? {} : { admin: { folders: ['shared'], hosts: by } }
  return assertConnectable(kind, entry, { cwd, dataDir, ...admin }).then(
    () => undefined,
    ({ message }: Error) => message,
  )
}
const database = (address: string, by?: 'operator' | readonly string[]) =>
  connectError('database', { name: 'x', address }, by)

describe('files that may be connected', () => {
  it.each([
    '.tutti/tutti.db',
    'sqlite:.tutti/tutti.db',
    'sqlite://.tutti/tutti.db',
    'sqlite:shared/../.tutti/./tutti.db',
    'SQLITE:shared/linked.db',
    'shared/hard.db',
    'shared/folder/inner/deep.db',
  ])('exclude the data folder for operators and users alike: %s', async (address) => {
    for (const by of ['operator', []] as const) expect(await database(address, by)).toEqual(expect.any(String))
    expect(await database(`sqlite:${join(cwd, address.replace(/^sqlite:(\/\/)?/i, ''))}`)).toEqual(expect.any(String))
    expect(await database(address, 'operator')).toContain('a file of Tutti itself')
  })

  it('are limited to listed folders for admins, with the same answer for every other file', async () => {
    expect(await database('sqlite:shared/sales.db')).toBeUndefined()
    const cases = [
      'shop.db',
      'missing.db',
      'shared/outside.db',
      'shared/missing.db',
      '/etc/passwd.db',
      '.tutti/none.db',
    ]
    const answers = await Promise.all(cases.map((address) => database(address)))
    expect(new Set(answers)).toEqual(new Set([expect.stringContaining('server.databaseFolders')]))
  })

  it('include all others for the operator', async () => {
    expect(await database('shop.db', 'operator')).toBeUndefined()
  })
})

describe('addresses that an admin may connect', () => {
  const reader = 'postgres://reader:secret@'
  const internal = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0.0.0.0',
    '[::1]',
    '[::ffff:10.0.0.7]',
    'localhost',
    '169.254.169.254',
  ]
  it('exclude internal ones, with the same answer as for unknown names', async () => {
    const answers = await Promise.all(
      [...internal, 'a..b'].flatMap((host) => [
        database(`${reader}${host}/shop`),
        database(`mysql://reader:secret@${host}:6379/shop`),
        connectError('model', { address: `http://${host}:9/v1` }),
        connectError('mailbox', { server: `${host}:9`, user: 'ada', password: 'p', from: 'ada@b.example' }),
        connectError('mailbox', {
          server: '203.0.114.9',
          smtp: host,
          user: 'ada',
          password: 'p',
          from: 'ada@b.example',
        }),
      ]),
    )
    expect(new Set(answers)).toEqual(new Set([expect.stringContaining('http.allowHosts')]))
  })

  it('include public ones, and internal ones that the operator allows', async () => {
    expect(await database(`${reader}203.0.114.9/shop?sslmode=require`)).toBeUndefined()
    expect(await connectError('model', { address: 'https://203.0.114.9/v1' })).toBeUndefined()
    expect(await connectError('model', { address: 'http://127.0.0.1:11434/v1' }, ['127.0.0.1:11434'])).toBeUndefined()
    expect(await connectError('model', { address: 'http://127.0.0.1:11435/v1' }, ['127.0.0.1:11434'])).toContain(
      'allowHosts',
    )
    expect(await database('mysql://reader:secret@localhost/shop', ['localhost:3306'])).toBeUndefined()
  })

  it.each([
    'postgres://203.0.114.9/shop',
    'postgres://reader@203.0.114.9/shop',
    `${reader}203.0.114.9/shop?host=127.0.0.1`,
    `${reader}203.0.114.9/shop?host=/var/run/postgresql`,
    `${reader}203.0.114.9/shop?sslmode=require&sslkey=/etc/shadow`,
    `${reader}%2Fvar%2Frun%2Fpostgresql/shop`,
    `${reader}%31%32%37.0.0.1/shop`,
    'postgres:///shop',
  ])('read nothing from the server’s machine: %s', async (address) => {
    expect(await database(address)).toContain('no option but sslmode')
  })

  it('are unlimited for the operator', async () => {
    expect(await connectError('model', { address: 'http://127.0.0.1:11434/v1' }, 'operator')).toBeUndefined()
    expect(await database('postgres:///shop', 'operator')).toBeUndefined()
  })
})
