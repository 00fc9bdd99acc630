import type { RunId } from '../domain/events.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import type { Statement } from './sql/sqlite-file.ts'
import type { RecordedWake, WakeLog } from './wake-log.ts'

/** The wakes that a SQLite store writes together with the events. */
export class SqliteWakeLog implements WakeLog {
  readonly shared = true
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

  since(id: number): readonly RecordedWake[] {
    return this.connection.guard(() => this.newer.all([id]) as RecordedWake[])
  }

  due(runId: RunId, now: number): number | undefined {
    const row = this.connection.guard(() => this.newest.get([runId, now]) as { id: number | null })
    return row.id ?? undefined
  }

  acknowledge(runId: RunId, id: number, now: number): void {
    this.connection.guard(() => this.remove.run([runId, id, now]))
  }
}
