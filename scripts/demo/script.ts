import { makeDemoData, type Row, type Value } from './data.ts'
import { columnNames, createTableSql, TABLE_NAMES, TABLES, type TableName } from './schema.ts'

const ROWS_PER_INSERT = 200

/** The demo business as a SQL script for an empty database of another kind, one statement after the other. */
export function demoScript(dialect: 'postgres' | 'mysql'): string {
  const data = makeDemoData()
  const statements = TABLE_NAMES.flatMap((name) => [createTable(name, dialect), ...inserts(name, data[name])])
  return `${['BEGIN', ...statements, 'COMMIT'].join(';\n')};\n`
}

/** MySQL's TIMESTAMP is bound to a time zone and ends in 2038; DATETIME is what the others call TIMESTAMP. */
function createTable(name: TableName, dialect: 'postgres' | 'mysql'): string {
  const sql = createTableSql(name)
  return dialect === 'mysql' ? sql.replaceAll(' TIMESTAMP', ' DATETIME') : sql
}

function inserts(name: TableName, rows: readonly Row[]): string[] {
  const columns = columnNames(TABLES[name])
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
