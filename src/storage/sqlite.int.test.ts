import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../testing/manual-clock.ts'
import { note, started } from '../../test/support/storage.ts'
import { TuttiError } from '../domain/errors.ts'
import { DatabaseArtifacts } from './database-artifacts.ts'
import { openStorage } from './index.ts'
import { openSqlite } from './sqlite-connection.ts'
import { sqliteRunner } from './postgres-connection.ts'
import { sqliteError } from './sql/sqlite-errors.ts'
import { SqliteStore } from './sqlite-store.ts'
import { assertWritable } from './owned-rows.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-sqlite-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function errorOf(action: Promise<unknown>): Promise<TuttiError> {
  const thrown = await action.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!TuttiError.isInstance(thrown)) throw new Error(`expected a TuttiError, got ${String(thrown)}`)
  expect(thrown.code).toBe('StorageError')
  return thrown
}

describe('opening the SQLite file', () => {
  const open = (dataDir: string) => openStorage({ dataDir, clock: new ManualClock(), onError: () => {} })

  it('creates missing folders, and finds all data at the next start', async () => {
    const dataDir = join(folder, 'a', 'b')
    const first = await open(dataDir)
    await first.store.append([{ runId: 'a', afterSeq: 0, events: [started()] }])
    await first.close()
    const second = await open(dataDir)
    expect(await second.store.read('a')).toHaveLength(1)
    await second.close()
    await second.close()
  })

  it('reports a folder in place of the file', async () => {
    await mkdir(join(folder, 'tutti.db'))
    expect((await errorOf(open(folder))).message).toBe(
      `The database ${join(folder, 'tutti.db')} cannot be used: is a directory.`,
    )
  })

  it('reports a file that is not a database, and leaves it unchanged', async () => {
    const path = join(folder, 'tutti.db')
    await writeFile(path, 'Dear diary, '.repeat(200))
    expect((await errorOf(open(folder))).message).toBe(`The database ${path} cannot be used: file is not a database.`)
    expect(await readFile(path, 'utf8')).toBe('Dear diary, '.repeat(200))
  })

  it('reports a file in place of the folder', async () => {
    await writeFile(join(folder, 'data'), '')
    const error = await errorOf(open(join(folder, 'data', 'deeper')))
    expect(error.message).toMatch(/^The database .* cannot be used: (?:ENOTDIR|EEXIST)/)
  })

  it('reports a full disk', async () => {
    await expect(stat('/dev/full')).resolves.toBeDefined()
    expect((await errorOf(openSqlite('/dev/full'))).message).toMatch(/^The database \/dev\/full cannot be used: .*full/)
  })

  it.skipIf(process.getuid?.() === 0)('reports missing permission (root has every permission)', async () => {
    await mkdir(join(folder, 'locked'), { mode: 0o500 })
    expect((await errorOf(open(join(folder, 'locked')))).message).toMatch(
      /^The database .* cannot be written: give this user the right/,
    )
  })

  it('reports SQLite’s code when writes fail but reads work', async () => {
    const connection = await openSqlite(join(folder, 'tutti.db'))
    const runner = sqliteRunner(connection)
    await assertWritable(runner)
    connection.db.exec('PRAGMA query_only = ON')
    expect((await errorOf(assertWritable(runner))).details).toMatchObject({ code: 'SQLITE_READONLY' })
    expect(await runner.all({ sql: 'SELECT version FROM tutti_schema WHERE version < 1', parameters: [] })).toEqual([])
    connection.close()
  })

  it('gives the space of removed artifacts back', async () => {
    const path = join(folder, 'tutti.db')
    const connection = await openSqlite(path)
    const artifacts = new DatabaseArtifacts(sqliteRunner(connection))
    const { id } = await artifacts.keep('local', { name: 'a', mediaType: 'b/c', bytes: Buffer.alloc(3_000_000, 'x') })
    connection.emptyLog()
    const { size } = await stat(path)
    await artifacts.remove('local', id)
    expect((await stat(path)).size).toBeLessThan(size - 2_900_000)
    connection.close()
  })

  it.each([7, 99])('refuses a schema of another version: %i', async (version) => {
    const path = join(folder, 'tutti.db')
    const connection = await openSqlite(path)
    connection.all({ sql: `UPDATE tutti_schema SET version = ${version}`, parameters: [] })
    connection.close()
    const { message } = await errorOf(openSqlite(path))
    expect(message).toMatch(
      new RegExp(
        `^The database has schema version ${version}, and this Tutti knows versions 35 to \\d+\\. Run the Tutti`,
      ),
    )
  })

  it('leaves no partial schema when the migration fails', async () => {
    const path = join(folder, 'tutti.db')
    const { default: Database } = await import('libsql')
    const foreign = new Database(path)
    foreign.exec('CREATE TABLE approvals (mine TEXT)')
    expect((await errorOf(openSqlite(path))).message).toMatch(/approvals.*already exists/)
    const tables = foreign.prepare('SELECT name FROM sqlite_master ORDER BY name').all([]) as { name: string }[]
    expect(tables.map((table) => table.name)).toEqual(['approvals'])
    foreign.close()
  })

  it.each([
    ['EACCES', 'cannot be written'],
    ['EROFS', 'cannot be written'],
    ['SQLITE_READONLY_DIRECTORY', 'cannot be written'],
    ['SQLITE_IOERR_WRITE', 'cannot be used: disk I/O error'],
  ])('explains %s', (code, words) => {
    const error = sqliteError(Object.assign(new Error('disk I/O error'), { code }), '/data/tutti.db')
    expect(error.message).toContain(words)
    expect(error.message).toContain('/data/tutti.db')
    expect(error.retryable).toBe(false)
  })
})

