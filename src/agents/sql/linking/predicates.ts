import type { Attribute, Edge, Entity } from './catalogue.ts'
import { booleanLiteral, quoteText } from './dialect.ts'
import { planFigure } from './figures.ts'
import { isDirect } from './direct.ts'
import { choosePath, isToOne } from './joins.ts'
import type { Comparison, Condition } from './reading.ts'
import { listed, refuse } from './refusal.ts'
import { resolveAttribute, resolveDate, resolveValue } from './resolve.ts'
import type { PlanContext, Place, Scope } from './scope.ts'
import { attributeRef, columnRef, labelRef, nameOf, openScope } from './scope.ts'
import { indent, printSelect } from './select.ts'

/** All conditions of one clause. Two that cannot hold of the same row were meant otherwise, and stop the question. */
export function predicates(scope: Scope, conditions: readonly Condition[]): string[] {
  const dates = conditions.filter((c) => c.kind === 'date')
  const bounded = dates.filter((c) => c.range.from !== undefined && c.range.before !== undefined)
  if (dates.length > 2 || (dates.length === 2 && bounded.length > 0))
    refuse(
      `The question names several times: ${listed(
        dates.map((d) => d.range.text),
        'and',
      )}. Please ask for one, or for a range with “between”.`,
    )
  const quiet = { ...scope.context, assumptions: new Set<string>() }
  const seen = new Map<Attribute, string>()
  for (const c of conditions) {
    if (c.kind !== 'value' || c.negated) continue
    const { attribute } = resolveValue(quiet, c, scope.base.entity)
    const earlier = seen.get(attribute)
    if (earlier !== undefined)
      refuse(
        `“${earlier}” and “${c.text}” are both values of ${nameOf(attribute)}. Please say “or” for either, or ask for one at a time.`,
      )
    seen.set(attribute, c.text)
  }
  return [...new Set(conditions.map((c) => predicate(scope, c)).filter(Boolean))]
}

/** A condition as a predicate over the tables of a scope; joins parents, and puts children into a subquery. */
export function predicate(scope: Scope, condition: Condition): string {
  const { context, base } = scope
  const { dialect } = context.catalogue
  switch (condition.kind) {
    case 'value': {
      const { attribute, values } = resolveValue(context, condition, base.entity)
      if (condition.negated && attribute.column.nullable)
        context.assumptions.add(`rows without a ${attribute.words.join(' ')} are left out`)
      return at(scope, attribute.entity, condition.via, (inner, place) => {
        if (condition.all && inner.nested)
          refuse(
            `“${condition.text}”: do you mean both or either? Please say “or” for either; I cannot ask for both at once.`,
          )
        return oneOf(attributeRef(inner, place, attribute), values, condition.negated, context)
      })
    }
    case 'person':
      return at(scope, condition.entity, undefined, (inner, place) =>
        [condition.first, condition.last]
          .map((h) => `${columnRef(inner, place, h.column)} = ${quoteText(h.value, dialect)}`)
          .join(' AND '),
      )
    case 'compare': {
      const attribute = resolveAttribute(context, condition.attribute, base.entity, condition.anchor)
      if (attribute.column.kind !== 'number')
        return refuse(`${attribute.column.name} holds no numbers, so I cannot compare it with ${condition.amount}.`)
      return at(scope, attribute.entity, condition.via, (inner, place) =>
        compared(attributeRef(inner, place, attribute), condition),
      )
    }
    case 'date': {
      const attribute = resolveDate(context, condition, base.entity)
      const { from, before, assumption } = condition.range
      if (assumption !== undefined) context.assumptions.add(assumption)
      return at(scope, attribute.entity, undefined, (inner, place) => {
        const column = attributeRef(inner, place, attribute)
        return [
          ...(from === undefined ? [] : [`${column} >= '${from}'`]),
          ...(before === undefined ? [] : [`${column} < '${before}'`]),
        ].join(' AND ')
      })
    }
    case 'missing': {
      const attribute = resolveAttribute(context, condition.attribute, base.entity, condition.anchor)
      return at(scope, attribute.entity, condition.via, (inner, place) =>
        emptiness(attributeRef(inner, place, attribute), attribute, condition.negated),
      )
    }
    case 'flag': {
      const attribute = resolveAttribute(context, condition.attribute, base.entity, condition.anchor)
      const literal = booleanLiteral(condition.value, attribute.column.kind === 'boolean', dialect)
      return at(
        scope,
        attribute.entity,
        condition.via,
        (inner, place) => `${attributeRef(inner, place, attribute)} = ${literal}`,
      )
    }
    case 'like':
      return likePredicate(scope, condition)
    case 'has':
    case 'metric':
      return aboutAnchor(scope, condition)
    case 'reports': {
      const inner = openScope(context, condition.edge.to)
      const where = predicates(inner, condition.conditions)
      const [from, to] = [condition.edge.fromColumns[0] ?? '', condition.edge.toColumns[0] ?? '']
      return within(columnRef(scope, base, from), inner, columnRef(inner, inner.base, to), where, false)
    }
  }
}

