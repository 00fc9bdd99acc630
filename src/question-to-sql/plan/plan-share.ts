import { quoteName, roundMoney } from '../../terms/dialect.ts'
import { describeConditions } from '../say/explain.ts'
import { planFigure } from './figures.ts'
import { figureWhere } from './figure.ts'
import { labelsOf, rowsOf } from './groups.ts'
import type { Planned } from './planned.ts'
import { predicates } from './predicates.ts'
import type { Measure, Reading } from '../reading.ts'
import { refuse } from '../refusal.ts'
import { openScope, fromOf } from './scope.ts'
import type { PlanContext } from './scope.ts'
import { printSelect } from './select.ts'
import { keyRef } from './scope.ts'

/** `percentage of customers in Brazil`, `share of revenue by genre`. */
export function planShare(context: PlanContext, reading: Reading): Planned {
  const measure = wholeOf(reading)
  if (reading.ranking !== undefined || reading.selected.length > 0 || reading.limit !== undefined)
    return refuse('I cannot rank or list shares. Please ask for the share per group.')
  return reading.groups.length > 0 ? groupedShare(context, reading, measure) : partOfWhole(context, reading, measure)
}

function wholeOf(reading: Reading): Measure {
  const [measure] = reading.measures
  if (
    measure !== undefined &&
    reading.measures.length === 1 &&
    (measure.kind === 'money' || measure.kind === 'units' || measure.kind === 'metric')
  )
    return measure
  if (reading.counted?.kind === 'entity' && reading.measures.length === 0)
    return { kind: 'count', entity: reading.counted.entity }
  return refuse('I do not see what the share is of. Please ask for the share of a number of rows or of revenue.')
}

function groupedShare(context: PlanContext, reading: Reading, measure: Measure): Planned {
  const { dialect } = context.catalogue
  const figure = planFigure(context, measure, reading.groups, reading.conditions)
  const { scope, groups, where } = rowsOf(context, figure, reading.groups, reading.conditions)
  if (scope.fansOut) return refuse('These groups overlap, so their shares would not add up to 100 percent.')
  const sum = figure.row === undefined ? 'COUNT(*)' : `SUM(${figure.row(scope)})`
  const sql = printSelect({
    columns: [
      ...groups.map((g) => ({ sql: g.sql, alias: quoteName(g.alias, dialect) })),
      {
        sql: roundMoney(`100.0 * ${sum} / NULLIF(SUM(${sum}) OVER (), 0)`, true, dialect),
        alias: 'percentage',
      },
    ],
    ...fromOf(scope),
    where,
    groupBy: groups.flatMap((g) => g.groupBy),
    orderBy: ['percentage DESC', ...groups.map((g) => quoteName(g.alias, dialect))],
    limit: context.maxRows,
  })
  return {
    sql,
    shape: 'share',
    explanation: `Computes what percentage of the ${figure.title} falls to each ${groups.map((g) => g.title).join(' and ')}, from ${figure.source}${describeConditions(reading.conditions)}.`,
    columns: [
      ...labelsOf(groups),
      { name: 'percentage', role: 'percent', title: `share of ${figure.title.replace(/^number of /, '')}` },
    ],
  }
}

/** “percentage of delivered orders in Ireland”: what stands before the noun says which orders are the whole. */
function splitOf({ shareFrom, shareNoun = 0, conditions }: Reading): number {
  return shareFrom ?? (shareNoun < conditions.length ? shareNoun : 0)
}

function partOfWhole(context: PlanContext, reading: Reading, measure: Measure): Planned {
  const split = splitOf(reading)
  const [given, part] = [reading.conditions.slice(0, split), reading.conditions.slice(split)]
  if (part.length === 0)
    return refuse('I do not see which part the share is of. Please say for example “that are in Brazil”.')
  const figure = planFigure(context, measure, [], reading.conditions)
  const scope = openScope(context, figure.base, { keepAll: true })
  const where = [...predicates(scope, given), ...figureWhere(figure, scope)]
  const tests = predicates(scope, part)
  if (tests.length === 0) return refuse('Every row fulfils the condition of the share; please be more particular.')
  const value = figure.row?.(scope)
  const chosen = `CASE WHEN ${tests.join(' AND ')} THEN ${value ?? '1'} END`
  const key = scope.base.entity.keys.length === 1 ? keyRef(scope, scope.base) : '*'
  const ratio =
    value === undefined
      ? `100.0 * COUNT(${chosen}) / NULLIF(COUNT(${key}), 0)`
      : `100.0 * SUM(${chosen}) / NULLIF(SUM(${value}), 0)`
  const sql = printSelect({
    columns: [{ sql: roundMoney(ratio, true, context.catalogue.dialect), alias: 'percentage' }],
    ...fromOf(scope),
    where,
  })
  const whole = `the ${figure.title}${describeConditions(given)}`
  return {
    sql,
    shape: 'share',
    explanation: `Computes what percentage of ${whole} there is${describeConditions(part)}, from ${figure.source}.`,
    columns: [
      {
        name: 'percentage',
        role: 'percent',
        title: `share of ${spoken(whole.replace(/^the (number of )?/, ''))}${spoken(describeConditions(part))}`,
      },
    ],
  }
}

/** Conditions in the middle of a sentence. */
function spoken(text: string): string {
  return text.replace(', ', ' ')
}
