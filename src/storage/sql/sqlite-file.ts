import { statSync, type Stats } from 'node:fs'
import { access, constants, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type LibSql from 'libsql'
import { TuttiError } from '../../domain/errors.ts'
import { makeFolder } from './make-folder.ts'
import { isSqliteError, sqliteError } from './sqlite-errors.ts'

/** Values for the connection; `libsql` crashes the process when it gets a boolean or a bare Buffer. */
export type SqliteValue = string | number | null | Uint8Array

export type Statement = LibSql.Statement<[SqliteValue[]]>

/** Lists in a statement make many statements; so many are kept prepared. */
const MAX_CACHED_STATEMENTS = 200

export interface SqliteFileOptions {
  /** The kind of data in the file, for messages. */
  readonly what: string
  /** How long a statement waits for another process on the same file, in milliseconds. */
  readonly busyMs: number
  /** Set before the first table. */
  readonly pragmas: string
}

/** One connection to one file. All calls are synchronous. */
export class SqliteFile {
  readonly path: string
  readonly db: LibSql.Database
  private readonly what: string
  private readonly statements = new Map<string, Statement>()
  /** The file's stats when it was opened; absent for a database in memory. */
  private readonly file: Stats | undefined

  constructor(db: LibSql.Database, path: string, what = 'database', file?: Stats) {
    this.db = db
    this.path = path
    this.what = what
    this.file = file
  }

  prepare(sql: string): Statement {
    let statement = this.statements.get(sql)
    if (statement === undefined) {
      // `libsql` would crash the process.
      if (!this.db.open) throw new TuttiError('StorageError', `The ${this.what} ${this.path} is closed; open it again.`)
      if (this.statements.size >= MAX_CACHED_STATEMENTS) this.statements.clear()
      statement = this.db.prepare<[SqliteValue[]]>(sql)
      this.statements.set(sql, statement)
    }
    return statement
  }

  /** Runs `action` if the file is still in place; converts its errors to `StorageError`. */
  guard<T>(action: () => T): T {
    try {
      this.assertInPlace()
      return action()
    } catch (error) {
      throw sqliteError(error, this.path, this.what)
    }
  }

  /** Runs `action` in a transaction, and rolls it back when it throws. Errors of `action` are rethrown unchanged. */
  async within<T>(begin: string, action: () => Promise<T>): Promise<T> {
    try {
      this.assertInPlace()
      this.db.exec(begin)
      const result = await action()
      this.db.exec('COMMIT')
      return result
    } catch (error) {
      throw isSqliteError(error) ? sqliteError(error, this.path, this.what) : error
    } finally {
      if (this.db.inTransaction) this.db.exec('ROLLBACK')
    }
  }

  /** Afterwards the database file alone contains everything, unless another process still uses it. */
  close(): void {
    this.statements.clear()
    if (!this.db.open) return
    this.emptyLog()
    this.db.close()
  }

  /** Removes deleted data from the write-ahead log, unless another process is reading. */
  emptyLog(): void {
    const { timeout } = this.db.prepare('PRAGMA busy_timeout').get([]) as { timeout: number }
    try {
      this.db.exec('PRAGMA busy_timeout = 100')
      this.db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([])
    } catch {
      // The log stays, and the next process handles it.
    } finally {
      this.db.exec(`PRAGMA busy_timeout = ${timeout}`)
    }
  }

  /** If the file was deleted or replaced, data written to it would be lost with this process. */
  private assertInPlace(): void {
    if (this.file === undefined) return
    const found = statSync(this.path, { throwIfNoEntry: false })
    if (found?.ino === this.file.ino && found.dev === this.file.dev) return
    throw new TuttiError(
      'StorageError',
      `The ${this.what} ${this.path} was ${found === undefined ? 'deleted' : 'replaced by another file'} while it was in use, so nothing more is written. ` +
        'End all processes of Tutti, put the file back or restore a backup, and start again.',
      { details: { path: this.path } },
    )
  }
}

/**
 * Opens a file, which is created with its folder when missing.
 * @param prepare makes the tables
 * @throws TuttiError `StorageError` when the file cannot be used; nothing is left half-written
 */
export async function openSqliteFile<T extends SqliteFile>(
  Kind: new (...parts: ConstructorParameters<typeof SqliteFile>) => T,
  path: string,
  { what, busyMs, pragmas }: SqliteFileOptions,
  prepare: (file: T) => Promise<void>,
): Promise<T> {
  let db: LibSql.Database | undefined
  try {
    await makeFolder(dirname(path))
    await checkFile(path)
    const file = await privateFile(path)
    const { default: Database } = await import('libsql')
    db = new Database(path, { timeout: busyMs })
    db.exec(pragmas)
    // Deleted data is overwritten, so that unused pages of the file do not contain it.
    db.exec('PRAGMA secure_delete = ON')
    const opened = new Kind(db, path, what, file)
    await prepare(opened)
    return opened
  } catch (error) {
    db?.close()
    throw sqliteError(error, path, what)
  }
}

/** `libsql` only says "unable to open", so the usual reasons are checked first. */
async function checkFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return access(dirname(path), constants.W_OK)
  if (found.isDirectory()) throw Object.assign(new Error('is a directory'), { code: 'EISDIR' })
  await access(path, constants.R_OK | constants.W_OK)
}

/** Makes the file readable by this user alone, before SQLite does; its logs get the same rights. */
async function privateFile(path: string): Promise<Stats> {
  const file = await open(path, 'a', 0o600)
  try {
    return await file.stat()
  } finally {
    await file.close()
  }
}
