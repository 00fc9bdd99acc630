import type { TableSchema } from '../../schema.ts'

/**
 * Columns in order. `open`: there may be others with unknown names, so the columns in `names` exist but their positions
 * are unknown.
 */
export interface Columns {
  readonly names: readonly string[]
  readonly open: boolean
  /** Number of query parts behind each column; columns with unknown names come last. */
  readonly weights: readonly number[]
}

export function unknownColumns(weight = 1): Columns {
  return { names: [], open: true, weights: [weight] }
}

export function closed(names: readonly string[], weights: readonly number[] = names.map(() => 1)): Columns {
  return { names, open: false, weights }
}

export function concat(parts: readonly Columns[]): Columns {
  const open = parts.some((part) => part.open)
  return {
    names: parts.flatMap(({ names }) => names),
    open,
    weights: [
      ...parts.flatMap(({ names, weights }) => weights.slice(0, names.length)),
      ...(open
        ? [Math.max(1, ...parts.flatMap((part) => (part.open ? part.weights.slice(part.names.length) : [])))]
        : []),
    ],
  }
}

/** The weight of one column; undefined where there is surely none of that name. */
export function weightOf({ names, open, weights }: Columns, name: string): number | undefined {
  const meant = weights.filter((_, at) => (at < names.length ? names[at] === name : open))
  return meant.length === 0 ? undefined : Math.max(...meant)
}

export function totalWeight({ weights }: Columns): number {
  return weights.reduce((sum, weight) => sum + weight, 0)
}

/** `AS x(a, b)` renames the first columns and keeps the rest. */
export function rename(columns: Columns, newNames: readonly string[]): Columns {
  if (newNames.length === 0) return columns
  const { names, open, weights } = columns
  if (open) {
    // Any of the old names may be among the first columns.
    const heaviest = Math.max(1, ...weights)
    return { names: newNames, open: true, weights: [...newNames.map(() => heaviest), heaviest] }
  }
  return closed(
    [...newNames, ...names.slice(newNames.length)],
    [...weights, ...newNames.slice(weights.length).map(() => 1)],
  )
}

/** One entry of PostgreSQL's list of what FROM brought in (`ParseNamespaceItem` in its sources). */
export interface Relation {
  /** Absent where it has none that a query could write: a join or a subquery without an alias. */
  readonly name: string | undefined
  /** The real table, where the query uses its own name for it; `schema.table.column` can mean no other. */
  readonly table?: TableSchema
  readonly columns: Columns
  /** Whether `*` includes its columns; items inside a join pass them to the join. */
  readonly starred: boolean
  /** As a value it may be no row: `f` of `FROM lower('x') AS f` is a text. */
  readonly plain?: boolean
}

export interface Cte {
  readonly columns: Columns
  /** Rows that its generators make, at most; tables count as one. */
  readonly rows: number
  /** What each reading of it adds to the weight of the query. */
  readonly weight: () => number
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
    if (level.relations.some((one) => one.columns.open || one.columns.names.includes(name))) return true
  }
  return false
}

/** The weight of what a name without a table means: a column, or else a whole row. */
export function weightOfName(scope: Scope, name: string): number {
  let heaviest = 0
  for (let level: Scope | undefined = scope; level !== undefined; level = level.parent) {
    const weights = level.relations.map((one) => [one, weightOf(one.columns, name)] as const)
    heaviest = Math.max(heaviest, ...weights.map(([, weight]) => weight ?? 0))
    if (weights.some(([one]) => one.columns.names.includes(name))) return heaviest
  }
  const row = findRelation(scope, name)
  return row === undefined ? heaviest : Math.max(heaviest, totalWeight(row.columns))
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
