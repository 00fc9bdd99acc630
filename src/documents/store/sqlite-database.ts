import { openSqliteFile, SqliteFile } from '../../storage/sql/sqlite-file.ts'
import { schemaStatements, SCHEMA_VERSION } from './schema.ts'
import type { Sql, SqlDatabase, SqlValue } from './sql.ts'

const FILE = {
  what: 'knowledge store',
  busyMs: 30_000,
  // Pages that a whole posting list fits into.
  pragmas:
    'PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000; ' +
    'PRAGMA cache_size = -32000; PRAGMA mmap_size = 1073741824',
}

/**
 * Opens the store's file, made with its folder when missing.
 * @throws TuttiError `StorageError` when the file cannot be used
 */
export async function openSqliteDatabase(path: string): Promise<SqlDatabase> {
  return new SqliteDatabase(await openSqliteFile(SqliteFile, path, FILE, prepareSchema))
}

class SqliteDatabase implements SqlDatabase {
  readonly #file: SqliteFile
  /** One connection, so one transaction after the other. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(file: SqliteFile) {
    this.#file = file
  }

  read<T>(action: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#transaction('BEGIN', action)
  }

  write<T>(_owner: string, action: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#transaction('BEGIN IMMEDIATE', action)
  }

  emptyLog(): Promise<void> {
    const done = this.#last.then(() => this.#file.emptyLog())
    this.#last = done
    return done
  }

  async close(): Promise<void> {
    await this.#last
    this.#file.close()
  }

  #transaction<T>(begin: string, action: (sql: Sql) => Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#file.within(begin, () => action(this.#sql)))
    this.#last = result.catch(() => undefined) // the caller gets the error; the next one only waits for the end
    return result
  }

  readonly #sql: Sql = {
    dialect: 'sqlite',
    hasPgvector: false,
    all: async <Row>(text: string, values: readonly SqlValue[]) => {
      const statement = this.#file.prepare(text)
      if (text.startsWith('SELECT')) return statement.all([...values]) as Row[]
      statement.run([...values])
      return []
    },
  }
}

async function prepareSchema(file: SqliteFile): Promise<void> {
  await file.within('BEGIN IMMEDIATE', async () => {
    const [row] = file.db.prepare('PRAGMA user_version').all([]) as { user_version: number }[]
    for (const statement of schemaStatements(row?.user_version ?? 0, 'sqlite')) file.db.exec(statement)
    file.db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
  })
}
