import type { Sales } from '../../terms/sales.ts'
import { quoteName } from '../../terms/dialect.ts'
import { describeConditions } from './explain.ts'
import { planFigure } from './figures.ts'
import { answerColumn } from './figure.ts'
import { forEach, labelsOf, rowsOf, type Group } from './groups.ts'
import type { Planned } from './planned.ts'
import type { Dimension, Direction, Measure, Reading } from '../reading.ts'
import { refuse } from '../refusal.ts'
import { aliasOf, fromOf, type PlanContext } from './scope.ts'
import { isSingular } from './plan-groups.ts'
import { indent, printRanked, printSelect, type Select } from './select.ts'

type Average = Extract<Measure, { kind: 'average' }>

/** The average or the median of a figure that is first computed for each order, customer or month, or that rows hold. */
export function planAverage(
  context: PlanContext,
  reading: Reading,
  measure: Average,
  dimensions: readonly Dimension[],
  order?: { readonly direction: Direction; readonly limit: number },
): Planned {
  if (reading.sort !== undefined || reading.selected.length > 0)
    return refuse('An average over groups can be broken down, and neither sorted nor shown beside columns.')
  const { dialect } = context.catalogue
  const { of, per, isMedian = false } = measure
  const grouping = per === undefined ? dimensions : [per, ...dimensions]
  const asked = { context, dimensions: grouping, conditions: reading.conditions }
  const figure = planFigure(asked, of)
  if (per === undefined && figure.row === undefined) return refuse(`I cannot compute the median of ${figure.source}.`)
  if (of.kind === 'count' && per?.kind === 'entity' && of.entity === per.entity)
    return refuse(`I cannot average the number of ${per.entity.nouns} for each ${per.entity.noun}.`)
  const { scope, groups: all, where } = rowsOf(asked, figure)
  const groups = all.slice(all.length - dimensions.length)
  const perGroup = per === undefined ? undefined : all[0]
  if (perGroup === undefined && scope.fansOut)
    return refuse(`Rows of ${figure.base.table.name} would count several times; please ask without that condition.`)
  const keys = groups.map((g, i) => ({ sql: g.groupBy[0] ?? g.sql, alias: `key_${i + 1}` }))
  const labels = groups.map((g, i) => ({ sql: g.sql, alias: `label_${i + 1}` }))
  const each = per === undefined ? (figure.row?.(scope) ?? '') : figure.sql(scope)
  const inner = printSelect({
    columns: [...keys, ...labels, { sql: each, alias: 'figure' }],
    ...fromOf(scope),
    where,
    groupBy: perGroup === undefined ? [] : all.flatMap((g) => g.groupBy),
  })
  const title = titleOf(context.sales, measure, figure.title, perGroup)
  const alias = aliasOf(title)
  const shown = groups.map((g, i) => ({ sql: `each_one.label_${i + 1}`, alias: quoteName(g.alias, dialect) }))
  const isTimeLine = order === undefined && groups.some((g) => g.isTime)
  const byLabel = shown.map((s) => s.alias)
  const direction = (order?.direction ?? 'desc').toUpperCase()
  const select = {
    columns: [...shown, { sql: 'AVG(each_one.figure)', alias }],
    ...(isMedian
      ? middleOf(
          inner,
          [...keys, ...labels].map((c) => c.alias),
        )
      : { from: `(\n${indent(inner)}\n  ) AS each_one` }),
    groupBy: groups.flatMap((_, i) => [`each_one.key_${i + 1}`, `each_one.label_${i + 1}`]),
  }
  const rank = { orderBy: [`AVG(each_one.figure) ${direction}`], places: order?.limit, only: reading.place } as const
  const orderBy = groups.length === 0 ? [] : isTimeLine ? byLabel : [`${alias} ${direction}`, ...byLabel]
  const limit = groups.length === 0 ? {} : { limit: reading.limit ?? context.maxRows }
  const sql =
    order === undefined
      ? printSelect({ ...select, orderBy, ...limit })
      : printRanked(select, rank, ['ranking_place', ...byLabel], context.maxRows)
  const what = isMedian ? 'median' : 'average'
  const some = per?.kind === 'entity' ? per.entity.nouns : `${perGroup?.title}s`
  // Every order has lines; of what else there is, many may have none.
  const { header, line } = context.sales
  const isOfEach =
    per?.kind === 'entity' && per.entity === header?.entity && [header, line].some((s) => s?.entity === figure.base)
  if (perGroup !== undefined && !isOfEach) context.assumptions.add(`${some} without any do not count in the ${what}`)
  const computed = perGroup === undefined ? `the ${title} from` : `the ${figure.title} of each ${perGroup.title} from`
  const then = perGroup === undefined ? '' : `, and the ${what} of that`
  return {
    sql,
    shape: order === undefined ? (groups.length === 0 ? 'aggregate' : 'grouped') : 'top',
    explanation: `Computes ${computed} ${figure.source}${then}${forEach(groups)}${describeConditions(reading.conditions)}.`,
    ...(order === undefined ? {} : isSingular(reading) ? { isTied: true } : { top: order.limit }),
    columns: [...labelsOf(groups), answerColumn({ ...figure, title }, alias)],
  }
}

/** The rows in the middle, of each group: one of an odd number, two of an even one. Rows without a figure have no place. */
function middleOf(inner: string, keys: readonly string[]): Pick<Select, 'from' | 'where'> {
  const within = keys.length === 0 ? '' : `PARTITION BY ${keys.join(', ')}`
  const placed = printSelect({
    columns: [
      ...[...keys, 'figure'].map((sql) => ({ sql })),
      { sql: `ROW_NUMBER() OVER (${within} ORDER BY figure)`, alias: 'place' },
      { sql: `COUNT(*) OVER (${within})`, alias: 'places' },
    ],
    from: `(\n${indent(inner)}\n  ) AS figures`,
    where: ['figure IS NOT NULL'],
  })
  return {
    from: `(\n${indent(placed)}\n  ) AS each_one`,
    where: ['2 * each_one.place BETWEEN each_one.places AND each_one.places + 2'],
  }
}

function titleOf({ header }: Sales, { of, per, isMedian }: Average, title: string, each: Group | undefined): string {
  const what = isMedian === true ? 'median' : 'average'
  if (each === undefined) return title.replace(/^average/, what)
  const isValue = of.kind === 'money' && per?.kind === 'entity' && per.entity === header?.entity
  return isValue ? `${what} ${each.title} value` : `${what} ${title} per ${each.title}`
}
