import { makeDemoData, type Row, type TableName, type Value } from './data.ts'
import { TABLES, type DemoTable } from './schema.ts'

const ROWS_PER_INSERT = 200

/** The demo business as a SQL script for an empty database of another kind, one statement after the other. */
export function demoScript(dialect: 'postgres' | 'mysql'): string {
  const data = makeDemoData()
  const statements = TABLES.flatMap((table) => [
    // MySQL's TIMESTAMP is bound to a time zone and ends in 2038; DATETIME is what the others call TIMESTAMP.
    dialect === 'mysql' ? table.sql.replaceAll(' TIMESTAMP', ' DATETIME') : table.sql,
    ...inserts(table, data[table.name as TableName]),
  ])
  return `${['BEGIN', ...statements, 'COMMIT'].join(';\n')};\n`
}

function inserts({ name, columns }: DemoTable, rows: readonly Row[]): string[] {
  const statements: string[] = []
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const tuples = rows
      .slice(start, start + ROWS_PER_INSERT)
      .map((row) => `(${columns.map((column) => literal(row[column]!)).join(', ')})`)
    statements.push(`INSERT INTO ${name} (${columns.join(', ')}) VALUES\n${tuples.join(',\n')}`)
  }
  return statements
}

/** The demo's texts hold neither quotes nor backslashes that would need escaping beyond doubling. */
function literal(value: Value): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value).toUpperCase()
}
