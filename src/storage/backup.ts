import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type LibSql from 'libsql'
import { TuttiError } from '../domain/errors.ts'
import { makeFolder } from './sql/make-folder.ts'
import { KEY_FILE } from './secret-key.ts'
import { sqliteError } from './sql/sqlite-errors.ts'

const DATABASES: readonly string[] = ['tutti.db', 'knowledge.db', 'run-documents.db']
/** With `setup.json`, which the page /setup writes, and `mcp`, with accepted tools and sign-ins of servers. */
const FOLDERS: readonly string[] = ['mcp']
const OTHER_FILES: readonly string[] = [...FOLDERS, KEY_FILE, 'setup.json']
/** The content of a backup: files in the data folder that Tutti cannot recreate. */
const BACKUP_CONTENT: readonly string[] = [...DATABASES, ...OTHER_FILES]
/** Written last: a folder with it is a whole backup. */
const MANIFEST = 'tutti-backup.json'

export interface BackupReport {
  /** Names of its entries, as in the data folder. */
  readonly holds: readonly string[]
  /** For a backup: other files in the data folder, which it does not contain. */
  readonly lacks?: readonly string[]
  /** The folder with the data that a restore has replaced. */
  readonly replaced?: string
}

/**
 * Copies Tutti's files of a data folder into a new folder, readable by this user only. Other processes may continue to
 * write: each database is copied at one point in time.
 * @param at time of the backup, ISO 8601
 * @throws TuttiError `InvalidRequest` if the target exists or there is nothing to back up; `StorageError`
 */
export async function backUp(dataDir: string, target: string, at: string): Promise<BackupReport> {
  if (existsSync(target)) {
    throw new TuttiError('InvalidRequest', `${target} already exists; name a folder that does not.`)
  }
  if (!BACKUP_CONTENT.some((name) => existsSync(join(dataDir, name)))) {
    throw new TuttiError('InvalidRequest', `There is nothing to back up in ${dataDir}: Tutti has kept nothing there.`)
  }
  const draft = `${target}.${randomUUID()}.tmp`
  try {
    await makeFolder(draft)
    for (const name of DATABASES) {
      if (existsSync(join(dataDir, name))) await copyDatabase(join(dataDir, name), join(draft, name))
    }
    for (const name of OTHER_FILES) {
      if (await pathExists(join(dataDir, name))) await copyData(join(dataDir, name), join(draft, name))
    }
    const holds = (await readdir(draft)).sort()
    await keepPrivate(draft, holds)
    await writeFile(join(draft, MANIFEST), `${JSON.stringify({ version: 1, at, holds })}\n`, { mode: 0o600 })
    await rename(draft, target)
    const lacks = (await contents(dataDir)).filter((name) => !holds.includes(name.replace(/-(?:wal|shm)$/, '')))
    return { holds, lacks: lacks.sort() }
  } catch (thrown) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined) // the first error is thrown below
    throw sqliteError(thrown, target)
  }
}

/** A link that leads nowhere counts, too. */
async function pathExists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined
}

/** Copies the targets of links, since links may point elsewhere on another machine. */
async function copyData(from: string, to: string): Promise<void> {
  try {
    await cp(from, to, { recursive: true, dereference: true, filter: isWhole })
  } catch (thrown) {
    if ((thrown as { code?: string }).code !== 'ENOENT') throw thrown
    const message = `${(thrown as { path?: string }).path ?? from} is a link that leads nowhere, or went away: mend it, then back up again.`
    throw new TuttiError('StorageError', message, { cause: thrown })
  }
}

/** Only this user may read a copy. Refuses links: one in a backup would lead to whatever its maker chose. */
async function keepPrivate(folder: string, names: readonly string[], isTop = true): Promise<void> {
  for (const name of names) {
    const path = join(folder, name)
    const found = await lstat(path)
    const isFolder = isTop ? FOLDERS.includes(name) : found.isDirectory()
    if (isFolder && found.isDirectory()) await keepPrivate(path, await readdir(path), false)
    else if (isFolder || !found.isFile()) {
      const message = `"${name}" in the backup is not a plain file or folder, such as "tutti backup" writes. Nothing was changed.`
      throw new TuttiError('InvalidRequest', message)
    }
    await chmod(path, isFolder ? 0o700 : 0o600)
  }
}

/** Files get their names when they are complete. */
function isWhole(path: string): boolean {
  return !/\.(?:tmp|draft)$/.test(path)
}

