import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface DemoTable {
  readonly name: string
  /** The `CREATE TABLE` statement, without a closing semicolon. */
  readonly sql: string
  readonly columns: readonly string[]
}

/** The tables of `schema.sql`, in the order in which they can be filled. */
export const TABLES: readonly DemoTable[] = readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8')
  .replaceAll(/^--.*\n/gm, '')
  .split(';\n')
  .map((statement) => statement.trim())
  .filter((sql) => sql !== '')
  .map((sql) => ({
    name: /^CREATE TABLE (\w+)/.exec(sql)![1]!,
    sql,
    columns: [...sql.matchAll(/^ {2}([a-z_]+) /gm)].map(([, column]) => column!),
  }))
