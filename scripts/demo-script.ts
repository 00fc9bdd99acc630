import { join } from 'node:path'
import Database from 'libsql'
import { DEMO_ASSETS, DEMO_FILE_NAME } from '../src/demo/copy.ts'

/** Names of the types that SQLite writes differently. MySQL's TIMESTAMP is bound to a time zone and ends in 2038. */
const TYPES = {
  postgres: { REAL: 'NUMERIC(10,2)' },
  mysql: { REAL: 'NUMERIC(10,2)', TIMESTAMP: 'DATETIME' },
} as const

/** The demo database as a SQL script for an empty database of another kind. */
export function demoScript(dialect: keyof typeof TYPES): string {
  const database = new Database(join(DEMO_ASSETS, DEMO_FILE_NAME), { readonly: true })
  try {
    // A table refers only to itself and to earlier ones.
    const tables = database
      .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
      .all([]) as { name: string; sql: string }[]
    const statements = tables.flatMap(({ name, sql }) => [
      Object.entries(TYPES[dialect]).reduce((text, [from, to]) => text.replaceAll(` ${from}`, ` ${to}`), sql),
      insert(database, name),
    ])
    return `${['BEGIN', ...statements, 'COMMIT'].join(';\n')};\n`
  } finally {
    database.close()
  }
}

function insert(database: Database.Database, table: string): string {
  const select = database.prepare(`SELECT * FROM ${table}`)
  const columns = select.columns()
  const tuples = (select.raw().all([]) as (string | number | null)[][]).map((row) => {
    const literals = row.map((value, i) => {
      if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
      return columns[i]!.type === 'BOOLEAN' ? (value === 1 ? 'TRUE' : 'FALSE') : String(value).toUpperCase()
    })
    return `(${literals.join(', ')})`
  })
  return `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')}) VALUES\n${tuples.join(',\n')}`
}
