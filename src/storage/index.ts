import { dirname, join } from 'node:path'
import { TuttiError } from '../domain/errors.ts'
import type { PgBossOptions } from './pg-boss-wakeups.ts'
import { KEY_FILE, lastingKey, passingKey } from './secret-key.ts'
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

/** Storage that ends with the process: a SQLite database in memory. */
export function createMemoryStorage(options: StorageOptions): Promise<Storage> {
  return createSqliteStorage(undefined, options)
}

/**
 * Storage in one SQLite file, or in memory without a path.
 * @throws TuttiError `StorageError` when the file cannot be used
 */
async function createSqliteStorage(path: string | undefined, options: StorageOptions): Promise<Storage> {
  const [
    { openSqlite, openSqliteInMemory, SqliteWakeLog },
    { SqliteStore },
    { LocalWakeups },
    { sqliteRunner },
    { combineParts },
  ] = await Promise.all([
    import('./sqlite-connection.ts'),
    import('./sqlite-store.ts'),
    import('./local-wakeups.ts'),
    import('./postgres-connection.ts'),
    import('./combine-parts.ts'),
  ])
  const connection = path === undefined ? await openSqliteInMemory() : await openSqlite(path)
  const wakeups = new LocalWakeups(new SqliteWakeLog(connection), path !== undefined, options)
  const store = new SqliteStore(connection, () => wakeups.look())
  const key = path === undefined ? passingKey() : lastingKey(undefined, join(dirname(path), KEY_FILE))
  return combineParts(store, wakeups, sqliteRunner(connection), key, options)
}
