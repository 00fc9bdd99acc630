import type { RunId } from '../domain/events.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import type { Statement } from './sql/sqlite-file.ts'

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
