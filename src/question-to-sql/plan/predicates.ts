import { isDate, isNumeric, isYear, type Attribute, type Edge, type Entity } from '../../terms/catalogue.ts'
import { aboutAnchor } from './clauses.ts'
import { booleanLiteral, isOwnText, quoteText } from '../../terms/dialect.ts'
import { compared, inUnitOf } from './figure.ts'
import { choosePath } from './choose-path.ts'
import { withinKind } from '../schema/lineage.ts'
import type { Condition } from '../reading.ts'
import { listed, refuse } from '../refusal.ts'
import { usualRows } from './metric.ts'
import { resolveAttribute, resolveDate, resolveValue, tellWay } from './resolve.ts'
import { attributeRef, columnRef, labelRef, nameOf, openScope, type PlanContext, type Scope } from './scope.ts'
import { at, placeOf, within } from './semi-join.ts'

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
  return [...new Set([...conditions.map((c) => predicate(scope, c)), ...usualRows(scope, conditions)].filter(Boolean))]
}

/** A condition as a predicate over the tables of a scope; joins parents, and puts children into a subquery. */
export function predicate(scope: Scope, condition: Condition): string {
  const { context, base } = scope
  const { dialect } = context.catalogue
  switch (condition.kind) {
    case 'value': {
      const { attribute, values } = resolveValue(context, condition, base.entity)
      const path = choosePath(base.entity, attribute.entity, context.hints, condition.via) ?? []
      const isLost = path.some(({ kind, from, fromColumns: [key] }) => {
        return kind === 'one' && from.attributes.some(({ column }) => column.name === key && column.nullable)
      })
      if (condition.negated && (attribute.column.nullable || isLost))
        context.assumptions.add(`rows without ${attribute.words.join(' ')} are left out`)
      return at(scope, attribute.entity, condition.via, (inner, place) => {
        if (condition.negated && inner.nested && !scope.nested)
          refuse(
            `Each of the ${base.entity.nouns} may have many of ${nameOf(attribute)}: do you mean none that is “${condition.text}”, or some other? Please say “without”.`,
          )
        if (condition.all && inner.nested)
          refuse(
            `“${condition.text}”: do you mean both or either? Please say “or” for either; I cannot ask for both at once.`,
          )
        const isKind = attribute.entity !== base.entity
        const kind = isKind ? withinKind(context, inner, place, attribute, values, condition.negated) : undefined
        return kind ?? oneOf(attributeRef(inner, place, attribute), values, condition.negated, context)
      })
    }
    case 'person': {
      const { entity, first, last } = condition
      const path = choosePath(base.entity, entity, context.hints) ?? []
      tellWay(context, `${first.value} ${last.value}`, base.entity, path)
      return at(scope, entity, undefined, (inner, place) =>
        [first, last].map((h) => `${columnRef(inner, place, h.column)} = ${quoteText(h.value, dialect)}`).join(' AND '),
      )
    }
    case 'compare': {
      const attribute = resolveAttribute(context, condition.attribute, base.entity, condition.anchor)
      if (attribute.column.kind !== 'number')
        return refuse(
          `${attribute.column.name} holds no numbers, so I cannot compare it with ${condition.bound.amount}.`,
        )
      const bound = inUnitOf(attribute, condition.bound)
      return onColumn(scope, attribute, condition.via, (column) => compared(column, bound))
    }
    case 'columns': {
      const { left, right, op, home } = condition
      if (home !== left.entity || home !== right.entity || isDate(left))
        context.assumptions.add(`${nameOf(left)} is compared with ${nameOf(right)}; rows without either do not count`)
      else context.assumptions.add(`${nameOf(left)} is compared with ${nameOf(right)}`)
      return at(scope, home, condition.via, (inner, place) => {
        const refs = [left, right].map((a) => attributeRef(inner, placeOf(inner, place, a.entity), a))
        return refs.join(` ${op} `)
      })
    }
    case 'date': {
      const attribute = resolveDate(context, condition, base.entity)
      const { from, before, assumption } = condition.range
      if (assumption !== undefined) context.assumptions.add(assumption)
      return onColumn(scope, attribute, undefined, (column) => {
        const day = (said: string): string => (isYear(attribute) ? yearOf(said, attribute) : `'${said}'`)
        return [
          ...(from === undefined ? [] : [`${column} >= ${day(from)}`]),
          ...(before === undefined ? [] : [`${column} < ${day(before)}`]),
        ].join(' AND ')
      })
    }
    case 'missing': {
      const attribute = resolveAttribute(context, condition.attribute, base.entity, condition.anchor)
      const words = context.none.get(attribute) ?? []
      const isZero = condition.orZero === true && isNumeric(attribute)
      const empty = isOwnText(attribute.column, dialect) ? ['', ...words] : words
      const texts = attribute.column.kind === 'text' ? empty : []
      const none = isZero ? ['0'] : texts.map((w) => quoteText(w, dialect))
      const said = isZero ? ['0'] : words.map((w) => `“${w}”`)
      if (said.length > 0)
        context.assumptions.add(`${nameOf(attribute)} counts as none where it is ${listed([...said, 'empty'])}`)
      return onColumn(scope, attribute, condition.via, (column) => emptiness(column, none, condition.negated))
    }
    case 'flag': {
      const attribute = resolveAttribute(context, condition.attribute, base.entity, condition.anchor)
      const written = context.catalogue.flags.get(attribute)?.[condition.value ? 'yes' : 'no']
      return onColumn(scope, attribute, condition.via, (column) => {
        if (written !== undefined && attribute.column.kind !== 'number') return oneOf(column, written, false, context)
        return `${column} = ${booleanLiteral(condition.value, attribute.column.kind === 'boolean', dialect)}`
      })
    }
    case 'like':
      return likePredicate(scope, condition)
    case 'has':
    case 'metric':
      return aboutAnchor(scope, condition, predicates)
    case 'linked': {
      const { edge, role } = condition
      const [near, far] = role === 'child' ? [edge.from, edge.to] : [edge.to, edge.from]
      const [own, other] = role === 'child' ? [edge.fromColumns, edge.toColumns] : [edge.toColumns, edge.fromColumns]
      const inner = openScope(context, far, { nested: true })
      const where = predicates(inner, condition.conditions)
      return at(scope, near, undefined, (outer, place) =>
        within(
          columnRef(outer, place, own[0] ?? ''),
          inner,
          columnRef(inner, inner.base, other[0] ?? ''),
          where,
          false,
        ),
      )
    }
  }
}

