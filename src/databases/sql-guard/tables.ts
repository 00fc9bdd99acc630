import type { DatabaseSchema, Dialect, TableSchema } from '../schema.ts'
import { listNames, printableName, rejectQuery } from './verdict.ts'

/** SQLite folds ASCII letters alone; JavaScript's `toLowerCase` would also turn the Kelvin sign into `k`. */
export function foldAscii(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

const DEFAULT_SCHEMA: Readonly<Record<Dialect, string | undefined>> = {
  postgres: 'public',
  sqlite: 'main',
  mysql: undefined,
}

/** The tables of a database and which of them a query may read, under the dialect's rules for names. */
export interface TableCatalog {
  /** The table that a query means by this name, or a refusal. The name is as the dialect's own lexer left it. */
  resolve(name: string, schema?: string): TableSchema
  /** How the table is named to people: `album`, `sales.orders`. */
  label(table: TableSchema): string
  readonly allowed: readonly TableSchema[]
}

/**
 * Builds the catalog. `allowedTables` names tables as `x` or `schema.x`; absent, every table and view of the schema may be read.
 * A name is looked up among all tables first and checked against the allow-list afterwards, so that on a case-sensitive
 * MySQL the forbidden `Users` is not taken for the allowed `users`.
 */
export function createTableCatalog(schema: DatabaseSchema, allowedTables?: readonly string[]): TableCatalog {
  const { dialect, tables } = schema
  const fold = dialect === 'postgres' ? (name: string) => name : foldAscii
  const standard = DEFAULT_SCHEMA[dialect] ?? ''
  const schemaOf = (table: TableSchema) => table.schema ?? standard
  const label = (table: TableSchema) => (schemaOf(table) === standard ? table.name : `${schemaOf(table)}.${table.name}`)

  const key = (name: string, schemaName: string) => `${schemaName}\0${name}`
  const exact = new Map(tables.map((table) => [key(table.name, schemaOf(table)), table]))
  const folded = new Map<string, TableSchema | undefined>()
  for (const table of tables) {
    const name = fold(key(table.name, schemaOf(table)))
    folded.set(name, folded.has(name) ? undefined : table) // tables that differ only in case need the exact name
  }
  const find = (name: string, schemaName: string) =>
    exact.get(key(name, schemaName)) ?? folded.get(fold(key(name, schemaName)))

  const findEntry = (entry: string) => {
    const dot = entry.indexOf('.')
    return find(entry, standard) ?? (dot > 0 ? find(entry.slice(dot + 1), entry.slice(0, dot)) : undefined)
  }
  const listed = allowedTables === undefined ? new Set(tables) : new Set(allowedTables.map(findEntry))
  const allowed = tables.filter((table) => listed.has(table))

  return {
    allowed,
    label,
    resolve(name, schemaName) {
      const written = schemaName === undefined ? name : `${schemaName}.${name}`
      const table = isSystemName(dialect, name, schemaName) ? undefined : find(name, schemaName ?? standard)
      if (table !== undefined && listed.has(table)) return table
      return rejectQuery(
        'table',
        `Table ${printableName(written)} is not on the allow-list; allowed: ${listNames(allowed.map(label))}.`,
        { name: written },
      )
    },
  }
}

/**
 * PostgreSQL searches `pg_catalog` before `public`: an unqualified `pg_…` name means the system table even if `public`
 * has a table of that name. System schemas are blocked, whatever the schema description contains.
 */
function isSystemName(dialect: Dialect, name: string, schemaName: string | undefined): boolean {
  if (dialect === 'postgres') {
    if (schemaName === undefined) return name.startsWith('pg_')
    return schemaName.startsWith('pg_') || schemaName === 'information_schema'
  }
  if (dialect === 'mysql' && schemaName !== undefined) {
    return ['mysql', 'information_schema', 'performance_schema', 'sys'].includes(foldAscii(schemaName))
  }
  return false
}
