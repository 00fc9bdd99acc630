import { omitUndefined } from '../shared/json.ts'
import { groupBy } from './group-by.ts'
import type { ColumnKind, ColumnSchema, ForeignKey, TableSchema } from './schema.ts'
import type { Sqlite } from './sqlite-query.ts'

interface TableRow {
  name: string
  type: 'table' | 'view' | 'virtual' | 'shadow'
}

interface ColumnRow {
  name: string
  type: string
  notnull: number
  pk: number
  /** 1 for hidden columns of virtual tables; 2 and 3 for generated ones, which can be read. */
  hidden: number
}

interface ForeignKeyRow {
  id: string
  table: string
  from: string
  /** Null means the primary key of the referenced table. */
  to: string | null
}

/** Reads tables and views of the file; a view that refers to something missing is left out, as it cannot be queried. */
export function readSqliteSchema(database: Sqlite): TableSchema[] {
  const estimates = readEstimates(database)
  const tables = all<TableRow>(
    database,
    `SELECT name, type FROM pragma_table_list
     WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
  )
  return tables.flatMap(({ name, type }) => {
    const columns = readColumns(database, name)
    const moments = type === 'table' ? momentsIn(database, name, columns) : {}
    if (columns.length === 0) return []
    const approximateRows = estimates.get(name)
    return {
      name,
      kind: type === 'view' ? 'view' : 'table',
      columns: columns.map((column) => ({ ...column, ...omitUndefined({ holds: moments[column.name] }) })),
      foreignKeys: readForeignKeys(database, name),
      ...omitUndefined({ approximateRows }),
    } satisfies TableSchema
  })
}

function readColumns(database: Sqlite, table: string): ColumnSchema[] {
  let rows: ColumnRow[]
  try {
    rows = all<ColumnRow>(database, 'SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?)', [table])
  } catch {
    return []
  }
  return rows
    .filter((row) => row.hidden !== 1)
    .map(({ name, type, notnull, pk }) => ({
      name,
      type: type.toLowerCase(),
      kind: kindOf(type.toLowerCase()),
      nullable: notnull === 0 && pk === 0,
      primaryKey: pk > 0,
    }))
}

const SAMPLE = 50
/** A table of more rows is not read as a whole for what its texts are: it is not known, then. */
const MAX_ROWS = 200_000
const DAY = '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
const TIME = '[0-9][0-9]:[0-9][0-9]'
type Moment = Exclude<NonNullable<ColumnSchema['holds']>, 'mixed'>
/** Forms of a text, by SQLite's GLOB; one of them is enough. */
const MOMENTS: readonly (readonly [Moment, readonly string[]])[] = [
  ['date', [DAY]],
  ['datetime', [DAY, `${DAY}[T ]${TIME}*`]],
  ['time', [TIME, `${TIME}:[0-9][0-9]`]],
]

/**
 * Detects date columns, since SQLite has no date type: text columns that contain only dates, and those that contain
 * dates and other values. If the first rows look like dates, every row is checked. A table that cannot be read, such as
 * one with a failing generated column, is skipped.
 */
function momentsIn(
  database: Sqlite,
  table: string,
  columns: readonly ColumnSchema[],
): Record<string, ColumnSchema['holds']> {
  const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
  const texts = columns.filter(({ kind, primaryKey }) => kind === 'text' && !primaryKey)
  if (texts.length === 0) return {}
  const from = `(SELECT ${texts.map(({ name }) => quoted(name)).join(', ')} FROM ${quoted(table)} LIMIT`
  /**
   * For each column, the number of rows with a value, and the number in each format. Empty texts sort before all dates,
   * too.
   */
  const count = (among: readonly ColumnSchema[], rows: number): Record<string, number | null> => {
    const counts = among.flatMap(({ name }) =>
      [
        `${quoted(name)} IS NOT NULL`,
        ...MOMENTS.map(([, forms]) => forms.map((form) => `${quoted(name)} GLOB '${form}'`).join(' OR ')),
      ].map((what, i) => `sum(${what}) AS "${columns.findIndex((column) => column.name === name)} ${i}"`),
    )
    const [found] = all<Record<string, number | null>>(
      database,
      `SELECT count(*) AS "rows", ${counts.join(', ')} FROM ${from} ${rows})`,
    )
    return found!
  }
  const kindIn = (found: Record<string, number | null>, column: ColumnSchema): ColumnSchema['holds'] => {
    const at = columns.indexOf(column)
    const [held, ...each] = [0, ...MOMENTS.map((_, i) => i + 1)].map((i) => Number(found[`${at} ${i}`] ?? 0))
    if (each.every((n) => n === 0)) return undefined
    return MOMENTS.find((_, i) => each[i] === held)?.[0] ?? 'mixed'
  }
  try {
    const first = count(texts, SAMPLE)
    const likely = texts.filter((column) => kindIn(first, column) !== undefined)
    if (likely.length === 0) return {}
    const total = count(likely, MAX_ROWS + 1)
    if (Number(total['rows']) > MAX_ROWS) return {}
    return Object.fromEntries(likely.map((column) => [column.name, kindIn(total, column)]))
  } catch {
    return {}
  }
}

function readForeignKeys(database: Sqlite, table: string): ForeignKey[] {
  const rows = all<ForeignKeyRow>(
    database,
    'SELECT CAST(id AS TEXT) AS id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq',
    [table],
  )
  return [...groupBy(rows, (row) => row.id).values()].map((parts) => {
    const target = parts[0]!.table
    const referenced = parts.map((part) => part.to).filter((to) => to !== null)
    return {
      columns: parts.map((part) => part.from),
      table: target,
      referencedColumns: referenced.length > 0 ? referenced : readPrimaryKey(database, target),
    }
  })
}

function readPrimaryKey(database: Sqlite, table: string): string[] {
  const rows = all<{ name: string }>(database, 'SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk', [
    table,
  ])
  return rows.map((row) => row.name)
}

/** What ANALYZE noted: the first number of `stat` is the rows of the table. */
function readEstimates(database: Sqlite): Map<string, number> {
  const [present] = all(database, "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'")
  if (present === undefined) return new Map()
  const rows = all<{ tbl: string; stat: string | null }>(database, 'SELECT tbl, stat FROM sqlite_stat1')
  return new Map(rows.map(({ tbl, stat }) => [tbl, Number.parseInt(stat ?? '', 10)] as const).filter(([, n]) => n >= 0))
}

function all<T>(database: Sqlite, sql: string, values: unknown[] = []): T[] {
  return database.prepare(sql).all(values) as T[]
}

/** SQLite keeps the declared type as text; the words people use there, in the order in which they decide. */
const KINDS: readonly (readonly [RegExp, ColumnKind])[] = [
  [/bool/, 'boolean'],
  [/json/, 'json'],
  [/datetime|timestamp/, 'datetime'],
  [/date/, 'date'],
  [/time/, 'time'],
  [/\b(?:tiny|small|medium|big)?int(?:eger)?\d*\b|real|floa|doub|\bnum|\bdec|money/, 'number'],
  [/char|clob|text|uuid/, 'text'],
]

function kindOf(type: string): ColumnKind {
  return KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'other'
}
