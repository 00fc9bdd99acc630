import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { started } from '../../test/support/storage.ts'
import { systemClock } from '../shared/clock.ts'
import { documentOf } from '../../test/documents/support/stored-document.ts'
import { openKnowledgeStore } from '../documents/store/index.ts'
import { backUp, restore } from './backup.ts'
import { openStorage, type Storage } from './index.ts'

const AT = '2026-10-31T12:00:00.000Z'
const NOTE = { type: 'note', kind: 'MESSAGE', message: 'x'.repeat(200), at: AT } as const

let folder: string
let data: string
const opened: { close(): Promise<void> }[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-backup-'))
  data = join(folder, 'data')
})
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  await rm(folder, { recursive: true, force: true })
})

async function open(dataDir = data): Promise<Storage> {
  const storage = await openStorage({ dataDir, clock: systemClock, onError: (error) => expect.fail(error.message) })
  opened.push(storage)
  return storage
}

async function closeAll(): Promise<void> {
  for (const one of opened.splice(0)) await one.close()
}

/** The data as they stand once all are closed. SQLite takes its side files away in its own time, perhaps while we copy. */
const copyClosed = (to: string) => cp(data, to, { recursive: true, filter: (path) => !/-(?:wal|shm)$/.test(path) })

const question = (n: number) => started(`Question ${n} of https://x.example/?token=secret-of-${n}`)

/** A data folder with a run, which nobody uses. */
async function closedRun(): Promise<void> {
  await run(await open(), 'r')
  await closeAll()
}

async function run({ store }: Storage, runId: string, n = 0): Promise<void> {
  const outcome = await store.append([{ runId, afterSeq: 0, events: [question(n), NOTE], status: 'running' }])
  expect(outcome).toEqual(['appended'])
}

