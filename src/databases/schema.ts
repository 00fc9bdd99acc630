export type Dialect = 'postgres' | 'mysql' | 'sqlite'

/** What a column holds, across dialects. */
export type ColumnKind = 'number' | 'text' | 'date' | 'datetime' | 'time' | 'boolean' | 'json' | 'other'

/** Finds what a column of a type holds, by lists of the types' names. */
export function kindsByName(names: Partial<Readonly<Record<ColumnKind, string>>>): (type: string) => ColumnKind {
  const kinds = Object.entries(names).flatMap(([kind, types]) => types.split(' ').map((type) => [type, kind] as const))
  const kindOf = new Map(kinds as [string, ColumnKind][])
  return (type) => kindOf.get(type) ?? 'other'
}

export interface ColumnSchema {
  readonly name: string
  /** The database's own type name, lower case: `numeric(10,2)`, `nvarchar(120)`. */
  readonly type: string
  readonly kind: ColumnKind
  readonly nullable: boolean
  readonly primaryKey: boolean
  /** What its values are, where its type does not say it. */
  readonly holds?: 'datetime'
  readonly comment?: string
}

export interface ForeignKey {
  readonly columns: readonly string[]
  readonly table: string
  readonly referencedColumns: readonly string[]
}

export interface TableSchema {
  /** Only where it is not the dialect's default schema (`public`, `main`, the connected MySQL database). */
  readonly schema?: string
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly columns: readonly ColumnSchema[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly comment?: string
  /** The database's estimate; absent where it has none, and where rows may be hidden from the user. */
  readonly approximateRows?: number
}

/**
 * Names that a query could call without brackets or in place of a built-in one, in databases where that is possible. For
 * the SQL guard; models are not shown them.
 */
export interface CallableNames {
  /** Functions that can be called with one argument, and types: `x.name` may call them. */
  readonly any: readonly string[]
  /** Functions and operators defined in the database, without those of extensions. */
  readonly own: readonly string[]
}

/** What `mcp_db_schema` returns, and all that planner, model and fallback know of a database. */
export interface DatabaseSchema {
  readonly name: string
  readonly dialect: Dialect
  readonly tables: readonly TableSchema[]
  /** Of PostgreSQL; MySQL and MariaDB have `own` alone. Absent on PostgreSQL, the SQL guard takes every name for one. */
  readonly callable?: CallableNames
}
