import type { TableSchema } from '../../schema.ts'

/**
 * Columns in their order. `open`: there are, or may be, others whose names nobody knows here, so that those in `names` are
 * surely there but at unknown places.
 */
export interface Columns {
  readonly names: readonly string[]
  readonly open: boolean
}

export const UNKNOWN: Columns = { names: [], open: true }

export function closed(names: readonly string[]): Columns {
  return { names, open: false }
}

export function concat(parts: readonly Columns[]): Columns {
  return { names: parts.flatMap(({ names }) => names), open: parts.some(({ open }) => open) }
}

/** `AS x(a, b)` renames the first columns, whose old names are gone, and keeps the rest. */
export function rename(columns: Columns, newNames: readonly string[]): Columns {
  if (newNames.length === 0) return columns
  if (columns.open) return { names: newNames, open: true } // any of the old names may be among the first columns
  return closed([...newNames, ...columns.names.slice(newNames.length)])
}

/** One entry of PostgreSQL's list of what FROM brought in (`ParseNamespaceItem` in its sources). */
export interface Relation {
  /** Absent where it has none that a query could write: a join or a subquery without an alias. */
  readonly name: string | undefined
  /** The real table, where it stands under its own name; `schema.table.column` means only such. */
  readonly table?: TableSchema
  readonly columns: Columns
  /** Columns that can be named but that `*` may leave out: those of SEARCH and CYCLE. */
  readonly extra?: readonly string[]
  /** `*` takes its columns; what stands inside a join gives them to the join. */
  readonly starred: boolean
  /** As a value it may be no row: `f` of `FROM lower('x') AS f` is a text. */
  readonly plain?: boolean
}

export interface Cte {
  readonly columns: Columns
  readonly extra: readonly string[]
  /** Rows that its generators make, at most; tables count as one. */
  readonly rows: number
}

/** What names mean at one place of a query: the relations seen from there, then what the queries around it see. */
export interface Scope {
  readonly parent: Scope | undefined
  readonly relations: readonly Relation[]
  readonly ctes: Map<string, Cte>
  /** CTEs of a WITH RECURSIVE that come later: they can be read already, but are not known here. */
  readonly future: Set<string>
}

export function openScope(parent?: Scope): Scope {
  return { parent, relations: [], ctes: new Map(), future: new Set() }
}

/** The same level of the query, from where other relations are seen. */
export function seeing(level: Scope, relations: readonly Relation[]): Scope {
  return { ...level, relations }
}

/** The nearest relation of that name, as PostgreSQL looks it up: this level first, then outwards. */
export function findRelation(scope: Scope, name: string, schema?: string): Relation | undefined {
  const isMeant = ({ name: shown, table }: Relation): boolean =>
    schema === undefined
      ? shown === name
      : table !== undefined && table.name === name && (table.schema ?? 'public') === schema
  for (let level: Scope | undefined = scope; level !== undefined; level = level.parent) {
    const found = level.relations.find(isMeant)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether a name without a table may be a column here; `x` in `(x).f` is looked up as a column first. */
export function mayBeColumn(scope: Scope, name: string): boolean {
  for (let level: Scope | undefined = scope; level !== undefined; level = level.parent) {
    if (level.relations.some((one) => one.columns.open || columnsOf(one).names.includes(name))) return true
  }
  return false
}

/** The columns that can be named through a relation. */
export function columnsOf({ columns, extra = [] }: Relation): Columns {
  return extra.length === 0 ? columns : concat([columns, closed(extra)])
}

/** The columns that `*` gives for a relation. */
export function starOf({ columns, extra = [] }: Relation): Columns {
  return extra.length === 0 ? columns : { ...columns, open: true }
}

/** `later` where a CTE of that name comes further down in the list of a WITH RECURSIVE. */
export function findCte(scope: Scope, name: string): Cte | 'later' | undefined {
  for (let level: Scope | undefined = scope; level !== undefined; level = level.parent) {
    const cte = level.ctes.get(name)
    if (cte !== undefined) return cte
    if (level.future.has(name)) return 'later'
  }
  return undefined
}
