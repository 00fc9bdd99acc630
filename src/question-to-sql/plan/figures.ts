import { onlyOf } from '../../core/only.ts'
import { given } from '../../core/given.ts'
import { leaveOutCancelled } from './cancelled.ts'
import { isYear, type Attribute, type Entity } from '../../terms/catalogue.ts'
import { daysBetween, roundMoney } from '../../terms/dialect.ts'
import { choosePath } from './choose-path.ts'
import { isLinkedOnce, isToOne } from '../../terms/joins.ts'
import { AGGREGATE_NAMES, headingOf, roleOf, type Figure } from './figure.ts'
import { moneyFigures, unitFigures } from './sales-figures.ts'
import { isDirect, refuseOncePerParent } from './direct.ts'
import { saysYesOrNo } from '../../terms/flags.ts'
import { amountOf } from '../../terms/amounts.ts'
import { EXACT, type AttributeMatch } from '../../terms/names.ts'
import type { Aggregate, Condition, Dimension, Measure, Reading } from '../reading.ts'
import { listed, Refused, refuse } from '../refusal.ts'
import { metricFigure, metricOf } from './metric.ts'
import { canResolve, resolveAttribute, resolveDate } from './resolve.ts'
import { aliasOf, attributeRef, keyRef, nameOf, type Asked, type PlanContext, type Scope } from './scope.ts'

/** Chooses the table that a figure is computed over, such that no row is counted twice. */
export function planFigure(asked: Asked, measure: Measure): Figure {
  const { context, conditions } = asked
  const name = metricOf(context, measure)
  const metric = name === undefined ? undefined : context.catalogue.terms.metrics[name]
  if (name !== undefined && metric !== undefined) {
    return choose(asked, [metricFigure(asked, name, metric)], name)
  }
  const figure = figureOf(asked, measure)
  if (measure.kind === 'money') refuseOtherAmount(figure, conditions)
  const { header, line } = context.sales
  const isAmount = [header?.total, line?.amount].some((a) => a !== undefined && a === figure.column)
  const only = measure.kind === 'money' || measure.kind === 'units' || isAmount ? leaveOutCancelled(asked) : undefined
  return only === undefined ? figure : { ...figure, only }
}

/** “Revenue from card payments”, where it is the orders that are added up: the payments have amounts of their own. */
function refuseOtherAmount({ base, column }: Figure, conditions: readonly Condition[]): void {
  const spoken = conditions.flatMap((c) => (c.kind === 'has' && c.entity !== 'sale' && !c.negated ? [c.entity] : []))
  const other = spoken.find((e) => e.edges.some((to) => to.kind === 'one' && to.to === base))
  const amount = other === undefined || spoken.includes(base) ? undefined : amountOf(other)
  if (other !== undefined && amount !== undefined && column !== undefined)
    refuse(
      `Do you mean ${nameOf(column)} or ${nameOf(amount)}? Please name the column, as in “total ${other.noun} amount”.`,
    )
}

function figureOf(asked: Asked, measure: Measure): Figure {
  const { context } = asked
  switch (measure.kind) {
    case 'count':
      return countFigure(measure.entity)
    case 'distinct':
      return distinctFigure(asked, measure)
    case 'column':
      return columnFigure(asked, measure)
    case 'days':
      return daysFigure(context, measure)
    case 'metric':
      return refuse(`There is no metric “${measure.name}”.`)
    case 'average':
      return refuse('An average over groups cannot be used here. Please ask for it by itself.')
    case 'money':
      return choose(asked, moneyFigures(context, measure.aggregate, measure.word), 'amount')
    case 'units':
      return choose(asked, unitFigures(context), 'quantity')
  }
}

function countFigure(entity: Entity): Figure {
  const sql = (scope: Scope): string => (scope.fansOut ? `COUNT(DISTINCT ${keyRef(scope, scope.base)})` : 'COUNT(*)')
  return {
    base: entity,
    sql,
    alias: aliasOf(entity.nouns),
    title: `number of ${entity.nouns}`,
    role: 'number',
    source: `rows of ${entity.table.name}`,
  }
}

