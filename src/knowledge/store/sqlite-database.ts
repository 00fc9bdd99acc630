import { statSync, type Stats } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type LibSql from 'libsql'
import { TuttiError } from '../../core/errors.ts'
import { migrationsFrom, SCHEMA_VERSION } from './schema.ts'
import type { Sql, SqlDatabase, SqlValue } from './sql.ts'

/** How long a statement waits for another process on the same file, in milliseconds. */
const BUSY_TIMEOUT_MS = 30_000

/** Lists in a statement make many statements; so many are kept prepared. */
const STATEMENTS_KEPT = 200

type Statement = LibSql.Statement<[SqlValue[]]>

/**
 * Opens the store's file, made with its folder when missing.
 * @throws TuttiError `StorageError` when the file cannot be used
 */
export async function openSqliteDatabase(path: string): Promise<SqlDatabase> {
  let db: LibSql.Database | undefined
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await privateFile(path)
    const { default: Database } = await import('libsql')
    db = new Database(path, { timeout: BUSY_TIMEOUT_MS })
    // Before the first table: pages that a whole posting list fits into.
    db.exec('PRAGMA page_size = 8192')
    db.exec('PRAGMA journal_mode = WAL')
    db.exec(
      'PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -32000; PRAGMA mmap_size = 1073741824',
    )
    prepareSchema(db)
    return new SqliteDatabase(db, path, file)
  } catch (error) {
    db?.close()
    throw storageError(error, path)
  }
}

class SqliteDatabase implements SqlDatabase {
  readonly #db: LibSql.Database
  readonly #path: string
  readonly #statements = new Map<string, Statement>()
  /** One connection, so one transaction after the other. */
  #last: Promise<unknown> = Promise.resolve()

  readonly #file: Stats

  constructor(db: LibSql.Database, path: string, file: Stats) {
    this.#db = db
    this.#file = file
    this.#path = path
  }

  read<T>(action: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#transaction('BEGIN', action)
  }

  write<T>(_owner: string, action: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#transaction('BEGIN IMMEDIATE', action)
  }

  async close(): Promise<void> {
    await this.#last
    this.#statements.clear()
    if (!this.#db.open) return
    try {
      // The file alone is to hold everything, unless another process uses it still.
      this.#db.exec('PRAGMA busy_timeout = 100')
      this.#db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([])
    } finally {
      this.#db.close()
    }
  }

  #transaction<T>(begin: string, action: (sql: Sql) => Promise<T>): Promise<T> {
    const run = async (): Promise<T> => {
      try {
        this.#assertInPlace()
        this.#db.exec(begin)
        const result = await action(this.#sql)
        this.#db.exec('COMMIT')
        return result
      } catch (error) {
        throw storageError(error, this.#path)
      } finally {
        if (this.#db.inTransaction) this.#db.exec('ROLLBACK')
      }
    }
    const result = this.#last.then(run)
    this.#last = result.catch(() => undefined) // the caller gets the error; the next one only waits for the end
    return result
  }

  #assertInPlace(): void {
    const found = statSync(this.#path, { throwIfNoEntry: false })
    if (found?.ino === this.#file.ino && found.dev === this.#file.dev) return
    const what = found === undefined ? 'deleted' : 'replaced by another file'
    throw new TuttiError(
      'StorageError',
      `The knowledge store ${this.#path} was ${what} while it was in use. End all processes of Tutti, put the file back or restore a backup, and start again.`,
    )
  }

  readonly #sql: Sql = {
    dialect: 'sqlite',
    hasPgvector: false,
    all: async <Row>(text: string, values: readonly SqlValue[]) => {
      const statement = this.#prepare(text)
      if (text.startsWith('SELECT')) return statement.all([...values]) as Row[]
      statement.run([...values])
      return []
    },
  }

  #prepare(text: string): Statement {
    let statement = this.#statements.get(text)
    if (statement === undefined) {
      if (this.#statements.size >= STATEMENTS_KEPT) this.#statements.clear()
      statement = this.#db.prepare<[SqlValue[]]>(text)
      this.#statements.set(text, statement)
    }
    return statement
  }
}

/** Readable by this user alone, before SQLite makes it otherwise; its logs get the same rights. */
async function privateFile(path: string): Promise<Stats> {
  const file = await open(path, 'a', 0o600)
  try {
    return await file.stat()
  } finally {
    await file.close()
  }
}

function prepareSchema(db: LibSql.Database): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    const [row] = db.prepare<[SqlValue[]]>('PRAGMA user_version').all([]) as { user_version: number }[]
    const version = row?.user_version ?? 0
    for (const statement of migrationsFrom(version, 'sqlite')) db.exec(statement)
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
    db.exec('COMMIT')
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK')
  }
}

/** One sentence that says what to do. What has no code is no error of the file; but see the last case. */
function storageError(thrown: unknown, path: string): unknown {
  if (TuttiError.isInstance(thrown) || !(thrown instanceof Error)) return thrown
  const { message } = thrown
  const code = 'code' in thrown ? String(thrown.code) : ''
  if (code === '' && !message.includes('Unable to open connection')) return thrown
  const give = (sentence: string, retryable = false): TuttiError =>
    new TuttiError('StorageError', sentence, { retryable, details: { path, code }, cause: thrown })
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return give(`The knowledge store ${path} is locked by another process; try again in a moment.`, true)
  }
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') {
    return give(`The disk of the knowledge store ${path} is full, and nothing was written: free some space.`)
  }
  if (code === 'SQLITE_NOTADB') {
    return give(`The file ${path} is not a SQLite database: move it away, or choose another data folder.`)
  }
  if (code.startsWith('SQLITE_CORRUPT')) {
    return give(
      `The knowledge store ${path} is damaged (${message}): restore it from a backup, or remove it and add the documents again.`,
    )
  }
  if (['EACCES', 'EPERM', 'EROFS'].includes(code) || code.startsWith('SQLITE_READONLY')) {
    return give(`The knowledge store ${path} may not be written: give this user the right, or choose another folder.`)
  }
  if (
    message.includes('Unable to open connection') ||
    ['ENOTDIR', 'EISDIR', 'EEXIST', 'ENOENT', 'SQLITE_CANTOPEN'].includes(code)
  ) {
    return give(`The knowledge store ${path} cannot be opened: check that its folder exists and may be written.`)
  }
  return give(`The knowledge store ${path} reports: ${message}.`)
}
