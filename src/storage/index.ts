import { dirname, join } from 'node:path'
import { TuttiError } from '../domain/errors.ts'
import type { PgBossOptions } from './pg-boss-wakeups.ts'
import { KEY_FILE, lastingKey, passingKey, type KeyHolder } from './secret-key.ts'
import type { Storage, StorageOptions } from './storage.ts'

export type { Storage, StorageOptions } from './storage.ts'

/** The SQLite file in the data folder. */
export const DATABASE_FILE = 'tutti.db'

export interface OpenStorageOptions extends PgBossOptions {
  /** `postgres://…` for many workers; wins over `dataDir`. */
  readonly databaseUrl?: string
  /** Folder of the SQLite file `tutti.db`; made when missing. */
  readonly dataDir?: string
}

/**
 * Opens the storage that the settings ask for: PostgreSQL, a SQLite file, or memory when neither is named.
 * @throws TuttiError `ConfigurationError` for a URL of another database, `StorageError` when it cannot be opened
 */
export async function openStorage(options: OpenStorageOptions): Promise<Storage> {
  const { databaseUrl, dataDir } = options
  if (databaseUrl !== undefined) {
    if (!/^postgres(?:ql)?:\/\//.test(databaseUrl)) {
      throw new TuttiError('ConfigurationError', 'The database URL must begin with postgres:// or postgresql://.')
    }
    const { createPostgresStorage } = await import('./postgres-storage.ts')
    return createPostgresStorage(databaseUrl, options)
  }
  if (dataDir !== undefined) return createSqliteStorage(join(dataDir, DATABASE_FILE), options)
  return createMemoryStorage(options)
}

/** Storage that ends with the process. */
export async function createMemoryStorage(options: StorageOptions): Promise<Storage> {
  const [
    { MemoryStore },
    { LocalWakeups },
    { MemoryWakeLog },
    { lazyRunner, sqliteRunner },
    { RunExecutions },
    { combineParts },
  ] = await Promise.all([
    import('./memory-store.ts'),
    import('./local-wakeups.ts'),
    import('./wake-log.ts'),
    import('./sql-runner.ts'),
    import('./executions.ts'),
    import('./combine-parts.ts'),
  ])
  const log = new MemoryWakeLog()
  const wakeups = new LocalWakeups(log, options)
  const store = new MemoryStore(log, () => wakeups.look())
  // Users' data is always in SQL tables; here in an in-memory database.
  const runner = lazyRunner('sqlite', async () => {
    const { openSqliteInMemory } = await import('./sqlite-connection.ts')
    return sqliteRunner(await openSqliteInMemory())
  })
  return { ...combineParts(store, wakeups, runner, passingKey, options), executions: new RunExecutions(store) }
}

/**
 * Storage in one SQLite file.
 * @throws TuttiError `StorageError` when the file cannot be used
 */
async function createSqliteStorage(path: string, options: StorageOptions): Promise<Storage> {
  const [{ openSqlite }, { SqliteStore }, { SqliteWakeLog }, { LocalWakeups }, { sqliteRunner }, { combineParts }] =
    await Promise.all([
      import('./sqlite-connection.ts'),
      import('./sqlite-store.ts'),
      import('./sqlite-wake-log.ts'),
      import('./local-wakeups.ts'),
      import('./sql-runner.ts'),
      import('./combine-parts.ts'),
    ])
  const connection = await openSqlite(path)
  const wakeups = new LocalWakeups(new SqliteWakeLog(connection), options)
  const store = new SqliteStore(connection, () => wakeups.look())
  const key = (): KeyHolder => lastingKey(undefined, join(dirname(path), KEY_FILE))
  return combineParts(store, wakeups, sqliteRunner(connection), key, options)
}
