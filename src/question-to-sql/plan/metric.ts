import { qualifiedName, type Attribute, type Entity } from '../../terms/catalogue.ts'
import { REVENUE, UNITS_SOLD, type Metric } from '../../terms/terms.ts'
import { choosePath } from './choose-path.ts'
import { isToOne } from '../../terms/joins.ts'
import type { Condition, Measure } from '../reading.ts'
import { refuse } from '../refusal.ts'
import { isSpokenOf } from './cancelled.ts'
import type { Figure } from './figure.ts'
import { aliasOf, attributeRef, type Asked, type Place, type PlanContext, type Scope } from './scope.ts'

/** The metric that is meant, also where a verb of trade says so: what comes in is revenue, what is sold are units. */
export function metricOf({ catalogue }: PlanContext, measure: Measure): string | undefined {
  if (measure.kind === 'metric') return measure.name
  if (measure.kind === 'money' && measure.aggregate === 'sum')
    return REVENUE in catalogue.terms.metrics ? REVENUE : undefined
  return measure.kind === 'units' && UNITS_SOLD in catalogue.terms.metrics ? UNITS_SOLD : undefined
}

/** A name in an expression, and the column that it is. */
const NAME = /'(?:[^']|'')*'|([A-Za-z_][\w$]*)(?:\.([A-Za-z_][\w$]*))?(?!\s*\()/g

/** SQL of the terms with its columns written for this place; those of other tables are reached along keys to one row. */
export function written(scope: Scope, place: Place, sql: string): string {
  const { entities } = scope.context.catalogue
  return sql.replace(NAME, (all: string, first?: string, second?: string) => {
    if (first === undefined) return all
    const own = (entity: Entity | undefined, name: string): Attribute | undefined =>
      entity?.attributes.find((a) => a.column.name.toLowerCase() === name.toLowerCase())
    if (second === undefined) {
      const attribute = own(place.entity, first)
      return attribute === undefined ? all : attributeRef(scope, place, attribute)
    }
    const entity = entities.find((e) => e.table.name === first)
    const attribute = own(entity, second)
    if (entity === undefined || attribute === undefined) return all
    const path = choosePath(place.entity, entity, scope.context.hints)
    if (path === undefined || !isToOne(path))
      return refuse(`The terms use ${all} with ${place.entity.table.name}, which has no single row of it.`)
    return attributeRef(scope, scope.reach(place, path), attribute)
  })
}

/** The columns that SQL of the terms is about. */
function columnsIn(context: PlanContext, base: Entity, sql: string): readonly Attribute[] {
  return [...sql.matchAll(NAME)].flatMap(([, first, second]) => {
    if (first === undefined) return []
    const entity = second === undefined ? base : context.catalogue.entities.find((e) => e.table.name === first)
    return entity?.attributes.filter((a) => a.column.name.toLowerCase() === (second ?? first).toLowerCase()) ?? []
  })
}

/** Does the question itself speak of a column that a filter of the terms is about? Then the filter is not meant. */
function isSpoken(asked: Asked, base: Entity, where: string): boolean {
  return columnsIn(asked.context, base, where).some((column) => isSpokenOf(column, asked))
}

/** A figure that the terms define. */
export function metricFigure(asked: Asked, name: string, { of, value, where, unit }: Metric): Figure {
  const { context } = asked
  const base =
    context.catalogue.entities.find((e) => qualifiedName(e) === of) ??
    refuse(`The terms define ${name} over ${of}, which is no table here.`)
  const isFiltered = where !== undefined && context.keepsAll !== true && !isSpoken(asked, base, where)
  const only = (scope: Scope): string => {
    context.assumptions.add(`${name} counts where ${where}`)
    return `(${written(scope, scope.base, where ?? '')})`
  }
  const row = /^\s*sum\s*\(((?:[^()]|\([^()]*\))*)\)\s*$/i.exec(value)?.[1]
  return {
    base,
    sql: (scope) =>
      unit === 'money' ? `ROUND(${written(scope, scope.base, value)}, 2)` : `(${written(scope, scope.base, value)})`,
    ...(row === undefined ? {} : { row: (scope: Scope) => `(${written(scope, scope.base, row)})` }),
    alias: aliasOf(name),
    title: name,
    role: unit ?? 'number',
    ...(isFiltered ? { only } : {}),
    source: `${value} of ${of}`,
  }
}

/** What the terms say holds of the rows of a table unless the question speaks of it. */
export function usualRows(scope: Scope, conditions: readonly Condition[]): readonly string[] {
  const { context, base } = scope
  const where = context.catalogue.terms.tables[qualifiedName(base.entity)]?.where
  if (where === undefined || isSpoken({ context, conditions, dimensions: [] }, base.entity, where)) return []
  context.assumptions.add(`only ${base.entity.nouns} where ${where}`)
  return [`(${written(scope, base, where)})`]
}
