import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../../../test/support/postgres.ts'
import type { KnowledgeStore } from '../types.ts'
import { openKnowledgeStore, type StorePlace } from './index.ts'
import { documentOf } from '../../../test/documents/support/stored-document.ts'

const postgresUrl = inject('postgresUrl')

let folder: string
const open: KnowledgeStore[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-knowledge-'))
})

afterEach(async () => {
  await Promise.all(open.splice(0).map((store) => store.close()))
  await rm(folder, { recursive: true, force: true })
})

function openStore(place: StorePlace): KnowledgeStore {
  const store = openKnowledgeStore(place)
  open.push(store)
  return store
}

describe('opening a knowledge store', () => {
  it('reports the fault of the file', async () => {
    const text = join(folder, 'text.db')
    await writeFile(text, 'This is no database, however long it is. '.repeat(300))
    await mkdir(join(folder, 'folder.db'))
    for (const [path, message] of [
      [text, /file is not a database/],
      [join(folder, 'folder.db'), /is a directory/],
      [join(text, 'below.db'), /cannot be used: (?:ENOTDIR|EEXIST)/],
    ] as const) {
      const store = openStore({ sqlitePath: path })
      await expect(store.documents('ada')).rejects.toMatchObject({
        code: 'StorageError',
        message: expect.stringMatching(message),
      })
    }
  })

  it('finds nothing in a file that does not exist, and does not create it', async () => {
    const store = openStore({ sqlitePath: join(folder, 'knowledge.db') })
    expect(await store.documents('ada')).toEqual([])
    expect(await store.holds('ada')).toBe(false)
    expect(await store.lexical('ada', 'word', 3)).toEqual([])
    await expect(store.documents('a\0b')).rejects.toMatchObject({ code: 'InvalidRequest' })
    expect(await readdir(folder)).toEqual([])
  })

  it('refuses data of a newer version', async () => {
    const sqlitePath = join(folder, 'knowledge.db')
    const { default: Database } = await import('libsql')
    const db = new Database(sqlitePath)
    db.exec('PRAGMA user_version = 99')
    db.close()
    await expect(openStore({ sqlitePath }).documents('ada')).rejects.toMatchObject({
      code: 'StorageError',
      message: expect.stringContaining('version 99'),
    })
  })

  it('reports that no server listens, without the password', async () => {
    const failed = await openStore({ postgresUrl: 'postgres://me:secret@127.0.0.1:1/x' })
      .documents('ada')
      .catch((error: unknown) => error)
    expect(failed).toMatchObject({ code: 'StorageError', message: expect.stringContaining('127.0.0.1:1/x') })
    expect(JSON.stringify(failed)).not.toContain('secret')
    await expect(openStore({ postgresUrl: 'nonsense' }).documents('ada')).rejects.toMatchObject({
      code: 'ConfigurationError',
    })
  })

  it('is closed once, after pending calls', async () => {
    const store = openStore({ sqlitePath: join(folder, 'knowledge.db') })
    const putting = store.put('ada', documentOf('a', ['text of it']))
    await store.close()
    await expect(putting).resolves.toMatchObject({ isNew: true })
    await expect(store.documents('ada')).rejects.toThrow('closed')
    await store.close()
  })

  const isLinux = process.platform === 'linux'
  it.skipIf(!isLinux)('replaces a killed process, and leaves no partial work (Linux tells children)', async () => {
    const sqlitePath = join(folder, 'knowledge.db')
    const store = openStore({ sqlitePath })
    await store.put('ada', documentOf('a', ['first text']))
    const before = await processesOn(sqlitePath)
    const big = documentOf(
      'big',
      Array.from({ length: 3_000 }, (_, at) => `word${at} `.repeat(40)),
    )
    expect(before).not.toEqual([])
    const putting = store.put('ada', big).catch((error: unknown) => error)
    for (const pid of before) process.kill(pid, 'SIGKILL')
    expect(await putting).toMatchObject({ code: 'StorageError', retryable: true })
    expect((await store.documents('ada')).map(({ name }) => name)).toEqual(['a'])
    expect(await store.put('ada', big)).toMatchObject({ isNew: true })
    expect(await store.lexical('ada', 'word2999', 3)).toHaveLength(1)
  })
})

/** Child processes that have the file open. Other test files have stores, too. */
async function processesOn(path: string): Promise<number[]> {
  const found: number[] = []
  for (const thread of await readdir('/proc/self/task')) {
    const list = await readFile(`/proc/self/task/${thread}/children`, 'utf8').catch(() => '')
    for (const child of list.split(' ').filter((text) => text !== '')) {
      const files = await readdir(`/proc/${child}/fd`).catch(() => [])
      const targets = await Promise.all(files.map((fd) => readlink(`/proc/${child}/fd/${fd}`).catch(() => '')))
      if (targets.includes(path)) found.push(Number(child))
    }
  }
  return found
}

describe.each([
  ['SQLite', false, async (): Promise<StorePlace> => ({ sqlitePath: join(folder, 'knowledge.db') })],
  [
    'PostgreSQL',
    postgresUrl === '',
    async (): Promise<StorePlace> => ({ postgresUrl: await createTestDatabase(postgresUrl) }),
  ],
] as const)('two programs on one store, %s', (_, isMissing, place) => {
  it.skipIf(isMissing)('lose none of each other’s data (PostgreSQL needs a local installation)', async () => {
    const at = await place()
    const stores = [openStore(at), openStore(at)]
    await Promise.all(
      stores.flatMap((store, program) =>
        Array.from({ length: 12 }, async (__, number) => {
          await store.put(
            'ada',
            documentOf(`own ${program} ${number}`, ['shared words here', `only${program}x${number}`]),
          )
          await store.put('ada', documentOf('same', [`version ${program} ${number}`]))
          await store.put(`user ${program}`, documentOf('mine', ['shared words here', String(number)]))
        }),
      ),
    )
    const [one, two] = await Promise.all(stores.map((store) => store.documents('ada')))
    expect(one).toHaveLength(25)
    expect(two).toEqual(one)
    expect(await stores[0]!.lexical('ada', 'shared', 100)).toHaveLength(24)
    expect(await stores[0]!.lexical('ada', 'version', 100)).toHaveLength(1)
    expect(await stores[1]!.lexical('ada', 'only0x7', 5)).toHaveLength(1)
    expect(await stores[1]!.lexical('user 0', 'shared', 5)).toHaveLength(1)
  })
})
