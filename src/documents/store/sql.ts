/** Parameter of a statement. Integers are below 2^53. */
export type SqlValue = string | number | null | Uint8Array

/** Bytes of a row: `libsql` gives the one, `pg` the other. */
export type Bytes = ArrayBuffer | Uint8Array

/** Runs statements with `?` parameters inside one transaction. */
export interface Sql {
  readonly dialect: 'sqlite' | 'postgres'
  /** Whether the database has its own vector index. */
  readonly hasPgvector: boolean
  all<Row>(statement: string, values: readonly SqlValue[]): Promise<Row[]>
}

/** One database under the store. Errors come out as `StorageError`. */
export interface SqlDatabase {
  /**
   * Reads a state of the database that does not change meanwhile.
   * @param reader for whom; without one, for everybody
   */
  read<T>(action: (sql: Sql) => Promise<T>, reader?: string): Promise<T>
  /** All or nothing; two of one owner never run at once. */
  write<T>(owner: string, action: (sql: Sql) => Promise<T>): Promise<T>
  /** Removes deleted data from the write-ahead log, too, if it is stored next to the file. */
  emptyLog?(): Promise<void>
  close(): Promise<void>
}

/** `?, ?, ?` */
export function marks(count: number): string {
  return count === 0 ? '' : '?' + ', ?'.repeat(count - 1)
}

/** Values of an IN, far below the limits of both databases. */
const VALUES_AT_ONCE = 500

/**
 * Runs a statement for many values, a part of them at a time.
 * @param statement with `IN (marks)` behind the parameters of `first`
 * @returns the rows of all parts
 */
export async function allIn<Row>(
  sql: Sql,
  statement: (marks: string) => string,
  values: readonly SqlValue[],
  first: readonly SqlValue[] = [],
): Promise<Row[]> {
  const rows: Row[] = []
  for (const batch of parts(values, VALUES_AT_ONCE)) {
    rows.push(...(await sql.all<Row>(statement(marks(batch.length)), [...first, ...batch])))
  }
  return rows
}

/** Rows of one statement. Few sizes, so that a prepared statement is there for most; safe on both databases. */
const ROWS_OF_STATEMENT = [256, 32, 4, 1]

/**
 * Inserts rows, many with one statement.
 * @param into table and columns, such as `t (a, b)`
 * @param onConflict what follows the values
 */
export async function insertRows(
  sql: Sql,
  into: string,
  rows: readonly (readonly SqlValue[])[],
  onConflict = '',
): Promise<void> {
  const row = `(${marks(rows[0]?.length ?? 0)})`
  for (let at = 0; at < rows.length;) {
    const size = ROWS_OF_STATEMENT.find((count) => count <= rows.length - at) ?? 1
    const places = row + `, ${row}`.repeat(size - 1)
    await sql.all(`INSERT INTO ${into} VALUES ${places} ${onConflict}`, rows.slice(at, at + size).flat())
    at += size
  }
}

/** Cuts a list into parts of at most `size`. */
export function parts<T>(list: readonly T[], size: number): T[][] {
  const found: T[][] = []
  for (let at = 0; at < list.length; at += size) found.push(list.slice(at, at + size))
  return found
}

/** Copies the bytes to a buffer that is aligned for numbers of any size. An ArrayBuffer is returned unchanged. */
export function ownBuffer(bytes: Bytes): ArrayBuffer {
  if (bytes instanceof ArrayBuffer) return bytes
  return Uint8Array.from(bytes).buffer
}
