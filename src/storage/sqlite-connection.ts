import { migrate } from './migrations.ts'
import { toSqliteQuery, type Query } from './sql/query.ts'
import { openSqliteFile, SqliteFile, type Statement } from './sql/sqlite-file.ts'
import type { RunId } from '../domain/events.ts'

const FILE = {
  what: 'database',
  busyMs: 5_000,
  /**
   * Pages of the write-ahead log before it is copied into the file, which syncs twice: 16 MB. SQLite's own 1,000 pages
   * cost an append a fifth more time. `auto_vacuum` must be set before the file has any content.
   */
  pragmas:
    'PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000',
}

/** One connection to one file. All calls are synchronous; errors come out as `StorageError`. */
export class SqliteConnection extends SqliteFile {
  /** Runs a query and returns its rows. */
  all<Row>(query: Query): Row[] {
    const { sql, values } = toSqliteQuery(query)
    return this.guard(() => this.prepare(sql).all(values) as Row[])
  }

  /**
   * Runs `action` in a transaction and rolls it back when it throws. `durable` syncs the commit to disk; the setting
   * can only be changed outside a transaction.
   */
  transaction<T>(durable: boolean, action: () => T): T {
    return this.guard(() => {
      if (durable) this.db.exec('PRAGMA synchronous = FULL')
      try {
        this.prepare('BEGIN IMMEDIATE').run([])
        const result = action()
        this.prepare('COMMIT').run([])
        return result
      } finally {
        if (this.db.inTransaction) this.db.exec('ROLLBACK')
        if (durable) this.db.exec('PRAGMA synchronous = NORMAL')
      }
    })
  }
}

/**
 * Opens the file, which is created with its folder when missing, and brings its schema up to date.
 * @throws TuttiError `StorageError` when the file cannot be used; nothing is left half-written
 */
export function openSqlite(path: string): Promise<SqliteConnection> {
  return openSqliteFile(SqliteConnection, path, FILE, prepareSchema)
}

/** A database in memory, which ends with its connection. */
export async function openSqliteInMemory(): Promise<SqliteConnection> {
  const { default: Database } = await import('libsql')
  const connection = new SqliteConnection(new Database(':memory:'), 'in memory')
  await prepareSchema(connection)
  return connection
}

function prepareSchema(connection: SqliteConnection): Promise<void> {
  const query = async (sql: string) => connection.db.prepare(sql).all([]) as Record<string, unknown>[]
  return connection.within('BEGIN IMMEDIATE', () => migrate({ dialect: 'sqlite', query }))
}

/** A recorded wake. Ids increase; `at` is milliseconds since the epoch, 0 for immediately. */
interface RecordedWake {
  readonly id: number
  readonly runId: RunId
  readonly at: number
}

/**
 * Wakes that wait for their time or for the run's activation to end well. A SQLite store writes them together with the
 * events.
 */
export class SqliteWakeLog {
  private readonly connection: SqliteConnection
  private readonly newer: Statement
  private readonly newest: Statement
  private readonly remove: Statement

  constructor(connection: SqliteConnection) {
    this.connection = connection
    this.newer = connection.prepare('SELECT id, run_id AS runId, at FROM wakes WHERE id > ? ORDER BY id')
    this.newest = connection.prepare('SELECT max(id) AS id FROM wakes WHERE run_id = ? AND at <= ?')
    this.remove = connection.prepare('DELETE FROM wakes WHERE run_id = ? AND id <= ? AND at <= ?')
  }

  /** Wakes recorded after `id` and not yet acknowledged, in order. */
  since(id: number): readonly RecordedWake[] {
    return this.connection.guard(() => this.newer.all([id]) as RecordedWake[])
  }

  /** The newest wake of this run that is due; undefined when none is left, for another process has dealt with them. */
  due(runId: RunId, now: number): number | undefined {
    const row = this.connection.guard(() => this.newest.get([runId, now]) as { id: number | null })
    return row.id ?? undefined
  }

  /** Forgets the run's wakes that were due at `now` and are not newer than `id`. */
  acknowledge(runId: RunId, id: number, now: number): void {
    this.connection.guard(() => this.remove.run([runId, id, now]))
  }
}
