import { statSync, type Stats } from 'node:fs'
import { access, constants, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type LibSql from 'libsql'
import type { CompiledQuery } from 'kysely'
import { TuttiError } from '../core/errors.ts'
import { makeFolder } from './make-folder.ts'
import { migrate } from './migrations/index.ts'
import { sqliteError } from './sqlite-errors.ts'

/** How long a statement waits for another process on the same file, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000

/**
 * Pages of the write-ahead log before it is copied into the file, which syncs twice: 16 MB. SQLite's own 1,000 pages
 * cost an append a fifth more time.
 */
const CHECKPOINT_PAGES = 4_000

/** `libsql` crashes the process when given a boolean or a bare Buffer, so only these types are passed. */
export type SqliteValue = string | number | null

export type Statement = LibSql.Statement<[SqliteValue[]]>

/** One connection to one file. All calls are synchronous; errors come out as `StorageError`. */
export class SqliteConnection {
  readonly path: string
  private readonly db: LibSql.Database
  private readonly statements = new Map<string, Statement>()
  private readonly begin: Statement
  private readonly commit: Statement
  /** The file as it was opened; absent for one that is in memory. */
  private readonly file: Pick<Stats, 'ino' | 'dev'> | undefined

  constructor(db: LibSql.Database, path: string, file?: Pick<Stats, 'ino' | 'dev'>) {
    this.db = db
    this.path = path
    this.file = file
    this.begin = this.prepare('BEGIN IMMEDIATE')
    this.commit = this.prepare('COMMIT')
  }

  prepare(sql: string): Statement {
    let statement = this.statements.get(sql)
    if (statement === undefined) {
      // `libsql` would crash the process.
      if (!this.db.open) throw new TuttiError('StorageError', `The database ${this.path} is closed; open it again.`)
      statement = this.db.prepare<[SqliteValue[]]>(sql)
      this.statements.set(sql, statement)
    }
    return statement
  }

  /** Runs a compiled query and gives its rows. */
  all<Row>(query: Pick<CompiledQuery, 'sql' | 'parameters'>): Row[] {
    return this.guard(() => this.prepare(query.sql).all([...query.parameters] as SqliteValue[]) as Row[])
  }

  guard<T>(action: () => T): T {
    try {
      this.assertInPlace()
      return action()
    } catch (error) {
      throw sqliteError(error, this.path)
    }
  }

  /**
   * Runs `action` in a transaction and rolls it back when it throws. `durable` syncs the commit to disk; the setting
   * can only be changed outside a transaction.
   */
  transaction<T>(durable: boolean, action: () => T): T {
    return this.guard(() => {
      if (durable) this.db.exec('PRAGMA synchronous = FULL')
      try {
        this.begin.run([])
        const result = action()
        this.commit.run([])
        return result
      } finally {
        if (this.db.inTransaction) this.db.exec('ROLLBACK')
        if (durable) this.db.exec('PRAGMA synchronous = NORMAL')
      }
    })
  }

  /** What was deleted leaves the write-ahead log, too, unless another process is reading just now. */
  emptyLog(): void {
    if (this.file === undefined) return
    checkpoint(this.db)
    this.db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  }

  /** Afterwards the file alone holds everything, unless another process still uses it. */
  close(): void {
    this.statements.clear()
    if (!this.db.open) return
    if (this.file !== undefined) checkpoint(this.db)
    this.db.close()
  }

  /** What is written to a file that is gone from its folder is lost with this process, and nobody else sees it. */
  private assertInPlace(): void {
    if (this.file === undefined) return
    const found = statSync(this.path, { throwIfNoEntry: false })
    if (found?.ino === this.file.ino && found.dev === this.file.dev) return
    throw new TuttiError(
      'StorageError',
      `The database ${this.path} was ${found === undefined ? 'deleted' : 'replaced by another file'} while it was in use, so nothing more is written. ` +
        'End all processes of Tutti, put the file back or restore a backup, and start again.',
      { details: { path: this.path } },
    )
  }
}

/** Copies the write-ahead log into the file, as far as no other process reads it. */
function checkpoint(db: LibSql.Database): void {
  try {
    db.exec('PRAGMA busy_timeout = 100')
    db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([])
  } catch {
    // The log stays beside the file, where the next process finds it.
  }
}

/**
 * Opens the file, which is created with its folder when missing, and brings its schema up to date.
 * @throws TuttiError `StorageError` when the file cannot be used; nothing is left half-written
 */
export async function openSqlite(path: string): Promise<SqliteConnection> {
  let db: LibSql.Database | undefined
  try {
    await makeFolder(dirname(path))
    await checkFile(path)
    const file = await privateFile(path)
    const { default: Database } = await import('libsql')
    db = new Database(path, { timeout: BUSY_TIMEOUT_MS })
    db.exec('PRAGMA journal_mode = WAL')
    // What was deleted is overwritten, so that it does not lie in unused pages of the file.
    db.exec('PRAGMA secure_delete = ON')
    db.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    await prepareSchema(db)
    return new SqliteConnection(db, path, file)
  } catch (error) {
    db?.close()
    throw sqliteError(error, path)
  }
}

/** A database in memory, which ends with its connection. */
export async function openSqliteInMemory(): Promise<SqliteConnection> {
  const { default: Database } = await import('libsql')
  const db = new Database(':memory:')
  await prepareSchema(db)
  return new SqliteConnection(db, 'in memory')
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

async function prepareSchema(db: LibSql.Database): Promise<void> {
  db.exec('BEGIN IMMEDIATE')
  try {
    await migrate({
      dialect: 'sqlite',
      query: async (sql, parameters) =>
        db.prepare<[SqliteValue[]]>(sql).all([...parameters] as SqliteValue[]) as Record<string, unknown>[],
    })
    db.exec('COMMIT')
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK')
  }
}