describe('a backup', () => {
  it('made during many writes holds every run up to one moment, complete, with artifacts, documents and key', async () => {
    const storage = await open()
    const knowledge = openKnowledgeStore({ sqlitePath: join(data, 'knowledge.db') })
    opened.push(knowledge)
    await knowledge.put('ann', documentOf('a', ['text of it']))
    const storm = { isOver: false, written: 0 }
    const writing = (async () => {
      for (; !storm.isOver; storm.written++) {
        const { written } = storm
        const { id } = await storage.store.artifacts.keep('ann', {
          name: 'a.txt',
          mediaType: 'text/plain',
          bytes: Buffer.from(`${written}`),
        })
        await run(storage, `r${written}`, written)
        await storage.store.append([{ runId: `r${written}`, afterSeq: 2, events: [{ ...NOTE, message: id }] }])
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    while (storm.written < 50) await new Promise((resolve) => setImmediate(resolve))
    const before = storm.written
    const report = await backUp(data, join(folder, 'backup'), AT)
    const during = storm.written
    storm.isOver = true
    await writing
    expect(report.holds).toEqual(['knowledge.db', 'secret.key', 'tutti.db'])
    expect(during).toBeGreaterThanOrEqual(before)
    await closeAll()

    // Copying to another machine may have opened it to others.
    for (const name of report.holds) await chmod(join(folder, 'backup', name), 0o644)
    const elsewhere = join(folder, 'elsewhere')
    await restore(join(folder, 'backup'), elsewhere, AT, false)
    for (const name of report.holds) expect((await stat(join(elsewhere, name))).mode & 0o777).toBe(0o600)
    const { store } = await open(elsewhere)
    const runs = await store.runs()
    expect(runs.length).toBeGreaterThanOrEqual(before)
    for (const { runId, lastSeq } of runs) {
      const events = await store.read(runId)
      expect(events).toHaveLength(lastSeq)
      const n = Number(runId.slice(1))
      expect(events[0]).toMatchObject({
        request: { question: `Question ${n} of https://x.example/?token=secret-of-${n}` },
      })
      const named = events[2]
      // The last run may not have got so far.
      const text =
        named?.type === 'note'
          ? Buffer.from((await store.artifacts.read('ann', named.message)).bytes).toString()
          : String(n)
      expect(text).toBe(String(n))
    }
    const restored = openKnowledgeStore({ sqlitePath: join(elsewhere, 'knowledge.db') })
    opened.push(restored)
    expect(await restored.documents('ann')).toMatchObject([{ name: 'a' }])
  })

  it('is readable only by this user, and a failure leaves no partial backup', async () => {
    await run(await open(), 'r')
    const target = join(folder, 'backup')
    await backUp(data, target, AT)
    expect((await stat(target)).mode & 0o777).toBe(0o700)
    for (const name of await readdir(target)) expect((await stat(join(target, name))).mode & 0o077).toBe(0)
    await expect(backUp(data, target, AT)).rejects.toThrow('already exists')
    await expect(backUp(join(folder, 'none'), join(folder, 'b2'), AT)).rejects.toThrow('nothing to back up')
    await writeFile(join(data, 'knowledge.db'), 'no database at all, but long enough to look at'.repeat(50))
    await expect(backUp(data, join(folder, 'b3'), AT)).rejects.toMatchObject({ code: 'StorageError' })
    expect((await readdir(folder)).sort()).toEqual(['backup', 'data'])
  })

  it('replaces other data only on request, and never data in use', async () => {
    await run(await open(), 'old')
    await backUp(data, join(folder, 'backup'), AT)
    const { store } = await open()
    await store.append([{ runId: 'new', afterSeq: 0, events: [question(1)], status: 'running' }])
    await expect(restore(join(folder, 'backup'), data, AT, false)).rejects.toThrow('is not empty. Use --force')
    await expect(restore(join(folder, 'backup'), data, AT, true)).rejects.toThrow('is in use')
    expect(await store.runs()).toHaveLength(2)
    await closeAll()
    // The binding lets go of a file only when its statements are collected, so what is closed here counts as in use still.
    const closed = join(folder, 'closed')
    await copyClosed(closed)
    const { replaced } = await restore(join(folder, 'backup'), closed, AT, true)
    expect((await (await open(closed)).store.runs()).map((record) => record.runId)).toEqual(['old'])
    expect(await readdir(replaced!)).toContain('tutti.db')
    await closeAll()

    await expect(restore(folder, join(folder, 'x'), AT, false)).rejects.toThrow('is not a complete backup')
    await copyFile(join(folder, 'backup', 'secret.key'), join(folder, 'backup', 'tutti.db'))
    const another = join(folder, 'another')
    await expect(restore(join(folder, 'backup'), another, AT, true)).rejects.toMatchObject({ code: 'StorageError' })
    expect(await readdir(another)).toEqual([])
  })
})

describe('links', () => {
  it('of a data folder are followed, so that the backup is complete without them', async () => {
    await closedRun()
    const disk = join(folder, 'disk')
    await mkdir(join(disk, 'mcp', 'ann'), { recursive: true })
    await writeFile(join(disk, 'kept.txt'), 'kept')
    await symlink(join(disk, 'kept.txt'), join(disk, 'mcp', 'ann', 'kept.txt'))
    await rm(join(data, 'mcp'), { recursive: true, force: true })
    await symlink(join(disk, 'mcp'), join(data, 'mcp'))
    await rename(join(data, 'secret.key'), join(disk, 'key'))
    await symlink(join(disk, 'key'), join(data, 'secret.key'))
    const key = await readFile(join(disk, 'key'), 'utf8')
    await backUp(data, join(folder, 'backup'), AT)
    await rm(disk, { recursive: true })
    const elsewhere = join(folder, 'elsewhere')
    await restore(join(folder, 'backup'), elsewhere, AT, false)
    expect(await readFile(join(elsewhere, 'secret.key'), 'utf8')).toBe(key)
    expect(await readFile(join(elsewhere, 'mcp', 'ann', 'kept.txt'), 'utf8')).toBe('kept')
    // The links lead nowhere now.
    await expect(backUp(data, join(folder, 'b2'), AT)).rejects.toThrow('leads nowhere')
    expect(await readdir(folder)).not.toContain('b2')
  })

  it.each(['secret.key', 'tutti.db', 'mcp', 'mcp/ann/x'])(
    'in a backup are refused as %s, and nothing is changed',
    async (name) => {
      await closedRun()
      const backup = join(folder, 'backup')
      await backUp(data, backup, AT)
      await mkdir(join(backup, 'mcp', 'ann'), { recursive: true })
      const holds = ['mcp', 'secret.key', 'tutti.db']
      await writeFile(join(backup, 'tutti-backup.json'), JSON.stringify({ version: 1, holds }))
      await rm(join(backup, name), { recursive: true, force: true })
      await symlink(name.startsWith('mcp') ? '/etc' : join(data, name), join(backup, name))
      const closed = join(folder, 'closed')
      await copyClosed(closed)
      await expect(restore(backup, closed, AT, true)).rejects.toMatchObject({ code: 'InvalidRequest' })
      expect(await readdir(closed)).toEqual(['secret.key', 'tutti.db'])
    },
  )
})

describe('a manifest', () => {
  it('that names a file twice, or a missing file, costs no data', async () => {
    await closedRun()
    const backup = join(folder, 'backup')
    await backUp(data, backup, AT)
    const closed = join(folder, 'closed')
    await copyClosed(closed)
    const manifest = (holds: unknown) =>
      writeFile(join(backup, 'tutti-backup.json'), JSON.stringify({ version: 1, holds }))
    await manifest(['tutti.db', 'knowledge.db'])
    await expect(restore(backup, closed, AT, true)).rejects.toMatchObject({ code: 'StorageError' })
    expect((await readdir(closed)).sort()).toEqual(['secret.key', 'tutti.db'])
    await manifest([['tutti.db'], 'secret.key', '../x'])
    expect((await restore(backup, join(folder, 'few'), AT, true)).holds).toEqual(['secret.key'])
    await manifest(['tutti.db', 'tutti.db', 'secret.key'])
    expect((await restore(backup, closed, AT, true)).holds).toEqual(['secret.key', 'tutti.db'])
    expect(await (await open(closed)).store.read('r')).toHaveLength(2)
  })
})

describe('the file of the runs', () => {
  it('contains everything after a clean shutdown, without its write-ahead log', async () => {
    await closedRun()
    const moved = join(folder, 'moved')
    await mkdir(moved)
    for (const name of ['tutti.db', 'secret.key']) await copyFile(join(data, name), join(moved, name))
    expect(await (await open(moved)).store.read('r')).toHaveLength(2)
    expect((await readFile(join(moved, 'tutti.db'))).length).toBeGreaterThan(8_000)
  })

  it.each(['deleted', 'replaced'])(
    'that is %s while in use is reported at the next step, and nothing is written',
    async (how) => {
      const { store } = await open()
      await store.append([{ runId: 'r', afterSeq: 0, events: [question(0)], status: 'running' }])
      await rename(join(data, 'tutti.db'), join(folder, 'aside.db'))
      if (how === 'replaced') await writeFile(join(data, 'tutti.db'), '')
      const said = { code: 'StorageError', message: expect.stringContaining(`was ${how}`), retryable: false }
      await expect(store.append([{ runId: 'r', afterSeq: 1, events: [NOTE] }])).rejects.toMatchObject(said)
      await expect(store.runs()).rejects.toMatchObject(said)
      await rm(join(data, 'tutti.db'), { force: true })
      await rename(join(folder, 'aside.db'), join(data, 'tutti.db'))
      expect(await store.read('r')).toHaveLength(1)
    },
  )
})
