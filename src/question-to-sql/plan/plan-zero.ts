import type { Entity } from '../../terms/catalogue.ts'
import { choosePath } from './choose-path.ts'
import { quoteName } from '../../terms/dialect.ts'
import { describeConditions } from './explain.ts'
import { answerColumn, figureWhere, type Figure } from './figure.ts'
import { planGroup } from './groups.ts'
import type { Planned } from './planned.ts'
import { predicates } from './predicates.ts'
import type { Condition, Dimension, Direction, Reading } from '../reading.ts'
import { resolveDate, resolveValue } from './resolve.ts'
import { aliasOf, fromOf, keyRef, labelRef, openScope, type PlanContext } from './scope.ts'
import { isSingular } from './plan-groups.ts'
import { indent, printRanked, printSelect } from './select.ts'

/**
 * Counts and sums of each one, where those that have none at all must not fall out of the join.
 * @param kept how many of the lowest or highest are kept; all, the highest first, when absent
 */
export function planWithZero(
  context: PlanContext,
  reading: Reading,
  figure: Figure,
  subject: Extract<Dimension, { kind: 'entity' }>,
  kept?: { readonly limit: number; readonly direction: Direction },
): Planned {
  const { dialect } = context.catalogue
  const quiet = { ...context, assumptions: new Set<string>() }
  // What is said of the figure's rows in a ranking of the highest is said of them here: when they were, and where.
  const isOfSubject = (entity: Entity | undefined): boolean =>
    entity === subject.entity ||
    (entity !== undefined &&
      choosePath(figure.base, entity, context.hints)?.some(({ to }) => to === subject.entity) === true)
  const isOwn = (c: Condition): boolean => {
    if (c.kind === 'date') return isOfSubject(resolveDate(quiet, c, figure.base).entity)
    if (c.kind !== 'value' || !isOfSubject(c.anchor)) return isOfSubject(c.anchor)
    const [ofFigure, ofSubject] = [figure.base, subject.entity].map((e) => resolveValue(quiet, c, e).attribute)
    return ofFigure === ofSubject
  }
  const inner = openScope(context, figure.base)
  const group = planGroup(inner, subject)
  const innerWhere = predicates(
    inner,
    reading.conditions.filter((c) => !isOwn(c)),
  )
  const key = group.groupBy[0] ?? group.sql
  const totals = printSelect({
    columns: [
      { sql: key, alias: 'id' },
      { sql: figure.sql(inner), alias: 'figure' },
    ],
    ...fromOf(inner),
    where: [...innerWhere, ...figureWhere(figure, inner)],
    groupBy: [key],
  })
  const outer = openScope(context, subject.entity)
  const where = predicates(outer, reading.conditions.filter(isOwn))
  const names = [aliasOf(subject.entity.noun), figure.alias] as const
  const id = keyRef(outer, outer.base)
  const [label, value] = names.map((n) => quoteName(n, dialect))
  const select = {
    columns: [
      { sql: labelRef(outer, outer.base), alias: label ?? names[0] },
      { sql: 'COALESCE(totals.figure, 0)', alias: value ?? names[1] },
    ],
    from: outer.from,
    joins: [...outer.joins, `LEFT JOIN (\n${indent(totals)}\n  ) AS totals ON totals.id = ${id}`],
    where,
  }
  const isOne = kept !== undefined && isSingular(reading)
  const limit = kept?.limit ?? context.maxRows
  const direction = kept?.direction ?? 'desc'
  const orderBy = [`COALESCE(totals.figure, 0) ${direction.toUpperCase()}`]
  const places = { orderBy, places: limit, only: reading.place } as const
  const sql =
    kept === undefined
      ? printSelect({ ...select, orderBy: [`${value} DESC`, label ?? names[0], id], limit })
      : printRanked(select, places, ['ranking_place', label ?? names[0]], context.maxRows)
  context.assumptions.add(`${subject.entity.nouns} with none count as zero`)
  return {
    sql,
    shape: kept === undefined ? 'grouped' : 'top',
    ...(kept === undefined ? {} : isOne ? { isTied: true } : { top: limit }),
    ...(kept === undefined ? { list: { noun: 'row', nouns: 'rows', where: '', limit } } : {}),
    explanation: `Computes the ${figure.title} from ${figure.source} for each ${subject.entity.noun}, counting those without any as zero${describeConditions(reading.conditions)}${kept === undefined ? '' : `, and keeps the ${limit === 1 ? '' : `${limit} `}${direction === 'desc' ? 'highest' : 'lowest'}, with all that are equal`}.`,
    columns: [{ name: names[0], role: 'label', title: subject.entity.noun }, answerColumn(figure, names[1])],
  }
}
