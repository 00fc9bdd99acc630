import { given } from '../../core/given.ts'
import type { Edge, Entity } from '../../terms/catalogue.ts'
import { choosePath } from './choose-path.ts'
import { isToOne, sameKey } from '../../terms/joins.ts'
import { refuse } from '../refusal.ts'
import { columnRef, fromOf, openScope, type Place, type Scope } from './scope.ts'
import { indent, printSelect } from './select.ts'

/** `key IN (SELECT key FROM children … WHERE …)`. */
export function semiJoin(
  scope: Scope,
  place: Place,
  entity: Entity,
  negated: boolean,
  build: (inner: Scope) => readonly string[],
  via?: Edge,
  having?: (inner: Scope) => string,
): string {
  const path = choosePath(place.entity, entity, scope.context.hints, via)
  const [first, ...rest] = path ?? []
  if (first === undefined || path === undefined) return refuse(unrelated(place.entity, entity))
  if (first.fromColumns.length > 1)
    return refuse(
      `${first.from.table.name} and ${first.to.table.name} are tied by several columns at once, which I do not handle.`,
    )
  if (scope.fansOut)
    return refuse(
      `Each of the ${place.entity.nouns} stands in several groups here, so I cannot tell for which of them the condition on ${entity.nouns} holds.`,
    )
  const inner = openScope(scope.context, entity, { nested: true })
  const near = inner.reach(inner.base, rest.toReversed().map(flipped))
  const key = columnRef(inner, near, first.toColumns[0] ?? '')
  const nullable = near.entity.attributes.find((a) => a.column.name === first.toColumns[0])?.column.nullable ?? true
  if (!first.declared)
    inner.context.assumptions.add(
      `${first.kind === 'one' ? first.from.table.name : first.to.table.name}.${first.keyColumn} links ${first.from.table.name} and ${first.to.table.name}, going by its name`,
    )
  const where = [...build(inner).filter(Boolean), ...(negated && nullable ? [`${key} IS NOT NULL`] : [])]
  return within(columnRef(scope, place, first.fromColumns[0] ?? ''), inner, key, where, negated, having?.(inner))
}

/** Parents are joined; where the table lies among the children, the predicate goes into a subquery. */
export function at(
  scope: Scope,
  entity: Entity,
  via: Edge | undefined,
  build: (scope: Scope, place: Place) => string,
): string {
  const known = via === undefined ? scope.find(entity) : undefined
  if (known !== undefined) return build(scope, known)
  const path = choosePath(scope.base.entity, entity, scope.context.hints, via)
  if (path === undefined) return refuse(unrelated(scope.base.entity, entity))
  if (isToOne(path)) return build(scope, scope.reach(scope.base, path))
  return semiJoin(scope, scope.base, entity, false, (inner) => [build(inner, inner.base)])
}

/** The place of a table that must be tied to this one. */
export function placeOf(scope: Scope, from: Place, entity: Entity, via?: Edge): Place {
  const path = choosePath(from.entity, entity, scope.context.hints, via)
  return scope.reach(from, path ?? refuse(unrelated(from.entity, entity)))
}

/** The same step seen from its other end. */
function flipped(edge: Edge): Edge {
  return edge.to.edges.find((e) => e.kind !== edge.kind && sameKey(e, edge)) ?? edge
}

export function within(
  outer: string,
  inner: Scope,
  key: string,
  where: readonly string[],
  negated: boolean,
  having?: string,
): string {
  const select = printSelect({
    columns: [{ sql: key }],
    ...fromOf(inner),
    where,
    groupBy: having === undefined ? [] : [key],
    ...given({ having }),
  })
  return `${outer} ${negated ? 'NOT IN' : 'IN'} (\n${indent(select)}\n  )`
}

export function unrelated(a: Entity, b: Entity): string {
  if (a === b) return `I do not see which ${a.nouns} are meant beside the ${b.nouns} themselves. Please name them once.`
  return `I see no direct way from ${a.nouns} to ${b.nouns} in the schema, so I cannot relate the two.`
}
