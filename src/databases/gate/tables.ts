import type { DatabaseSchema, Dialect, TableSchema } from '../schema.ts'
import { listNames, quoteName, refuse } from './verdict.ts'

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
  const schemaOf = (table: TableSchema) => table.schema ?? DEFAULT_SCHEMA[dialect] ?? ''
  const label = (table: TableSchema) =>
    schemaOf(table) === (DEFAULT_SCHEMA[dialect] ?? '') ? table.name : `${schemaOf(table)}.${table.name}`

  const find = (name: string, schemaName: string): TableSchema | undefined => {
    const exact = tables.find((t) => t.name === name && schemaOf(t) === schemaName)
    if (exact !== undefined) return exact
    const alike = tables.filter((t) => fold(t.name) === fold(name) && fold(schemaOf(t)) === fold(schemaName))
    return alike.length === 1 ? alike[0] : undefined
  }

  const isListed = (table: TableSchema, entries: readonly string[]) =>
    entries.some((entry) => {
      if (find(entry, DEFAULT_SCHEMA[dialect] ?? '') === table) return true
      const dot = entry.indexOf('.')
      return dot > 0 && find(entry.slice(dot + 1), entry.slice(0, dot)) === table
    })
  const allowed = allowedTables === undefined ? tables : tables.filter((table) => isListed(table, allowedTables))

  return {
    allowed,
    label,
    resolve(name, schemaName) {
      const written = schemaName === undefined ? name : `${schemaName}.${name}`
      const table = isSystemName(dialect, name, schemaName)
        ? undefined
        : find(name, schemaName ?? DEFAULT_SCHEMA[dialect] ?? '')
      if (table !== undefined && allowed.includes(table)) return table
      return refuse(
        'table',
        `Table ${quoteName(written)} is not on the allow-list; allowed: ${listNames(allowed.map(label))}.`,
      )
    },
  }
}

/**
 * PostgreSQL looks in `pg_catalog` before `public`: an unqualified `pg_…` name means the system's table even where
 * `public` has one of that name. System schemas are closed whatever the schema description says.
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