function distinctFigure(asked: Pick<Asked, 'context' | 'conditions'>, { match }: { match: AttributeMatch }): Figure {
  const attribute = attributeAlone(asked, match)
  const name = attribute.words.join(' ')
  return {
    base: attribute.entity,
    sql: (scope) => `COUNT(DISTINCT ${attributeRef(scope, scope.base, attribute)})`,
    alias: aliasOf(`distinct ${name} values`),
    title: `number of different values of ${name}`,
    role: 'number',
    source: `different values of ${nameOf(attribute)}`,
  }
}

/** The column a name means when no table has been settled on: the tables spoken of decide. */
function attributeAlone(
  { context, conditions }: Pick<Asked, 'context' | 'conditions'>,
  match: AttributeMatch,
  anchor?: Entity,
): Attribute {
  const spoken = [
    anchor,
    ...conditions.flatMap((c) => [c.kind === 'has' && c.entity !== 'sale' ? c.entity : undefined, c.anchor]),
  ].filter((e) => e !== undefined)
  for (const entity of [match.owner, ...spoken]) {
    if (entity !== undefined && match.candidates.some((c) => c.attribute.entity === entity))
      return resolveAttribute(context, match, entity, entity)
  }
  const best = match.candidates[0]?.score
  const all = match.candidates.filter((c) => c.score === best)
  const inTables = all.filter((c) => c.attribute.entity.table.kind === 'table')
  const tops = inTables.length > 0 ? inTables : all
  const only = onlyOf(tops)
  if (only === undefined)
    return refuse(
      `“${match.text}” could be ${listed(tops.map((c) => nameOf(c.attribute)))}. Please say of which table.`,
    )
  if (best !== EXACT || inTables.length === 0) context.assumptions.add(`“${match.text}” is ${nameOf(only.attribute)}`)
  return only.attribute
}

/** The same of what a question lists or counts; that its table has rows need not be said as well. */
export function columnOf(context: PlanContext, match: AttributeMatch, reading: Reading): Attribute {
  const attribute = attributeAlone({ context, conditions: reading.conditions }, match)
  reading.conditions = reading.conditions.filter(
    (c) => !(c.kind === 'has' && c.entity === attribute.entity && c.conditions.length === 0 && !c.negated),
  )
  return attribute
}

function columnFigure(asked: Asked, measure: Extract<Measure, { kind: 'column' }>): Figure {
  const { context, conditions } = asked
  const { aggregate, match, anchor } = measure
  const attribute = attributeAlone(asked, match, anchor)
  const isTotal = attribute === context.sales.header?.total
  if (isTotal && aggregate === 'sum')
    return choose(asked, moneyFigures(context, 'sum', attribute.words.join(' ')), 'amount')
  if (attribute.column.kind !== 'number' && !(aggregate === 'min' || aggregate === 'max'))
    return refuse(`${nameOf(attribute)} holds no numbers, so I cannot compute its ${AGGREGATE_NAMES[aggregate]}.`)
  if (aggregate === 'sum' || aggregate === 'avg') refuseOncePerParent(context, measure, attribute, conditions)
  if (attribute.isKey) return refuse(`${nameOf(attribute)} is a key; its ${AGGREGATE_NAMES[aggregate]} means nothing.`)
  if (
    aggregate === 'sum' &&
    (isYear(attribute) ||
      attribute.unit === '%' ||
      attribute.words.some((w) => /^(percent|percentage|rate|ratio|price|rating|score|age)$/.test(w)))
  )
    return refuse(`Adding up ${nameOf(attribute)} means nothing. Please ask for its average, or name another column.`)
  const figure = aggregateFigure(context, aggregate, attribute)
  if (aggregate === 'min' || aggregate === 'max') return figure
  return choose(asked, [figure], attribute.words.join(' '))
}

/** `average list price`, `total payment amount`, `invoice total`. */
function nameOfAggregate(aggregate: Aggregate, attribute: Attribute): string {
  const { words, entity } = attribute
  const isBare = words.length === 1 && /^(total|subtotal|amount|value|price)$/.test(words[0] ?? '')
  const own = isBare ? `${entity.noun} ${words.join(' ')}` : words.join(' ')
  return aggregate === 'sum' && words.some((w) => w.endsWith('total')) ? own : `${AGGREGATE_NAMES[aggregate]} ${own}`
}

