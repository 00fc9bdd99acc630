import Database from 'libsql'
import { makeDemoData, type Row } from './data.ts'
import { columnNames, createTableSql, TABLE_NAMES, TABLES, type TableName } from './schema.ts'

/** Writes the demo business as a new SQLite file. The same version of Tutti always writes the same rows. */
export function writeDatabase(path: string): void {
  const data = makeDemoData()
  const database = new Database(path)
  try {
    database.exec('PRAGMA journal_mode = OFF')
    database.exec('PRAGMA synchronous = OFF')
    database.exec('PRAGMA foreign_keys = ON')
    database.exec('BEGIN')
    for (const name of TABLE_NAMES) {
      database.exec(sqliteTable(name))
      fill(database, name, data[name])
    }
    database.exec('COMMIT')
    database.exec('VACUUM')
  } finally {
    database.close()
  }
}

/** Under NUMERIC, SQLite keeps 3490.00 as an integer, and a price divided by another would be cut to a whole number. */
function sqliteTable(name: TableName): string {
  return createTableSql(name).replaceAll(/NUMERIC\(\d+,2\)/g, 'REAL')
}

function fill(database: Database.Database, name: TableName, rows: readonly Row[]): void {
  const columns = columnNames(TABLES[name])
  const insert = database.prepare(
    `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  for (const row of rows) insert.run(columns.map((column) => sqliteValue(row[column]!)))
}

/** SQLite has no booleans; libsql aborts the process when it is given one. */
function sqliteValue(value: Row[string]): string | number | null {
  return typeof value === 'boolean' ? Number(value) : value
}
