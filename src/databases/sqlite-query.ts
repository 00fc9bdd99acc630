import Libsql from 'libsql'
import { bytesCell, floatCell, numberCell, textCell } from './cells.ts'
import type { QueryOutput } from './database.ts'
import { assertQuery } from './limits.ts'
import { RowCollector } from './rows.ts'

export type Sqlite = InstanceType<typeof Libsql>

/** Milliseconds to wait for a writer in another process. */
const BUSY_TIMEOUT_MS = 5_000
const MEMORY_BYTES = 512 * 1024 * 1024

/**
 * Opens the file for one piece of work and closes it again, so that no setting, temporary table or attached file
 * outlives a query; opening takes about 0.1 ms. `mode=ro` is the only read-only handle libsql has: it ignores the
 * option `readonly`.
 */
export function withSqlite<T>(path: string, work: (database: Sqlite) => T): T {
  const uri = `file:${path.replace(/[%?#]/g, encodeURIComponent)}?mode=ro`
  const database = new Libsql(uri, { timeout: BUSY_TIMEOUT_MS })
  try {
    // Large sorts go to a temporary file rather than into memory, which is limited for good.
    for (const pragma of [
      'query_only = 1',
      'trusted_schema = 0',
      'cell_size_check = 1',
      'temp_store = FILE',
      `hard_heap_limit = ${MEMORY_BYTES}`,
    ]) {
      database.prepare(`PRAGMA ${pragma}`).all([])
    }
    return work(database)
  } finally {
    database.close()
  }
}

/** Changes with every change of the schema. */
export function schemaVersion(database: Sqlite): number {
  const [row] = database.prepare('PRAGMA schema_version').all([]) as { schema_version: number }[]
  return row?.schema_version ?? 0
}

/** @throws Error for anything but one query */
export function assertOneQuery(sql: string): void {
  assertQuery(sql)
  // SQLite compiles the first statement and says nothing of the rest.
  if (hasSecondStatement(sql)) throw new Error('Only one statement can be run at a time.')
}

/** Runs one statement that returns rows and keeps at most `maxRows`. */
export function querySqlite(database: Sqlite, sql: string, maxRows: number): QueryOutput {
  assertOneQuery(sql)
  const statement = database.prepare(sql).safeIntegers(true).raw()
  const columns = statement.columns().map((column) => column.name)
  // ATTACH, VACUUM INTO, BEGIN and PRAGMA x = y also work on a read-only handle; none of them returns columns.
  if (columns.length === 0) throw new Error('The statement returns no rows; only queries can be run here.')
  const collector = new RowCollector(maxRows)
  for (const row of statement.iterate([]) as Iterable<unknown[]>) {
    if (!collector.add(row.map(sqliteCell))) break
  }
  return collector.output(columns)
}

const QUOTED = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]/g
const COMMENTS = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g

function hasSecondStatement(sql: string): boolean {
  const bare = sql.replace(new RegExp(`${QUOTED.source}|${COMMENTS.source}`, 'g'), (token) =>
    token.startsWith('--') || token.startsWith('/*') ? ' ' : 'x',
  )
  return /;\s*[^\s;]/.test(bare)
}

function sqliteCell(value: unknown): unknown {
  if (typeof value === 'bigint') return numberCell(value.toString())
  if (typeof value === 'number') return floatCell(value)
  if (typeof value === 'string') return textCell(value)
  return Buffer.isBuffer(value) ? bytesCell(value.toString('hex'), ["x'", "'"]) : (value ?? null)
}