/**
 * Restores a backup into a data folder. Existing data is moved to a subfolder of it.
 * @param force replaces existing data
 * @throws TuttiError `InvalidRequest` for what is no backup, and for a folder that holds data unless `force`;
 * `StorageError` while a process of Tutti uses the folder, and for a damaged backup
 */
export async function restore(source: string, dataDir: string, at: string, force: boolean): Promise<BackupReport> {
  const holds = await contentOf(source)
  if ((await contents(dataDir)).length > 0 && !force) {
    throw new TuttiError(
      'InvalidRequest',
      `The data folder ${dataDir} is not empty. Use --force to move its contents to a subfolder.`,
    )
  }
  for (const name of DATABASES) if (existsSync(join(dataDir, name))) await assertUnused(join(dataDir, name))
  // Only now, since its logs went away with the last user of a database.
  const existing = await contents(dataDir)
  const draft = join(dataDir, `.restore-${randomUUID()}`)
  const replaced = join(dataDir, `replaced-${at.replace(/\D/g, '').slice(0, 14)}-${randomUUID().slice(0, 4)}`)
  const moved: (readonly [from: string, to: string])[] = []
  const move = async (from: string, to: string): Promise<void> => {
    await rename(from, to)
    moved.unshift([from, to])
  }
  try {
    await makeFolder(draft)
    for (const name of holds) await cp(join(source, name), join(draft, name), { recursive: true })
    await keepPrivate(draft, holds)
    for (const name of DATABASES) if (holds.includes(name)) await assertSound(join(draft, name))
    if (existing.length > 0) await mkdir(replaced, { mode: 0o700 })
    for (const name of existing) await move(join(dataDir, name), join(replaced, name))
    for (const name of holds) await move(join(draft, name), join(dataDir, name))
  } catch (thrown) {
    for (const [from, to] of moved) await rename(to, from)
    await rmdir(replaced).catch(() => undefined) // it may never have been made
    throw sqliteError(thrown, dataDir)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return existing.length === 0 ? { holds } : { holds, replaced }
}

/** Without data that earlier restores have replaced. */
async function contents(dataDir: string): Promise<string[]> {
  return existsSync(dataDir) ? (await readdir(dataDir)).filter((name) => !name.startsWith('replaced-')) : []
}

async function contentOf(source: string): Promise<readonly string[]> {
  try {
    const { version, holds } = JSON.parse(await readFile(join(source, MANIFEST), 'utf8')) as {
      version?: unknown
      holds?: unknown
    }
    const listed = new Set(Array.isArray(holds) ? (holds as unknown[]) : [])
    const names = BACKUP_CONTENT.filter((name) => listed.has(name)).sort()
    if (version === 1 && names.length > 0) return names
  } catch {
    // reported below
  }
  throw new TuttiError('InvalidRequest', `${source} is not a complete backup; "tutti backup" makes one.`)
}

async function copyDatabase(from: string, to: string): Promise<void> {
  await withDatabase(from, (db) => void db.prepare<[string[]]>('VACUUM INTO ?').run([to]))
  await chmod(to, 0o600)
}

/** To leave the write-ahead log, a connection must be the only one. */
async function assertUnused(path: string): Promise<void> {
  try {
    const isReleased = await withDatabase(path, (db) => {
      db.exec('PRAGMA busy_timeout = 500')
      const [row] = db.prepare('PRAGMA journal_mode = DELETE').all([]) as { journal_mode: string }[]
      return row?.journal_mode === 'delete'
    })
    if (isReleased) return
  } catch (thrown) {
    const { code } = thrown as { code?: string }
    // A file that is no database cannot be in use, and is about to be replaced.
    if (!/BUSY|LOCKED/.test(code ?? '')) return
  }
  throw new TuttiError('StorageError', `${path} is in use: end all processes of Tutti on this data folder first.`)
}

async function assertSound(path: string): Promise<void> {
  const [found] = await withDatabase(path, (db) => db.pragma('quick_check') as { quick_check?: string }[])
  if (found?.quick_check === 'ok') return
  throw new TuttiError('StorageError', `The backup is damaged: ${found?.quick_check ?? path}. Use another backup.`)
}

async function withDatabase<T>(path: string, action: (db: LibSql.Database) => T): Promise<T> {
  const { default: Database } = await import('libsql')
  const db = new Database(path, { timeout: 30_000 })
  try {
    return action(db)
  } finally {
    db.close()
  }
}
