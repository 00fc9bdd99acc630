import type { PoolConnection } from 'mysql2'
import { groupBy } from './group-by.ts'
import { runMysql } from './mysql-rows.ts'
import { kindsByName, type ColumnSchema, type ForeignKey, type TableSchema } from './schema.ts'

/** Use aliases: MySQL 8 returns these column names in upper case, MariaDB as written. */
const TABLES = `
  SELECT table_name AS name, table_type AS type, table_comment AS comment, table_rows AS approximateRows
  FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type <> 'SEQUENCE' ORDER BY table_name`

const COLUMNS = `
  SELECT table_name AS ofTable, column_name AS name, column_type AS type, data_type AS base,
         is_nullable AS nullable, column_key AS indexKind, column_comment AS comment
  FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position`

const FOREIGN_KEYS = `
  SELECT table_name AS ofTable, constraint_name AS name, column_name AS columnName,
         referenced_table_schema = DATABASE() AS isHere, referenced_table_schema AS referencedSchema,
         referenced_table_name AS referencedTable, referenced_column_name AS referencedColumn
  FROM information_schema.key_column_usage
  WHERE table_schema = DATABASE() AND referenced_table_name IS NOT NULL
  ORDER BY table_name, constraint_name, ordinal_position`

interface TableRow {
  name: string
  type: string
  comment: string
  approximateRows: string | number | null
}

interface ColumnRow {
  ofTable: string
  name: string
  type: string
  base: string
  nullable: 'YES' | 'NO'
  indexKind: string
  comment: string
}

interface ForeignKeyRow {
  ofTable: string
  name: string
  columnName: string
  isHere: number
  referencedSchema: string
  referencedTable: string
  referencedColumn: string
}

/** Reads tables and views of the connected database. information_schema lists only those that the user may see. */
export async function readMysqlSchema(connection: PoolConnection): Promise<TableSchema[]> {
  const tables = await runMysql<TableRow>(connection, TABLES)
  const columns = groupBy(await runMysql<ColumnRow>(connection, COLUMNS), (row) => row.ofTable)
  const foreignKeys = groupBy(await runMysql<ForeignKeyRow>(connection, FOREIGN_KEYS), (row) => row.ofTable)
  return tables.map(({ name, type, comment, approximateRows }) => {
    const isView = type === 'VIEW' || type === 'SYSTEM VIEW'
    return {
      name,
      kind: isView ? 'view' : 'table',
      columns: (columns.get(name) ?? []).map(toColumn),
      foreignKeys: toForeignKeys(foreignKeys.get(name) ?? []),
      // The comment of a view is always the word VIEW.
      ...(comment === '' || isView ? {} : { comment }),
      ...(approximateRows === null || isView ? {} : { approximateRows: Number(approximateRows) }),
    }
  })
}

const OWN_FUNCTIONS = `
  SELECT DISTINCT routine_name AS name FROM information_schema.routines
  WHERE routine_schema = DATABASE() AND routine_type = 'FUNCTION'`

/** Names of the stored functions that a query could call without naming a database. */
export async function readOwnFunctions(connection: PoolConnection): Promise<string[]> {
  const rows = await runMysql<{ name: string }>(connection, OWN_FUNCTIONS)
  return rows.map(({ name }) => name)
}

function toColumn(row: ColumnRow): ColumnSchema {
  const type = row.type.toLowerCase()
  return {
    name: row.name,
    type,
    kind: /^tinyint\(1\)|^bit\(1\)/.test(type) ? 'boolean' : kindOf(row.base.toLowerCase()),
    nullable: row.nullable === 'YES',
    primaryKey: row.indexKind === 'PRI',
    ...(row.comment === '' ? {} : { comment: row.comment }),
  }
}

function toForeignKeys(rows: readonly ForeignKeyRow[]): ForeignKey[] {
  return [...groupBy(rows, (row) => row.name).values()].map((parts) => {
    const { isHere, referencedSchema, referencedTable } = parts[0]!
    return {
      columns: parts.map((part) => part.columnName),
      table: isHere === 1 ? referencedTable : `${referencedSchema}.${referencedTable}`,
      referencedColumns: parts.map((part) => part.referencedColumn),
    }
  })
}

const kindOf = kindsByName({
  number: 'tinyint smallint mediumint int bigint decimal float double bit year',
  text: 'char varchar tinytext text mediumtext longtext enum set uuid inet4 inet6',
  date: 'date',
  datetime: 'datetime timestamp',
  time: 'time',
  json: 'json',
})
