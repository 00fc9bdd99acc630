import { uniqueNames } from '../../core/table.ts'
import type { Entity } from '../../terms/catalogue.ts'
import { quoteName } from '../../terms/dialect.ts'
import { describeConditions } from './explain.ts'
import { planFigure } from './figures.ts'
import { answerColumn, type Figure } from './figure.ts'
import { rowsOf, type Group } from './groups.ts'
import type { Planned } from './planned.ts'
import type { Dimension, Reading } from '../reading.ts'
import { listed, refuse } from '../refusal.ts'
import { fromOf, type PlanContext } from './scope.ts'
import { printRanked, printSelect } from './select.ts'
import { sameWord } from '../../terms/words.ts'

interface Order {
  readonly direction: 'asc' | 'desc'
  readonly limit: number
  /** How many of the leading breakdowns the ranking starts anew in. */
  readonly within?: number
}

/** A figure for each group; with an order it is a ranking. */
export function planGrouped(
  context: PlanContext,
  reading: Reading,
  figure: Figure,
  dimensions: readonly Dimension[],
  order?: Order,
): Planned {
  const { dialect } = context.catalogue
  const { scope, groups, where } = rowsOf({ context, dimensions, conditions: reading.conditions }, figure)
  const names = uniqueNames([...groups.map((g) => g.alias), figure.alias])
  const quoted = names.slice(0, -1).map((n) => quoteName(n, dialect))
  const figureName = quoteName(names.at(-1) ?? figure.alias, dialect)
  const columns = [
    ...groups.map((g, i) => ({ sql: g.sql, alias: quoteName(names[i] ?? g.alias, dialect) })),
    { sql: figure.sql(scope), alias: figureName },
  ]
  const ties = groups.flatMap((g, i) => [quoteName(names[i] ?? g.alias, dialect), ...g.groupBy.slice(0, 1)])
  const byTime = groups.filter((g) => g.isTime).map((g) => g.order ?? quoteName(g.alias, dialect))
  const direction = order?.direction ?? reading.sort?.direction ?? 'desc'
  const isTimeLine = order === undefined && reading.sort === undefined && byTime.length > 0
  const byGroup = order === undefined && sortsByGroup(context, reading, figure, groups)
  const firstName = quoteName(names[0] ?? figure.alias, dialect)
  const orderBy = byGroup
    ? [`${firstName} ${direction.toUpperCase()}`, ...ties.slice(1)]
    : isTimeLine
      ? [...byTime, ...ties.filter((t) => !byTime.includes(t))]
      : [`${figureName} ${direction.toUpperCase()}`, ...ties]
  const ranked =
    order !== undefined && figure.column?.column.nullable === true ? [`${figure.row?.(scope)} IS NOT NULL`] : []
  const select = {
    columns,
    ...fromOf(scope),
    where: [...where, ...ranked],
    groupBy: groups.flatMap((g) => g.groupBy),
  }
  const isOne = order !== undefined && isSingular(reading)
  const within = order?.within ?? 0
  const places = {
    within: groups.slice(0, within).flatMap((g) => g.groupBy),
    orderBy: [`${figure.sql(scope)} ${direction.toUpperCase()}`],
    places: order?.limit ?? 1,
    only: reading.place,
  } as const
  const sql =
    order !== undefined
      ? printRanked(
          select,
          places,
          [...quoted.slice(0, within), 'ranking_place', ...quoted.slice(within)],
          context.maxRows,
        )
      : printSelect({
          ...select,
          orderBy: [...new Set(orderBy)].filter(
            (o) => byTime.includes(o) || !/[( ]/.test(o.replace(/ (ASC|DESC)$/, '')),
          ),
          limit: reading.limit ?? context.maxRows,
        })
  const per = groups.map((g) => g.title).join(' and ')
  const kept =
    order === undefined
      ? ''
      : `, and keeps the ${order.limit === 1 ? '' : `${order.limit} `}${direction === 'desc' ? 'highest' : 'lowest'}`
  const tied = order === undefined ? '' : ', with all that are equal'
  const through = scope.joins.length > 0 ? ` (through ${throughTables(scope.joins, figure.base)})` : ''
  return {
    sql,
    shape: order === undefined ? 'grouped' : 'top',
    ...(isOne && within === 0 ? { isTied: true } : {}),
    ...(order !== undefined && !isOne && within === 0 ? { top: order.limit } : {}),
    ...(order !== undefined || reading.limit === undefined
      ? { list: { noun: 'row', nouns: 'rows', where: '', limit: context.maxRows } }
      : {}),
    explanation: `Computes the ${figure.title} from ${figure.source} for each ${per}${through}${describeConditions(reading.conditions)}${kept}${tied}.`,
    columns: [
      ...groups.map((g, i) => ({ name: names[i] ?? g.alias, role: 'label' as const, title: g.title })),
      answerColumn(figure, names.at(-1)),
    ],
  }
}

/** One figure without a breakdown. */
export function planSingle(context: PlanContext, reading: Reading, figure: Figure): Planned {
  if (reading.limit !== undefined || reading.sort !== undefined)
    return refuse('One figure cannot be sorted or cut to a number of rows. Please say what to break it down by.')
  const { scope, where } = rowsOf({ context, dimensions: [], conditions: reading.conditions }, figure)
  // The total of what lacks something may be of nothing at all.
  const isOfLack = reading.conditions.some((c) => c.kind === 'has' && c.negated)
  const plain = figure.sql(scope)
  const sql = isOfLack && /^\(?(?:ROUND\()?SUM\(/.test(plain) ? `COALESCE(${plain}, 0)` : plain
  const alias = quoteName(figure.alias, context.catalogue.dialect)
  return {
    sql: printSelect({ columns: [{ sql, alias }], ...fromOf(scope), where }),
    shape: figure.title.startsWith('number of') ? 'count' : 'aggregate',
    explanation: `Computes the ${figure.title} from ${figure.source}${describeConditions(reading.conditions)}.`,
    columns: [answerColumn(figure)],
  }
}

/** `which country …`: one is asked for, so all that share the first place are shown. */
export function isSingular(reading: Reading): boolean {
  return reading.limit === undefined && !reading.plural
}

/** A breakdown can be sorted by its figure or by what it is broken down by, and by nothing else. */
function sortsByGroup(context: PlanContext, reading: Reading, figure: Figure, groups: readonly Group[]): boolean {
  const titles = groups.map((g) => g.title)
  const { sort } = reading
  if (sort === undefined) return false
  if (sort.by.kind === 'measure') {
    const other = planFigure({ context, dimensions: [], conditions: reading.conditions }, sort.by.measure)
    const isSame = other.role === figure.role && other.alias === figure.alias
    if (!isSame && !(sort.by.measure.kind === 'money' && figure.role === 'money')) {
      refuse(`I cannot sort the ${figure.title} by the ${other.title}.`)
    }
    return false
  }
  const { text } = sort.by.match
  if (/^names?$/.test(text) || titles.some((t) => sameWord(t, text))) return true
  return refuse(`I can sort the ${figure.title} by itself or by ${listed(titles)}, not by ${text}.`)
}

function throughTables(joins: readonly string[], base: Entity): string {
  const tables = joins.map((j) => / JOIN (\S+)|^JOIN (\S+)/.exec(j)?.slice(1).find(Boolean) ?? '').filter(Boolean)
  return tables.filter((t) => t !== base.table.name).join(', ')
}
