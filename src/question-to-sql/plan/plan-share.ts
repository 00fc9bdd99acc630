import { quoteName, roundMoney } from '../../terms/dialect.ts'
import { describeConditions, ofThings } from './explain.ts'
import { planFigure } from './figures.ts'
import { figureWhere } from './figure.ts'
import { forEach, labelsOf, planGroup, rowsOf, type Rows } from './groups.ts'
import type { Planned } from './planned.ts'
import { predicates } from './predicates.ts'
import type { Condition, Measure, Reading } from '../reading.ts'
import { refuse } from '../refusal.ts'
import { fromOf, keyRef, openScope, type PlanContext } from './scope.ts'
import { printSelect } from './select.ts'

/** `percentage of customers in Brazil`, `share of revenue by genre`. */
export function planShare(context: PlanContext, reading: Reading): Planned {
  const measure = wholeOf(reading)
  if (reading.ranking !== undefined || reading.selected.length > 0 || reading.limit !== undefined)
    return refuse('I cannot rank or list shares. Please ask for the share per group.')
  const parts = reading.groups.length > 0 ? partInGroups(reading, measure) : partOf(reading)
  if (reading.groups.length > 0 && parts.part.length === 0) return groupedShare(context, reading, measure)
  return partOfWhole(context, reading, measure, parts)
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
  const asked = { context, dimensions: reading.groups, conditions: reading.conditions }
  const figure = planFigure(asked, measure)
  const rows = rowsOf(asked, figure)
  if (rows.scope.fansOut) return refuse('These groups overlap, so their shares would not add up to 100 percent.')
  const sum = figure.row === undefined ? 'COUNT(*)' : `SUM(${figure.row(rows.scope)})`
  const said = describeConditions(reading.conditions)
  return percentage(
    rows,
    `100.0 * ${sum} / NULLIF(SUM(${sum}) OVER (), 0)`,
    `${figure.title.replace(/^number of /, '')}${spoken(said)}`,
    `the ${figure.title} falls to each ${rows.groups.map((g) => g.title).join(' and ')}, from ${figure.source}${said}`,
  )
}

/** @param of what the share is of, @param computed the same in the explanation */
function percentage({ scope, groups, where }: Rows, ratio: string, of: string, computed: string): Planned {
  const { catalogue, maxRows } = scope.context
  const labels = groups.map((g) => quoteName(g.alias, catalogue.dialect))
  const sql = printSelect({
    columns: [
      ...groups.map((g, i) => ({ sql: g.sql, alias: labels[i] ?? '' })),
      { sql: roundMoney(ratio, true, catalogue.dialect), alias: 'percentage' },
    ],
    ...fromOf(scope),
    where,
    groupBy: groups.flatMap((g) => g.groupBy),
    ...(groups.length === 0 ? {} : { orderBy: ['percentage DESC', ...labels], limit: maxRows }),
  })
  return {
    sql,
    shape: 'share',
    explanation: `Computes what percentage of ${computed}.`,
    columns: [...labelsOf(groups), { name: 'percentage', role: 'percent', title: `share of ${of}` }],
  }
}

interface Parts {
  /** What holds of the whole. */
  readonly given: readonly Condition[]
  readonly part: readonly Condition[]
}

/** “percentage of delivered orders in Ireland”: what stands before the noun says which orders are the whole. */
function partOf({ shareFrom, shareNoun = 0, conditions }: Reading): Parts {
  const split = shareFrom ?? (shareNoun < conditions.length ? shareNoun : 0)
  return { given: conditions.slice(0, split), part: conditions.slice(split) }
}

/** “share of cancelled orders by channel”: of all orders of each channel, unless it is the share of each among the cancelled. */
function partInGroups({ shareFrom, shareNoun = 0, conditions, isAmong }: Reading, measure: Measure): Parts {
  if (isAmong === true || (measure.kind !== 'count' && shareFrom === undefined)) return { given: conditions, part: [] }
  const isTime = (c: Condition): boolean => c.kind === 'date'
  const [before, after] = [conditions.slice(0, shareFrom ?? shareNoun), conditions.slice(shareFrom ?? shareNoun)].map(
    (some) => some.filter((c) => !isTime(c)),
  ) as [Condition[], Condition[]]
  if (shareFrom === undefined && before.length > 0 && after.length > 0)
    return refuse('I do not see what the share is of. Please say which are the whole, as in “share of … that are …”.')
  const part = shareFrom === undefined && after.length === 0 ? before : after
  return { given: conditions.filter((c) => !part.includes(c)), part }
}

function partOfWhole(context: PlanContext, reading: Reading, measure: Measure, { given, part }: Parts): Planned {
  if (part.length === 0)
    return refuse('I do not see which part the share is of. Please say for example “that are in Brazil”.')
  const figure = planFigure({ context, dimensions: reading.groups, conditions: reading.conditions }, measure)
  const scope = openScope(context, figure.base, { keepAll: true })
  const groups = reading.groups.map((d) => planGroup(scope, d))
  const present = groups.flatMap(({ notNull }) => notNull ?? [])
  const where = [...predicates(scope, given), ...figureWhere(figure, scope), ...present]
  const tests = predicates(scope, part)
  if (tests.length === 0) return refuse('Every row fulfils the condition of the share; please be more particular.')
  if (groups.length > 0 && scope.fansOut)
    return refuse('These groups overlap, so a row would count in several of them.')
  const value = figure.row?.(scope)
  const chosen = `CASE WHEN ${tests.join(' AND ')} THEN ${value ?? '1'} END`
  const key = scope.base.entity.keys.length === 1 ? keyRef(scope, scope.base) : '*'
  const ratio =
    value === undefined
      ? `100.0 * COUNT(${chosen}) / NULLIF(COUNT(${key}), 0)`
      : `100.0 * SUM(${chosen}) / NULLIF(SUM(${value}), 0)`
  const whole = `${figure.title}${describeConditions(given)}`
  const [things = '', all = ''] = [figure.title, spoken(whole)].map((title) => title.replace(/^number of /, ''))
  const said = describeConditions(part)
  return percentage(
    { scope, groups, where },
    ratio,
    groups.length === 0 ? `${all}${spoken(said)}` : `${ofThings(things, things, spoken(said))} among all ${all}`,
    `the ${whole} there is${said}${forEach(groups)}, from ${figure.source}`,
  )
}

/** Conditions in the middle of a sentence. */
function spoken(text: string): string {
  return text.replace(', ', ' ')
}