/** A test of one column, wherever its table is. */
function onColumn(scope: Scope, attribute: Attribute, via: Edge | undefined, test: (column: string) => string): string {
  return at(scope, attribute.entity, via, (inner, place) => test(attributeRef(inner, place, attribute)))
}

/** What is known by the year is compared with whole years alone. */
function yearOf(day: string, attribute: Attribute): string {
  if (!day.endsWith('-01-01')) refuse(`${nameOf(attribute)} is a year. Please ask for whole years.`)
  return day.slice(0, 4)
}

function oneOf(column: string, values: readonly string[], negated: boolean, context: PlanContext): string {
  return among(
    column,
    values.map((v) => quoteText(v, context.catalogue.dialect)),
    negated,
  )
}

function among(column: string, literals: readonly string[], negated: boolean): string {
  if (literals.length === 1) return `${column} ${negated ? '<>' : '='} ${literals[0]}`
  return `${column} ${negated ? 'NOT IN' : 'IN'} (${literals.join(', ')})`
}

/** @param none literals that are as good as no value */
function emptiness(column: string, none: readonly string[], isFilled: boolean): string {
  if (none.length === 0) return `${column} IS ${isFilled ? 'NOT ' : ''}NULL`
  return isFilled ? among(column, none, true) : `(${column} IS NULL OR ${among(column, none, false)})`
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
  const isOwn = isOwnText(resolved.column, context.catalogue.dialect)
  return onColumn(scope, resolved, condition.via, (column) => test(isOwn ? column : `CAST(${column} AS text)`))
}

/** “name” of something that has a first and a last name. */
export function isNameOnly(text: string, entity: Entity): boolean {
  return (
    /^(full )?names?$/.test(text) &&
    entity.label.length > 0 &&
    !entity.attributes.some((a) => !a.isKey && a.words.join(' ') === 'name')
  )
}
