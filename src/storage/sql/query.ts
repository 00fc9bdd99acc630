import type { Owner } from '../../domain/events.ts'

export type Dialect = 'sqlite' | 'postgres'

/** Values of parameters; lists of texts only after `IN`. */
type SqlValue = string | number | null | Uint8Array | readonly string[]

/** One statement for both databases, its values marked `?`. */
export interface Query {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

type Part = SqlValue | Query | undefined

/** A statement with parameters. Queries among them are inlined; undefined becomes null. */
export function sql(strings: TemplateStringsArray, ...parts: readonly Part[]): Query {
  const queries = parts.map(queryOf)
  return {
    sql: strings.reduce((text, string, i) => text + queries[i - 1]!.sql + string),
    parameters: queries.flatMap(({ parameters }) => parameters),
  }
}

function queryOf(part: Part): Query {
  if (typeof part === 'object' && part !== null && 'sql' in part) return part
  return { sql: '?', parameters: [part ?? null] }
}

/** How `libsql` takes it. */
export function toSqliteQuery({ sql: text, parameters }: Query): {
  sql: string
  values: (string | number | null | Uint8Array)[]
} {
  return {
    sql: text.replaceAll('IN ?', 'IN (SELECT value FROM json_each(?))'),
    values: parameters.map((value) => (isList(value) ? JSON.stringify(value) : value)),
  }
}

/** How `pg` takes it. */
export function toPostgresQuery({ sql: text, parameters }: Query): { text: string; values: SqlValue[] } {
  return { text: numbered(text.replaceAll('IN ?', '= ANY(?)')), values: [...parameters] }
}

/** With `$1`, `$2` for each `?`. */
export function numbered(text: string): string {
  let place = 0
  return text.replaceAll('?', () => `$${++place}`)
}

function isList(value: SqlValue): value is readonly string[] {
  return Array.isArray(value)
}

/** SQL that is fixed, such as a name. */
export function fixed(text: string): Query {
  return { sql: text, parameters: [] }
}

/** `WHERE` for columns that equal a value or one of a list; undefined values are ignored. */
export function where(columns: Readonly<Record<string, SqlValue | undefined>>): Query {
  const entries = Object.entries(columns).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
  const conditions = entries.map(({ name, value }) => `AND ${name} ${isList(value) ? 'IN' : '='} ?`)
  return { sql: ['WHERE true', ...conditions].join(' '), parameters: entries.map(({ value }) => value) }
}

/** Queries one after the other. */
export function joined(queries: readonly Query[], between = ' '): Query {
  return {
    sql: queries.map((query) => query.sql).join(between),
    parameters: queries.flatMap(({ parameters }) => parameters),
  }
}

/** The condition that a text contains a word; case-insensitive (SQLite: for a to z only). */
export function holds(column: string, word: string): Query {
  const pattern = `%${word.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql`lower(${fixed(column)}) LIKE ${pattern} ESCAPE '\\'`
}

/** The condition that a row comes after this place in a list sorted by latest first. */
export function before(atColumn: string, at: number, idColumn: string, id: string): Query {
  const [time, name] = [fixed(atColumn), fixed(idColumn)]
  // The first condition alone would do; by the second an index is used.
  return sql`(${time} < ${at} OR ${name} < ${id}) AND ${time} <= ${at}`
}

/** `LIMIT`, if there is one. */
export function limited(limit: number | undefined): Query {
  return limit === undefined ? fixed('') : sql`LIMIT ${limit}`
}

/** Inserts a record; its camelCase names become column names. */
export function insert(table: string, record: Readonly<Record<string, Part>>): Query {
  const names = Object.keys(record).map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  const values = Object.values(record).map(queryOf)
  return {
    sql: `INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.map((value) => value.sql).join(', ')})`,
    parameters: values.flatMap(({ parameters }) => parameters),
  }
}

/**
 * A row as a record with camelCase names, without null values.
 * @param json names of columns that hold JSON
 */
export function rowRecord<T>(row: object, json: readonly string[] = []): T {
  const values = Object.entries(row).filter(([, value]) => value !== null)
  return Object.fromEntries(
    values.map(([name, value]) => [
      name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      json.includes(name) ? (JSON.parse(value as string) as unknown) : (value as unknown),
    ]),
  ) as T
}

/** Yields queries and receives their rows, so that one script works with a synchronous and with an asynchronous driver. */
export type Script<T> = Generator<Query, T, readonly object[]>

/** One query of a script, with the type of its rows. */
export function* queryRows<Row>(query: Query): Script<readonly Row[]> {
  return (yield query) as readonly Row[]
}

/** A database for data off the hot path of a run. */
export interface SqlRunner {
  readonly dialect: Dialect
  all<Row extends object>(query: Query): Promise<readonly Row[]>
  /**
   * The same for one owner: on PostgreSQL rows of other owners are invisible to any query, unless the connection's user
   * is a superuser, to whom policies do not apply.
   */
  of<Row extends object>(owner: Owner, query: Query): Promise<readonly Row[]>
  /**
   * Runs a script in a durable transaction; scripts of one owner run one after the other. It may run twice when a
   * connection breaks, so it must not matter whether the first run was committed.
   */
  write<T>(owner: Owner, script: () => Script<T>): Promise<T>
  /** Removes deleted data from the write-ahead log of SQLite. */
  emptyLog(): void
}
