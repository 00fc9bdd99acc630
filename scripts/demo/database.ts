import Database from 'libsql'
import { makeDemoData, type Row, type TableName } from './data.ts'
import { TABLES, type DemoTable } from './schema.ts'

/** Writes the demo business as a new SQLite file. The same version of Tutti always writes the same rows. */
export function writeDatabase(path: string): void {
  const data = makeDemoData()
  const database = new Database(path)
  try {
    database.exec('PRAGMA journal_mode = OFF')
    database.exec('PRAGMA synchronous = OFF')
    database.exec('PRAGMA foreign_keys = ON')
    database.exec('BEGIN')
    for (const table of TABLES) {
      // Under NUMERIC, SQLite keeps 3490.00 as an integer, and a price divided by another would be cut to a whole number.
      database.exec(table.sql.replaceAll(/NUMERIC\(\d+,2\)/g, 'REAL'))
      fill(database, table, data[table.name as TableName])
    }
    database.exec('COMMIT')
    database.exec('VACUUM')
  } finally {
    database.close()
  }
}

function fill(database: Database.Database, { name, columns }: DemoTable, rows: readonly Row[]): void {
  const insert = database.prepare(
    `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  for (const row of rows) insert.run(columns.map((column) => sqliteValue(row[column]!)))
}

/** SQLite has no booleans; libsql aborts the process when it is given one. */
function sqliteValue(value: Row[string]): string | number | null {
  return typeof value === 'boolean' ? Number(value) : value
}
