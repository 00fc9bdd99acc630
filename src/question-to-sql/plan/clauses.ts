import type { Edge, Entity } from '../../terms/catalogue.ts'
import { sayCancelledCount } from './cancelled.ts'
import { isDirect } from './direct.ts'
import { planFigure } from './figures.ts'
import { compareNumbers, type ExactNumber } from '../../core/exact-number.ts'
import { given } from '../../core/given.ts'
import { compared, figureWhere, inUnitOf } from './figure.ts'
import { choosePath } from './choose-path.ts'
import { isToOne } from '../../terms/joins.ts'
import type { Comparison, Condition } from '../reading.ts'
import { refuse } from '../refusal.ts'
import { columnRef, type Place, type PlanContext, type Scope } from './scope.ts'
import { at, semiJoin, unrelated } from './semi-join.ts'

type Clause = Extract<Condition, { kind: 'has' | 'metric' }>

/** Turns the conditions inside a clause into predicates; it comes back here for clauses among them. */
type Test = (scope: Scope, conditions: readonly Condition[]) => readonly string[]

/** A clause is about its anchor: `revenue from customers who bought Rock` tests the customers, not the sales. */
export function aboutAnchor(scope: Scope, clause: Clause, test: Test): string {
  const about = clause.anchor ?? scope.base.entity
  if (about === scope.base.entity) return clausePredicate(scope, scope.base, clause, test)
  return at(scope, about, undefined, (inner, place) => clausePredicate(inner, place, clause, test))
}

function clausePredicate(scope: Scope, place: Place, clause: Clause, test: Test): string {
  if (clause.kind === 'metric') return metricPredicate(scope, place, clause, test)
  const entity = clause.entity === 'sale' ? saleEntity(scope.context, place.entity, clause.conditions) : clause.entity
  if (clause.entity === 'sale') sayCancelledCount(scope.context, clause.conditions)
  const path = choosePath(place.entity, entity, scope.context.hints, clause.via)
  if (path === undefined) return refuse(unrelated(place.entity, entity))
  if (isToOne(path) && !(clause.negated && clause.conditions.length > 0))
    return parentPredicate(scope, place, path, clause, test)
  return semiJoin(scope, place, entity, clause.negated, (inner) => test(inner, clause.conditions), clause.via)
}

/** `invoices with a customer in Brazil`, `tracks without an album`: the parent is joined, or its key is tested. */
function parentPredicate(
  scope: Scope,
  place: Place,
  path: readonly Edge[],
  clause: Extract<Condition, { kind: 'has' }>,
  test: Test,
): string {
  const [first] = path
  if (first === undefined) return conjunction(test(scope, clause.conditions))
  if (clause.conditions.length > 0) {
    const parent = scope.reach(place, path)
    const moved: Scope = { ...scope, base: parent, from: scope.from, fansOut: scope.fansOut }
    return conjunction(test(moved, clause.conditions))
  }
  if (path.length > 1) scope.reach(place, path)
  const column = columnRef(scope, place, first.fromColumns[0] ?? '')
  if (clause.negated) return `${column} IS NULL`
  const nullable = place.entity.attributes.find((a) => a.column.name === first.fromColumns[0])?.column.nullable ?? true
  return nullable ? `${column} IS NOT NULL` : ''
}

function conjunction(parts: readonly string[]): string {
  return parts.filter(Boolean).join(' AND ')
}

/** The sale itself, or its lines where a condition is about what was sold. */
function saleEntity(context: PlanContext, about: Entity, conditions: readonly Condition[]): Entity {
  const { header, line } = context.sales
  const options = [header?.entity, line?.entity].filter(
    (e) => e !== undefined && choosePath(about, e, context.hints) !== undefined,
  ) as Entity[]
  if (options.length === 0) return refuse(`I see no sales of ${about.nouns} in the schema.`)
  return options.find((e) => conditions.every((c) => isDirect(context, e, c))) ?? options.at(-1) ?? options[0]!
}

/** For each comparison its opposite, and whether it holds of nothing. */
const COMPARISONS: Readonly<Record<Comparison, readonly [Comparison, (amount: ExactNumber) => boolean]>> = {
  '>': ['<=', (amount) => compareNumbers(amount, 0) < 0],
  '>=': ['<', (amount) => compareNumbers(amount, 0) <= 0],
  '<': ['>=', (amount) => compareNumbers(amount, 0) > 0],
  '<=': ['>', (amount) => compareNumbers(amount, 0) >= 0],
  '=': ['<>', (amount) => amount === 0],
  '<>': ['=', (amount) => amount !== 0],
}

/** `more than 5 orders`. Fewer-than also holds for those with none, so it is asked the other way round. */
function metricPredicate(
  scope: Scope,
  place: Place,
  clause: Extract<Condition, { kind: 'metric' }>,
  test: Test,
): string {
  const { context } = scope
  const dimensions = [{ kind: 'entity', entity: place.entity }] as const
  const figure = planFigure({ context, dimensions, conditions: clause.conditions }, clause.measure)
  const { op, amount, upTo } = inUnitOf(figure.column, clause.bound)
  if (figure.base === place.entity)
    return refuse(`I cannot compare a number of ${place.entity.nouns} for each of the ${place.entity.nouns}.`)
  if (upTo !== undefined && compareNumbers(amount, 0) <= 0)
    return refuse('A range that begins at zero is not clear here. Please ask for “at most”.')
  const [opposite, holdsFor] = COMPARISONS[op]
  const includesNone = upTo === undefined && holdsFor(amount)
  // “orders over 50” lists orders whatever became of them.
  const isSale = place.entity === scope.context.cancelled?.status.entity
  const build = (inner: Scope): readonly string[] => [
    ...test(inner, clause.conditions),
    ...(isSale ? [] : figureWhere(figure, inner)),
  ]
  const via = clause.measure.kind === 'count' ? clause.measure.via : undefined
  const bound = { op: includesNone ? opposite : op, amount, ...given({ upTo }) }
  return semiJoin(scope, place, figure.base, includesNone, build, via, (inner) => compared(figure.sql(inner), bound))
}
