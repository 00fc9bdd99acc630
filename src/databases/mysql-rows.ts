import type { FieldPacket, PoolConnection, RowDataPacket } from 'mysql2'
import { TuttiError } from '../domain/errors.ts'
import { bytesCell, floatCell, jsonCell, numberCell, textCell, timestampCell } from './cells.ts'
import type { QueryOutput } from './database.ts'
import { assertQuery } from './limits.ts'
import { RowCollector } from './rows.ts'

/** Runs an internal statement and returns its rows. */
export function runMysql<T>(connection: PoolConnection, sql: string): Promise<T[]> {
  return new Promise((resolve, reject) =>
    connection.query<RowDataPacket[]>(sql, (error, rows) => (error === null ? resolve(rows as T[]) : reject(error))),
  )
}

/**
 * Runs one query and keeps at most `maxRows`; `stop` is called if the server has more to send. The server rejects a
 * second statement in the text when preparing it. Statements that return no columns (SELECT … INTO, CALL) are not run.
 */
export async function streamRows(
  connection: PoolConnection,
  sql: string,
  maxRows: number,
  stop: () => void,
): Promise<QueryOutput> {
  assertQuery(sql)
  if ((await countColumns(connection, sql)) === 0) {
    throw new TuttiError('QueryError', 'The statement returns no rows; only SELECT queries can be run here.')
  }
  return new Promise((resolve, reject) => {
    const collector = new RowCollector(maxRows)
    let fields: readonly FieldPacket[] = []
    let stopped = false
    const query = connection.query<RowDataPacket[]>({ sql, rowsAsArray: true })
    const finish = (): void => resolve(collector.output(fields.map((field) => field.name)))
    const finishComplete = async (): Promise<void> => {
      if (!stopped && (await wasInterrupted(connection, sql))) collector.markTruncated()
      finish()
    }
    query.on('error', reject)
    query.on('fields', (received: readonly FieldPacket[]) => (fields = received))
    query.on('result', (row: unknown[]) => {
      if (stopped) return
      if (!collector.full) return void collector.add(row.map((value, i) => mysqlCell(fields[i]!, value)))
      // `sql_select_limit` sends one extra row; it does not apply to a query with its own LIMIT.
      stopped = true
      stop()
      finish()
    })
    query.on('end', () => void finishComplete().catch(reject))
  })
}

/** MariaDB's ER_QUERY_EXCEEDED_ROWS_EXAMINED_LIMIT, also used for `max_recursive_iterations`. */
const RESULT_INCOMPLETE = 1931

/** MariaDB stops a recursion after 1,000 steps and reports this only as a warning. */
async function wasInterrupted(connection: PoolConnection, sql: string): Promise<boolean> {
  if (!/\brecursive\b/i.test(sql)) return false
  const warnings = await runMysql<{ Code: number }>(connection, 'SHOW WARNINGS')
  return warnings.some(({ Code }) => Code === RESULT_INCOMPLETE)
}

function countColumns(connection: PoolConnection, sql: string): Promise<number> {
  return new Promise((resolve, reject) =>
    connection.prepare(sql, (error, statement) => {
      if (error !== null) return reject(error)
      // The list of columns exists but is missing in the types.
      const { columns } = statement as unknown as { readonly columns: readonly unknown[] }
      connection.unprepare(sql)
      resolve(columns.length)
    }),
  )
}

/** Column types of the protocol (MySQL manual, "Protocol::ColumnType"). */
const LONGLONG = 8
const DECIMALS = new Set([0, 246])
const TIMESTAMPS = new Set([7, 12])
const BIT = 16
const JSON_TYPE = 245

/** Converts a column value to JSON. */
export function mysqlCell(field: FieldPacket, value: unknown): unknown {
  if (value === null || value === undefined) return null
  const type = field.columnType ?? -1
  if (Buffer.isBuffer(value)) {
    return type === BIT
      ? numberCell(BigInt(`0x${value.toString('hex') || '0'}`).toString())
      : bytesCell(value.toString('hex'), ['0x', ''])
  }
  if (typeof value === 'number') return floatCell(value)
  // Geometry and vectors, which mysql2 parses.
  if (typeof value !== 'string') return textCell(JSON.stringify(value))
  if (type === LONGLONG || DECIMALS.has(type)) return numberCell(value)
  if (TIMESTAMPS.has(type)) return timestampCell(value)
  if (type === JSON_TYPE || field.extendedFormat === 'json') return jsonCell(value)
  return textCell(value)
}
