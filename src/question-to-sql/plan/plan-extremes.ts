import { quoteName } from '../../terms/dialect.ts'
import { describeConditions } from './explain.ts'
import { aggregateFigure, columnOf, planFigure } from './figures.ts'
import { asMatch } from '../../terms/amounts.ts'
import { EXACT, type AttributeMatch } from '../../terms/names.ts'
import { forEach, labelsOf, planGroup } from './groups.ts'
import { isSingular, planGrouped, planSingle } from './plan-groups.ts'
import { listOf, ofEachRow, rowColumns } from './plan-rows.ts'
import { topLimit, type Planned } from './planned.ts'
import { predicates } from './predicates.ts'
import type { Direction, Reading } from '../reading.ts'
import { refuse } from '../refusal.ts'
import { canResolve, reachesOnce, resolveAttribute } from './resolve.ts'
import { fromOf, nameOf, openScope, type PlanContext } from './scope.ts'
import { printRanked } from './select.ts'
import { sameWord } from '../../terms/words.ts'

/** `the longest track`, `customers with the highest total`, `the highest price`. */
export function planAttributeRanking(
  context: PlanContext,
  reading: Reading,
  match: AttributeMatch,
  ranking: NonNullable<Reading['ranking']>,
): Planned {
  const { subject } = reading
  const aggregate = ranking.direction === 'desc' ? 'max' : 'min'
  if (subject === undefined) {
    if (reading.place !== undefined)
      return refuse('One place of a ranking can be asked for a thing, as in “the … with the second highest total”.')
    if (reading.limit !== undefined) return refuse(`The ${reading.limit} ${ranking.word} of what? Please name a table.`)
    const attribute = columnOf(context, match, reading)
    const figure = aggregateFigure(context, aggregate, attribute)
    if (reading.groups.length > 0) return planGrouped(context, reading, figure, reading.groups)
    return planSingle(context, reading, figure)
  }
  if (subject.kind !== 'entity') return rankTotals(context, reading, match, ranking.direction)
  const { entity } = subject
  const own = canResolve(context, match, entity)
  if (own === undefined || !reachesOnce(entity, own.entity, context.hints))
    return rankTotals(context, reading, match, ranking.direction)
  const scope = openScope(context, entity)
  const attribute = resolveAttribute(context, match, entity)
  const column = ofEachRow(scope, attribute)
  const where = predicates(scope, reading.conditions)
  const columns = rowColumns(scope, {
    ...reading,
    selected: [asMatch(attribute, attribute.words.join(' '), EXACT), ...reading.selected],
  })
  const present = attribute.column.nullable ? [`${column} IS NOT NULL`] : []
  const limit = topLimit(context, reading)
  const isOne = isSingular(reading)
  const groups = reading.groups.map((g) => planGroup(scope, g))
  const shown = [
    ...groups.map((g) => ({ sql: g.sql, alias: quoteName(g.alias, context.catalogue.dialect) })),
    ...columns,
  ]
  const select = { columns: shown, ...fromOf(scope), where: [...where, ...present] }
  const orderBy = [`${column} ${ranking.direction.toUpperCase()}`]
  const places = { within: groups.flatMap((g) => g.groupBy), orderBy, places: limit, only: reading.place }
  const [label, ...kinds] = [columns[0], ...shown.slice(0, groups.length)].map((c) => c?.alias ?? '')
  const inOrder = [...kinds, 'ranking_place', label ?? '']
  return {
    sql: printRanked(select, places, inOrder, context.maxRows),
    shape: 'top',
    explanation: `Lists the ${limit === 1 ? entity.noun : `${limit} ${entity.nouns}`} with the ${ranking.direction === 'desc' ? 'highest' : 'lowest'} ${nameOf(attribute)}${describeConditions(reading.conditions)}${forEach(groups)}, with all that are equal.`,
    ...(groups.length > 0 ? {} : isOne ? { isTied: true } : { top: limit }),
    list: listOf(entity.noun, entity.nouns, reading, isOne ? context.maxRows : undefined),
    columns: [...labelsOf(groups), ...columns.map((c) => c.answer)],
  }
}

/** A total of sales adds up over its customers; any other column of children does not say how to be combined. */
function rankTotals(context: PlanContext, reading: Reading, match: AttributeMatch, direction: Direction): Planned {
  const { subject } = reading
  const total = context.sales.header?.total
  const isTotal =
    total !== undefined &&
    match.candidates.some((c) => c.attribute === total) &&
    match.text.split(' ').some((w) => sameWord(w, 'total') || sameWord(w, 'amount'))
  if (!isTotal || subject === undefined)
    return refuse(
      `There can be many values of “${match.text}” for each one. Please say whether you want their total, average, highest or lowest.`,
    )
  context.assumptions.add(`“${match.text}” is added up over ${total.entity.nouns}`)
  const each = [...reading.groups, subject]
  const asked = { context, dimensions: each, conditions: reading.conditions }
  const figure = planFigure(asked, { kind: 'money', aggregate: 'sum', word: 'total' })
  const order = { direction, limit: topLimit(context, reading), within: reading.groups.length }
  return planGrouped(context, reading, figure, each, order)
}
