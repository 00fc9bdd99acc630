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
  const tables = all<TableRow>(
    database,
    `SELECT name, type FROM pragma_table_list
     WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
  )
  return tables.flatMap(({ name, type }) => {
    const columns = readColumns(database, name)
    if (columns.length === 0) return []
    return {
      name,
      kind: type === 'view' ? 'view' : 'table',
      columns,
      foreignKeys: readForeignKeys(database, name),
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
