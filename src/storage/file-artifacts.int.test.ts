import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../../test/support/postgres.ts'
import type { ArtifactStore } from '../domain/artifacts.ts'
import { MemoryArtifacts } from '../engine/memory-artifacts.ts'
import { systemClock } from '../shared/clock.ts'
import { DatabaseArtifacts } from './database-artifacts.ts'
import { FileArtifacts } from './file-artifacts.ts'
import { openStorage, type Storage } from './index.ts'

let folder: string
let storage: Storage | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-artifacts-'))
})
afterEach(async () => {
  await storage?.close()
  storage = undefined
  await rm(folder, { recursive: true, force: true })
})

const file = (name: string, text: string, mediaType = 'text/plain') => {
  return { name, mediaType, bytes: new TextEncoder().encode(text) }
}

/** A database each, as every test has a folder of its own. */
async function inPostgres(): Promise<ArtifactStore> {
  storage = await openStorage({
    databaseUrl: await createTestDatabase(inject('postgresUrl')),
    clock: systemClock,
    onError: ({ message }) => expect.fail(message),
  })
  return new DatabaseArtifacts(storage.sql)
}

const stores: [string, () => ArtifactStore | Promise<ArtifactStore>][] = [
  ...(inject('postgresUrl') === '' ? [] : [['PostgreSQL', inPostgres] as [string, () => Promise<ArtifactStore>]]),
  ['files', () => new FileArtifacts(join(folder, 'artifacts'))],
  ['memory', () => new MemoryArtifacts()],
]

describe.each(stores)('artifacts in %s', (_kind, open) => {
  it('are returned as stored', async () => {
    const artifacts = await open()
    const ref = await artifacts.keep('local', file('orders.json', '[1]', 'application/json'))
    expect(ref).toMatchObject({ name: 'orders.json', mediaType: 'application/json', bytes: 3 })
    const { name, mediaType, bytes } = await artifacts.read('local', ref.id)
    expect([name, mediaType, Buffer.from(bytes).toString()]).toEqual(['orders.json', 'application/json', '[1]'])
  })

  it('differ by name, type and content, and are stored once', async () => {
    const artifacts = await open()
    const files = [file('a', '1'), file('b', '1'), file('a', '2'), file('a', '1', 'text/csv'), file('a', '1')]
    const ids = await Promise.all(files.map(async (one) => (await artifacts.keep('local', one)).id))
    expect(new Set(ids).size).toBe(4)
    expect(ids[4]).toBe(ids[0])
  })

  it('are listed and removed only for their owner', async () => {
    const artifacts = await open()
    expect(await artifacts.list('alice')).toEqual([])
    const [first, second] = [
      await artifacts.keep('alice', file('a.txt', '1')),
      await artifacts.keep('alice', file('b.txt', '2')),
    ]
    await artifacts.keep('bob', file('a.txt', '1'))
    expect([...(await artifacts.list('alice'))].sort()).toEqual([first.id, second.id].sort())
    await artifacts.remove('alice', first.id)
    await artifacts.remove('alice', first.id)
    expect(await artifacts.list('alice')).toEqual([second.id])
    await expect(artifacts.read('alice', first.id)).rejects.toMatchObject({ code: 'ArtifactNotFound' })
    expect(await artifacts.list('bob')).toHaveLength(1)
  })

  it('do not exist for another owner', async () => {
    const artifacts = await open()
    const { id } = await artifacts.keep('alice', file('a.txt', 'private'))
    for (const owner of ['bob', 'local', 'Alice', 'alice/', '../alice', './alice', '', 'alice\n']) {
      await expect(artifacts.read(owner, id)).rejects.toMatchObject({
        code: 'ArtifactNotFound',
        message: expect.stringContaining(`There is no artifact ${id}.`),
      })
    }
    for (const id of ['none', '', '../alice/x', '/etc/passwd', `${'0'.repeat(32)}-..`, `${'0'.repeat(32)}-a/../b`]) {
      await expect(artifacts.read('alice', id)).rejects.toMatchObject({ code: 'ArtifactNotFound' })
    }
  })
})

describe('files of artifacts', () => {
  it("are in their owner's folder, readable only by this user", async () => {
    const { path } = await new FileArtifacts(folder).keep('local', file('a.txt', 'x'))
    expect(dirname(path!)).toBe(join(folder, 'local'))
    expect(await readFile(path!, 'utf8')).toBe('x')
    expect((await stat(path!)).mode & 0o077).toBe(0)
  })

  it.each([
    '../../evil',
    '/etc/passwd',
    '..',
    '',
    'a/b\\c\0d',
    '.hidden',
    'x'.repeat(500),
    '../'.repeat(40),
    'a.media-type',
  ])('do not leave the folder by the name %j', async (name) => {
    const artifacts = new FileArtifacts(folder)
    const { path, id } = await artifacts.keep('local', file(name, 'x'))
    expect(dirname(path!)).toBe(join(folder, 'local'))
    expect(await readdir(folder)).toEqual(['local'])
    expect(Buffer.from((await artifacts.read('local', id)).bytes).toString()).toBe('x')
  })

  it.each(['..', '../x', 'a/b', 'A', 'user@example.org', 'ä', '~x', 'x'.repeat(300), '.', 'con.txt'])(
    'do not leave the folder by the owner %j',
    async (owner) => {
      const { path } = await new FileArtifacts(folder).keep(owner, file('a.txt', 'x'))
      expect(dirname(dirname(path!))).toBe(folder)
    },
  )

  it('leave no folder behind, and removing one keeps the others', async () => {
    const artifacts = new FileArtifacts(folder)
    let last = await artifacts.keep('local', file('a.txt', '0'))
    for (let i = 1; i <= 200; i++) {
      const [next] = await Promise.all([
        artifacts.keep('local', file('a.txt', String(i))),
        artifacts.remove('local', last.id),
      ])
      expect(await artifacts.list('local')).toEqual([next.id])
      last = next
    }
    await artifacts.remove('local', last.id)
    expect(await readdir(folder)).toEqual([])
  })

  it('that cannot be written are an error', async () => {
    await writeFile(join(folder, 'local'), 'in the way')
    const error = await new FileArtifacts(folder).keep('local', file('a.txt', 'x')).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'StorageError', message: expect.stringContaining(folder) })
  })
})

it('memory keeps to its limit and drops the oldest files first', async () => {
  const artifacts = new MemoryArtifacts(10)
  const first = await artifacts.keep('local', file('a', '12345678'))
  const second = await artifacts.keep('local', file('b', '1234'))
  await expect(artifacts.read('local', first.id)).rejects.toThrow(/until the program ends/)
  expect((await artifacts.read('local', second.id)).name).toBe('b')
})