/** Parents are joined; where the table lies among the children, the predicate goes into a subquery. */
function at(
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

export function unrelated(a: Entity, b: Entity): string {
  return `I see no direct way from ${a.nouns} to ${b.nouns} in the schema, so I cannot relate the two.`
}

function oneOf(column: string, values: readonly string[], negated: boolean, context: PlanContext): string {
  const literals = values.map((v) => quoteText(v, context.catalogue.dialect))
  if (literals.length === 1) return `${column} ${negated ? '<>' : '='} ${literals[0]}`
  return `${column} ${negated ? 'NOT IN' : 'IN'} (${literals.join(', ')})`
}

function compared(
  column: string,
  c: { readonly op: Comparison; readonly amount: number; readonly upTo?: number },
): string {
  return c.upTo === undefined ? `${column} ${c.op} ${c.amount}` : `${column} BETWEEN ${c.amount} AND ${c.upTo}`
}

function emptiness(column: string, attribute: Attribute, isFilled: boolean): string {
  if (attribute.column.kind !== 'text') return `${column} IS ${isFilled ? 'NOT ' : ''}NULL`
  return isFilled ? `${column} <> ''` : `(${column} IS NULL OR ${column} = '')`
}

function likePredicate(scope: Scope, condition: Extract<Condition, { kind: 'like' }>): string {
  const { context, base } = scope
  const escaped = condition.text.toLowerCase().replaceAll(/[%_!]/g, (c) => `!${c}`)
  const pattern = `${condition.place === 'start' ? '' : '%'}${escaped}${condition.place === 'end' ? '' : '%'}`
  const test = (column: string): string =>
    `LOWER(${column}) LIKE ${quoteText(pattern, context.catalogue.dialect)}${escaped.includes('!') ? " ESCAPE '!'" : ''}`
  const owner = condition.anchor ?? base.entity
  const attribute = condition.attribute
  if (attribute === undefined || isNameOnly(attribute.text, owner)) {
    if (owner.label.length === 0) return refuse(`${owner.nouns} have no name that could contain “${condition.text}”.`)
    return at(scope, owner, condition.via, (inner, place) => test(labelRef(inner, place)))
  }
  const resolved = resolveAttribute(context, attribute, base.entity, condition.anchor)
  return at(scope, resolved.entity, condition.via, (inner, place) => test(attributeRef(inner, place, resolved)))
}

/** “name” of something that has a first and a last name. */
export function isNameOnly(text: string, entity: Entity): boolean {
  return (
    /^(full )?names?$/.test(text) &&
    entity.label.length > 0 &&
    !entity.attributes.some((a) => !a.isKey && a.words.join(' ') === 'name')
  )
}

type Clause = Extract<Condition, { kind: 'has' | 'metric' }>

/** A clause is about its anchor: `revenue from customers who bought Rock` tests the customers, not the sales. */
function aboutAnchor(scope: Scope, clause: Clause): string {
  const about = clause.anchor ?? scope.base.entity
  if (about === scope.base.entity) return clausePredicate(scope, scope.base, clause)
  return at(scope, about, undefined, (inner, place) => clausePredicate(inner, place, clause))
}

function clausePredicate(scope: Scope, place: Place, clause: Clause): string {
  if (clause.kind === 'metric') return metricPredicate(scope, place, clause)
  const entity = clause.entity === 'sale' ? saleEntity(scope.context, place.entity, clause.conditions) : clause.entity
  const path = choosePath(place.entity, entity, scope.context.hints, clause.via)
  if (path === undefined) return refuse(unrelated(place.entity, entity))
  if (isToOne(path) && !(clause.negated && clause.conditions.length > 0))
    return parentPredicate(scope, place, path, clause)
  return semiJoin(scope, place, entity, clause.negated, (inner) => predicates(inner, clause.conditions), clause.via)
}

/** `invoices with a customer in Brazil`, `tracks without an album`: the parent is joined, or its key is tested. */
function parentPredicate(
  scope: Scope,
  place: Place,
  path: readonly Edge[],
  clause: Extract<Condition, { kind: 'has' }>,
): string {
  const [first] = path
  if (first === undefined) return conjunction(predicates(scope, clause.conditions))
  if (clause.conditions.length > 0) {
    const parent = scope.reach(place, path)
    const moved: Scope = { ...scope, base: parent, from: scope.from, fansOut: scope.fansOut }
    return conjunction(predicates(moved, clause.conditions))
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

/** `key IN (SELECT key FROM children … WHERE …)`. */
function semiJoin(
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

/** The same step seen from its other end. */
export function flipped(edge: Edge): Edge {
  return {
    ...edge,
    from: edge.to,
    to: edge.from,
    fromColumns: edge.toColumns,
    toColumns: edge.fromColumns,
    kind: edge.kind === 'one' ? 'many' : 'one',
  }
}

function within(
  outer: string,
  inner: Scope,
  key: string,
  where: readonly string[],
  negated: boolean,
  having?: string,
): string {
  const select = printSelect({
    columns: [{ sql: key }],
    from: inner.from,
    joins: inner.joins,
    where,
    groupBy: having === undefined ? [] : [key],
    ...(having === undefined ? {} : { having }),
    orderBy: [],
  })
  return `${outer} ${negated ? 'NOT IN' : 'IN'} (\n${indent(select)}\n  )`
}

const OPPOSITE: Readonly<Record<Comparison, Comparison>> = {
  '>': '<=',
  '>=': '<',
  '<': '>=',
  '<=': '>',
  '=': '<>',
  '<>': '=',
}

/** `more than 5 orders`. Fewer-than also holds for those with none, so it is asked the other way round. */
function metricPredicate(scope: Scope, place: Place, clause: Extract<Condition, { kind: 'metric' }>): string {
  const { op, amount, upTo } = clause
  const figure = planFigure(
    scope.context,
    clause.measure,
    [{ kind: 'entity', entity: place.entity }],
    clause.conditions,
  )
  if (figure.base === place.entity)
    return refuse(`I cannot compare a number of ${place.entity.nouns} for each of the ${place.entity.nouns}.`)
  if (upTo !== undefined && amount <= 0)
    return refuse('A range that begins at zero is not clear here. Please ask for “at most”.')
  const includesNone = upTo === undefined && holdsForZero(op, amount)
  const shownOp = includesNone ? OPPOSITE[op] : op
  const build = (inner: Scope): readonly string[] => predicates(inner, clause.conditions)
  const via = clause.measure.kind === 'count' ? clause.measure.via : undefined
  return semiJoin(scope, place, figure.base, includesNone, build, via, (inner) =>
    upTo === undefined
      ? `${figure.sql(inner)} ${shownOp} ${amount}`
      : `${figure.sql(inner)} BETWEEN ${amount} AND ${upTo}`,
  )
}

function holdsForZero(op: Comparison, amount: number): boolean {
  return {
    '>': 0 > amount,
    '>=': 0 >= amount,
    '<': 0 < amount,
    '<=': 0 <= amount,
    '=': amount === 0,
    '<>': amount !== 0,
  }[op]
}