describe('writing to the SQLite file', () => {
  it('syncs only durable commits to disk', async () => {
    const connection = await openSqlite(join(folder, 'x.db'))
    const level = (): unknown => connection.all({ sql: 'PRAGMA synchronous', parameters: [] })
    const [full, normal] = [[{ synchronous: 2 }], [{ synchronous: 1 }]]
    expect([connection.transaction(true, level), level()]).toEqual([full, normal])
    expect([connection.transaction(false, level), level()]).toEqual([normal, normal])
    const fail = (): never => {
      throw new Error('boom')
    }
    expect(() => connection.transaction(true, fail)).toThrow('boom')
    expect(level()).toEqual(normal)
    connection.close()
  })

  it('writes nothing of a batch when the disk fills up, and works again when there is space', async () => {
    const connection = await openSqlite(join(folder, 'x.db'))
    const store = new SqliteStore(connection, () => {})
    await store.append([{ runId: 'a', afterSeq: 0, events: [started()] }])
    const pages = (count: number): unknown =>
      connection.all({ sql: `PRAGMA max_page_count = ${count}`, parameters: [] })
    pages(40)
    const big = [
      { runId: 'a', afterSeq: 1, events: [note('small')] },
      { runId: 'b', afterSeq: 0, events: [started(), note('x'.repeat(1_000_000))] },
    ]
    const { message } = await errorOf(store.append(big))
    expect(message).toMatch(/^The database .* cannot be used: .*full/)
    expect([(await store.read('a')).length, await store.run('b')]).toEqual([1, undefined])
    pages(100_000)
    expect(await store.append(big)).toEqual(['appended', 'appended'])
    await store.close()
  })

  it('reports a write-protected file', async () => {
    const connection = await openSqlite(join(folder, 'x.db'))
    connection.all({ sql: 'PRAGMA query_only = ON', parameters: [] })
    const append = new SqliteStore(connection, () => {}).append([{ runId: 'a', afterSeq: 0, events: [started()] }])
    expect((await errorOf(append)).message).toContain('cannot be written')
    connection.close()
  })

  it('reports where the log is damaged', async () => {
    const connection = await openSqlite(join(folder, 'x.db'))
    const store = new SqliteStore(connection, () => {})
    await store.append([{ runId: 'a', afterSeq: 0, events: [started(), note('x')] }])
    connection.all({ sql: `UPDATE events SET data = '{"kind":' WHERE seq = 2`, parameters: [] })
    expect((await errorOf(store.read('a'))).message).toBe(
      'Event 2 of run a is damaged in the database; restore it from a backup.',
    )
    await store.close()
  })
})