/** AVG, SUM, MIN or MAX of one column over its own table. */
export function aggregateFigure(context: PlanContext, aggregate: Aggregate, attribute: Attribute): Figure {
  if (saysYesOrNo(context.catalogue, attribute))
    return refuse(
      `${nameOf(attribute)} says yes or no, so its ${AGGREGATE_NAMES[aggregate]} means nothing. Please ask for the number of ${attribute.entity.nouns}, or name the amount.`,
    )
  const { dialect } = context.catalogue
  const isFloat = /real|double|float/.test(attribute.column.type)
  const name = nameOfAggregate(aggregate, attribute)
  const row = (scope: Scope): string => attributeRef(scope, scope.base, attribute)
  return {
    base: attribute.entity,
    sql: (scope) =>
      aggregate === 'sum' && roleOf(attribute) === 'money'
        ? roundMoney(`SUM(${row(scope)})`, isFloat, dialect)
        : `${aggregate.toUpperCase()}(${row(scope)})`,
    row,
    column: attribute,
    alias: aliasOf(headingOf(name, attribute)),
    title: name,
    ...given({ unit: attribute.unit }),
    role: roleOf(attribute),
    source: nameOf(attribute),
  }
}

/** Of rows that have both dates; the day after is one day. */
function daysFigure(context: PlanContext, { aggregate, from, to, home }: Extract<Measure, { kind: 'days' }>): Figure {
  context.assumptions.add(`days are counted by the calendar, for each of the ${home.nouns} that have both dates`)
  const row = (scope: Scope): string => {
    const [start, end] = [from, to].map((a) =>
      attributeRef(scope, scope.reach(scope.base, choosePath(home, a.entity, context.hints) ?? []), a),
    ) as [string, string]
    return daysBetween(start, end, context.catalogue.dialect)
  }
  const title = `${AGGREGATE_NAMES[aggregate]} number of days from ${from.words.join(' ')} to ${to.words.join(' ')}`
  return {
    base: home,
    row,
    sql: (scope) => `${aggregate.toUpperCase()}(${row(scope)})`,
    alias: aliasOf(`${AGGREGATE_NAMES[aggregate]} days`),
    title,
    role: 'number',
    source: `${nameOf(from)} and ${nameOf(to)}`,
  }
}

/**
 * The first figure whose rows each belong to one group and can be filtered directly. A sum over a table whose rows fall into
 * several groups would add the same row up several times: that is refused, unless a linking table says that they do.
 */
function choose({ context, dimensions, conditions }: Asked, figures: readonly Figure[], what: string): Figure {
  const grouped = figures.filter((f) => dimensions.every((d) => reach(context, f, d) === 'once'))
  const direct = grouped.find((f) => conditions.every((c) => isDirectSafely(context, f.base, c)))
  const chosen = direct ?? grouped.at(-1)
  if (chosen !== undefined) {
    if (chosen !== figures[0] && figures[0] !== undefined)
      context.assumptions.add(`the ${what} is ${chosen.source}, since ${figures[0].source} cannot be split that far`)
    if (chosen.source.includes('discounts')) context.assumptions.add('amounts are before discounts')
    return chosen
  }
  const linked = figures.find((f) => dimensions.every((d) => reach(context, f, d) !== 'no'))
  const [first] = figures
  if (linked !== undefined) {
    context.assumptions.add(
      `what belongs to several groups counts in each of them, so the groups add up to more than the whole`,
    )
    return linked
  }
  const names = dimensions.map((d) =>
    d.kind === 'entity' ? d.entity.noun : d.kind === 'grain' ? d.grain : d.match.text,
  )
  return refuse(
    `I cannot break ${first?.source ?? what} down by ${listed(names, 'and')} without counting rows more than once or guessing how they belong together.`,
  )
}

function isDirectSafely(context: PlanContext, base: Entity, condition: Condition): boolean {
  try {
    return isDirect(context, base, condition)
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

function reach(context: PlanContext, figure: Figure, dimension: Dimension): 'once' | 'linked' | 'no' {
  if (dimension.kind === 'grain') {
    resolveDate({ ...context, assumptions: new Set() }, {}, figure.base)
    return 'once'
  }
  const target =
    dimension.kind === 'entity' ? dimension.entity : canResolve(context, dimension.match, figure.base)?.entity
  if (target === undefined) return 'no'
  const path = choosePath(figure.base, target, context.hints, dimension.kind === 'entity' ? dimension.via : undefined)
  if (path === undefined) return 'no'
  if (isToOne(path)) return 'once'
  return isLinkedOnce(path) ? 'linked' : 'no'
}
