import { isDate } from '../../terms/catalogue.ts'
import { GRAINS } from '../words/lexicon.ts'
import { truncateDate, weekdayNumber } from '../../terms/dialect.ts'
import { isNameOnly, predicates } from './predicates.ts'
import { placeOf } from './semi-join.ts'
import type { Dimension } from '../reading.ts'
import type { AnswerColumn } from '../types.ts'
import { figureWhere, type Figure } from './figure.ts'
import { resolveAttribute, resolveDate } from './resolve.ts'
import { aliasOf, attributeRef, keyRef, labelRef, openScope, type Asked, type Scope } from './scope.ts'

/** One breakdown as SQL: what is shown, and what rows are grouped by. */
export interface Group {
  readonly sql: string
  readonly alias: string
  readonly groupBy: readonly string[]
  /** Rows that have no value here belong to no group. */
  readonly notNull?: string
  readonly title: string
  readonly isTime: boolean
  /** What sorts the groups in order of time, where their names do not. */
  readonly order?: string
}

/** Joins what a breakdown needs. */
export function planGroup(scope: Scope, dimension: Dimension): Group {
  const { context, base } = scope
  context.grouped.add(dimension)
  if (dimension.kind === 'grain') {
    const date = resolveDate(context, {}, base.entity)
    const column = attributeRef(scope, placeOf(scope, base, date.entity), date)
    const sql = truncateDate(column, dimension.grain, context.catalogue.dialect)
    const notNull = date.column.nullable ? { notNull: `${column} IS NOT NULL` } : {}
    const isWeekday = dimension.grain === 'weekday'
    const order = isWeekday ? { order: `MIN(${weekdayNumber(column, context.catalogue.dialect)})` } : {}
    return { sql, alias: dimension.grain, groupBy: [sql], title: dimension.grain, isTime: true, ...notNull, ...order }
  }
  if (dimension.kind === 'attribute') {
    const owner = dimension.match.owner
    if (owner !== undefined && isNameOnly(dimension.match.text, owner))
      return planGroup(scope, { kind: 'entity', entity: owner })
    const attribute = resolveAttribute(context, dimension.match, base.entity)
    const sql = attributeRef(scope, placeOf(scope, base, attribute.entity), attribute)
    const title = attribute.words.join(' ')
    return {
      sql,
      alias: aliasOf(title),
      groupBy: [sql],
      title,
      isTime: isDate(attribute) && GRAINS[attribute.words.at(-1) ?? ''] !== undefined,
    }
  }
  const { entity, via } = dimension
  const place = placeOf(scope, base, entity, via)
  const sql = labelRef(scope, place)
  const keys = entity.keys.length === 1 ? [keyRef(scope, place)] : []
  const shown = entity.label.map((a) => attributeRef(scope, place, a))
  const title = via === undefined ? entity.noun : via.role.join(' ')
  return {
    sql,
    alias: aliasOf(title),
    groupBy: [...keys, ...(shown.length > 0 ? shown : [sql])],
    title,
    isTime: false,
  }
}

export interface Rows {
  readonly scope: Scope
  readonly groups: readonly Group[]
  readonly where: readonly string[]
}

/** The rows that a figure is computed over, and what they are broken down by. */
export function rowsOf({ context, dimensions, conditions }: Asked, figure: Figure): Rows {
  const scope = openScope(context, figure.base)
  const groups = dimensions.map((d) => planGroup(scope, d))
  const present = groups.flatMap(({ notNull }) => notNull ?? [])
  return { scope, groups, where: [...predicates(scope, conditions), ...figureWhere(figure, scope), ...present] }
}

/** ` for each country and year`; empty without groups. */
export function forEach(groups: readonly Group[]): string {
  return groups.length === 0 ? '' : ` for each ${groups.map((g) => g.title).join(' and ')}`
}

/** How the groups are spoken of in an answer. */
export function labelsOf(groups: readonly Group[]): AnswerColumn[] {
  return groups.map((g) => ({ name: g.alias, role: 'label', title: g.title }))
}
