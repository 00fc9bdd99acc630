import { onlyOf } from '../../core/only.ts'
import type { Attribute, Catalogue, Entity } from '../../terms/catalogue.ts'
import { concatNames, quoteName, tableName } from '../../terms/dialect.ts'
import { keyOwner, type Path } from '../../terms/joins.ts'
import type { Condition, Dimension } from '../reading.ts'
import { refuse } from '../refusal.ts'
import type { Sales } from '../../terms/sales.ts'

/** The status by which a sale is known to have been called off. */
export interface Cancelled {
  readonly status: Attribute
  readonly values: readonly string[]
}

/** What planning needs to know, and the readings it had to choose. */
export interface PlanContext {
  readonly catalogue: Catalogue
  readonly sales: Sales
  /** The question's words, which decide between equally short ways. */
  readonly hints: readonly string[]
  readonly maxRows: number
  /** Cancelled sales, where there are any and they matter. */
  readonly cancelled?: Cancelled
  /** Stored words that mean that there is no value, by column. */
  readonly none: ReadonlyMap<Attribute, readonly string[]>
  /** “including cancelled orders”: the filters of figures are not meant. */
  readonly keepsAll?: boolean
  /** The date that times are about where they do not say. */
  readonly date?: Attribute
  readonly assumptions: Set<string>
  /** The breakdowns that have become columns. */
  readonly grouped: Set<Dimension>
}

/** What figures are asked for: by what they are broken down, and what holds of their rows. */
export interface Asked {
  readonly context: PlanContext
  readonly dimensions: readonly Dimension[]
  readonly conditions: readonly Condition[]
}

/** One table in the FROM clause. */
export interface Place {
  readonly entity: Entity
  readonly alias: string
}

/** The FROM clause of one SELECT: a base table and what has been joined to it. */
export interface Scope {
  readonly context: PlanContext
  readonly base: Place
  /** The place at the end of a path from another; joins what is missing. */
  reach(from: Place, path: Path): Place
  /** A table that is joined already. */
  find(entity: Entity): Place | undefined
  readonly from: string
  readonly joins: readonly string[]
  /** Inside an IN (…): each row is one of many of the outer one. */
  readonly nested: boolean
  /** Are there tables besides the base? */
  readonly fansOut: boolean
}

export function openScope(
  context: PlanContext,
  entity: Entity,
  options: { readonly keepAll?: boolean; readonly nested?: boolean } = {},
): Scope {
  const { keepAll = false, nested = false } = options
  const { dialect } = context.catalogue
  const joins: string[] = []
  const places = new Map<string, Place>()
  const taken = new Set<string>()
  let fansOut = false
  const place = (at: Entity): Place => {
    let alias = at.table.name
    for (let n = 2; taken.has(alias.toLowerCase()); n++) alias = `${at.table.name}_${n}`
    taken.add(alias.toLowerCase())
    return { entity: at, alias }
  }
  const written = (at: Place): string => {
    const name = tableName(at.entity.table, dialect)
    return at.alias === at.entity.table.name && at.entity.table.schema === undefined
      ? name
      : `${name} AS ${quoteName(at.alias, dialect)}`
  }
  const base = place(entity)
  const reach = (from: Place, path: Path): Place => {
    let here = from
    for (const edge of path) {
      const key = `${here.alias}>${edge.kind}>${keyOwner(edge).table.name}.${edge.keyColumn}>${edge.to.table.name}`
      const known = places.get(key)
      if (known !== undefined) {
        here = known
        continue
      }
      if (!edge.declared)
        context.assumptions.add(
          `${keyOwner(edge).table.name}.${edge.keyColumn} is taken to point at ${keyOwner(edge) === edge.from ? edge.to.table.name : edge.from.table.name}, going by its name`,
        )
      const next = place(edge.to)
      const on = edge.toColumns.map(
        (column, i) => `${columnRef(scope, next, column)} = ${columnRef(scope, here, edge.fromColumns[i] ?? '')}`,
      )
      joins.push(`${keepAll ? 'LEFT JOIN' : 'JOIN'} ${written(next)} ON ${on.join(' AND ')}`)
      if (edge.kind === 'many') fansOut = true
      places.set(key, next)
      here = next
    }
    return here
  }
  const find = (wanted: Entity): Place | undefined =>
    wanted === entity ? base : [...places.values()].find((p) => p.entity === wanted)
  const scope: Scope = {
    context,
    base,
    reach,
    find,
    joins,
    nested,
    get from() {
      return written(base)
    },
    get fansOut() {
      return fansOut
    },
  }
  return scope
}

/** What a SELECT over the scope is from. */
export function fromOf({ from, joins }: Scope): Pick<Scope, 'from' | 'joins'> {
  return { from, joins }
}

export function columnRef(scope: Scope, place: Place, column: string): string {
  const { dialect } = scope.context.catalogue
  return `${quoteName(place.alias, dialect)}.${quoteName(column, dialect)}`
}

export function attributeRef(scope: Scope, place: Place, attribute: Attribute): string {
  return columnRef(scope, place, attribute.column.name)
}

/** The one column that identifies a row. */
export function keyRef(scope: Scope, place: Place): string {
  const key = onlyOf(place.entity.keys)
  if (key !== undefined) return attributeRef(scope, place, key)
  return refuse(
    `${place.entity.table.name} has no single key column, so I cannot tell its rows apart in this question.`,
  )
}

/** What names a row to a person; its key where there is no name. */
export function labelRef(scope: Scope, place: Place): string {
  const parts = place.entity.label.map((a) => ({ sql: attributeRef(scope, place, a), nullable: a.column.nullable }))
  const [only] = parts
  if (only === undefined) return keyRef(scope, place)
  return parts.length === 1 ? only.sql : concatNames(parts, scope.context.catalogue.dialect)
}

/** `table.column` as it is called in explanations. */
export function nameOf(attribute: Attribute): string {
  return `${attribute.entity.table.name}.${attribute.column.name}`
}

/** A lower-case name for a result column. */
export function aliasOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
}
