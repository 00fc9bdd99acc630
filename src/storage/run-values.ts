import type { RunId } from '../core/events.ts'
import type { EventPage } from '../core/feed.ts'
import type { PostgresConnection } from './postgres-connection.ts'
import { openEvents, type EventRow, type ValueRow } from './rows.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

const OF_SQLITE = 'SELECT hash, data FROM run_values WHERE run_id = ? AND hash IN (SELECT value FROM json_each(?))'
const OF_POSTGRES = 'SELECT hash, data FROM run_values WHERE run_id = $1 AND hash = ANY($2::text[])'

/** The values of a run that are kept under these hashes. */
export function sqliteValues(connection: SqliteConnection, runId: RunId, hashes: readonly string[]): ValueRow[] {
  if (hashes.length === 0) return []
  return connection.all<ValueRow>({ sql: OF_SQLITE, parameters: [runId, JSON.stringify(hashes)] })
}

/** The same on PostgreSQL. */
export async function postgresValues(
  connection: PostgresConnection,
  runId: RunId,
  hashes: readonly string[],
): Promise<ValueRow[]> {
  if (hashes.length === 0) return []
  return connection.all<ValueRow>({ sql: OF_POSTGRES, parameters: [runId, hashes] })
}

/** Events of one run as they were appended. @throws TuttiError `StorageError` when they are damaged */
export function sqliteEvents(connection: SqliteConnection, runId: RunId, rows: readonly EventRow[]): EventPage {
  const open = openEvents(rows)
  return open.close(sqliteValues(connection, runId, open.wanted))
}

/** The same on PostgreSQL. */
export async function postgresEvents(
  connection: PostgresConnection,
  runId: RunId,
  rows: readonly EventRow[],
): Promise<EventPage> {
  const open = openEvents(rows)
  return open.close(await postgresValues(connection, runId, open.wanted))
}
