import type { Sales } from '../../terms/sales.ts'
import { quoteName } from './dialect.ts'
import { describeConditions } from '../say/explain.ts'
import { planFigure } from './figures.ts'
import { answerColumn } from './figure.ts'
import { forEach, labelsOf, rowsOf, type Group } from './groups.ts'
import type { Planned } from './planned.ts'
import type { Dimension, Direction, Measure, Reading } from '../reading.ts'
import { refuse } from '../refusal.ts'
import type { PlanContext } from './scope.ts'
import { aliasOf, fromOf } from './scope.ts'
import { isSingular } from './plan-groups.ts'
import { indent, printRanked, printSelect } from './select.ts'

/** The average of a figure that is first computed for each order, customer or month. */
export function planAverage(
  context: PlanContext,
  reading: Reading,
  measure: Extract<Measure, { kind: 'average' }>,
  dimensions: readonly Dimension[],
  order?: { readonly direction: Direction; readonly limit: number },
): Planned {
  if (reading.sort !== undefined || reading.selected.length > 0)
    return refuse('An average over groups can be broken down, and neither sorted nor shown beside columns.')
  const { dialect } = context.catalogue
  const { of, per } = measure
  const figure = planFigure(context, of, [per, ...dimensions], reading.conditions)
  if (of.kind === 'count' && per.kind === 'entity' && of.entity === per.entity)
    return refuse(`I cannot average the number of ${per.entity.nouns} for each ${per.entity.noun}.`)
  const { scope, groups: all, where } = rowsOf(context, figure, [per, ...dimensions], reading.conditions)
  const [each, ...groups] = all as [Group, ...Group[]]
  const keys = groups.map((g, i) => ({ sql: g.groupBy[0] ?? g.sql, alias: `key_${i + 1}` }))
  const labels = groups.map((g, i) => ({ sql: g.sql, alias: `label_${i + 1}` }))
  const inner = printSelect({
    columns: [...keys, ...labels, { sql: figure.sql(scope), alias: 'figure' }],
    ...fromOf(scope),
    where,
    groupBy: [each, ...groups].flatMap((g) => g.groupBy),
  })
  const title = titleOf(context.sales, measure, figure.title, each)
  const alias = aliasOf(title)
  const shown = groups.map((g, i) => ({ sql: `each_one.label_${i + 1}`, alias: quoteName(g.alias, dialect) }))
  const isTimeLine = order === undefined && groups.some((g) => g.isTime)
  const byLabel = shown.map((s) => s.alias)
  const direction = (order?.direction ?? 'desc').toUpperCase()
  const select = {
    columns: [...shown, { sql: 'AVG(each_one.figure)', alias }],
    from: `(\n${indent(inner)}\n  ) AS each_one`,
    groupBy: groups.flatMap((_, i) => [`each_one.key_${i + 1}`, `each_one.label_${i + 1}`]),
  }
  const rank = {
    by: 'RANK',
    within: [],
    orderBy: [`AVG(each_one.figure) ${direction}`],
    places: 1,
    only: reading.place,
  } as const
  const orderBy = groups.length === 0 ? [] : isTimeLine ? byLabel : [`${alias} ${direction}`, ...byLabel]
  const limit = groups.length === 0 ? {} : { limit: order?.limit ?? reading.limit ?? context.maxRows }
  const isOne = order !== undefined && isSingular(reading)
  const sql = isOne
    ? printRanked(select, rank, byLabel, context.maxRows)
    : printSelect({ ...select, orderBy, ...limit })
  const some = per.kind === 'entity' ? per.entity.nouns : `${each.title}s`
  if (!(per.kind === 'entity' && per.entity === context.sales.header?.entity))
    context.assumptions.add(`${some} without any do not count in the average`)
  return {
    sql,
    shape: order === undefined ? (groups.length === 0 ? 'aggregate' : 'grouped') : 'top',
    explanation: `Computes the ${figure.title} of each ${each.title} from ${figure.source}, and the average of that${forEach(groups)}${describeConditions(reading.conditions)}.`,
    ...(isOne ? { isTied: true } : {}),
    columns: [...labelsOf(groups), answerColumn({ ...figure, title }, alias)],
  }
}

function titleOf(
  { header }: Sales,
  measure: Extract<Measure, { kind: 'average' }>,
  title: string,
  each: Group,
): string {
  return measure.of.kind === 'money' && measure.per.kind === 'entity' && measure.per.entity === header?.entity
    ? `average ${each.title} value`
    : `average ${title} per ${each.title}`
}
