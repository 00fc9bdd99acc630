import type { Entity } from './catalogue.ts'
import { quoteName } from './dialect.ts'
import { describeConditions } from './explain.ts'
import { attributeAlone, planFigure } from './figures.ts'
import type { Figure } from './figures.ts'
import { planGroup } from './groups.ts'
import { predicates } from './predicates.ts'
import { planAttributeRanking, planRows } from './plan-rows.ts'
import { planShare } from './plan-share.ts'
import { planZeroRanking } from './plan-zero.ts'
import type { Dimension, Measure, Reading } from './reading.ts'
import { refuse } from './refusal.ts'
import { isSoldItem } from './sold.ts'
import type { PlanContext } from './scope.ts'
import { nameOf, openScope } from './scope.ts'
import { printSelect } from './select.ts'
import type { AnswerColumn, QueryShape } from './types.ts'

/** A finished query, before assumptions are counted. */
export interface Planned {
  readonly sql: string
  readonly shape: QueryShape
  readonly explanation: string
  readonly columns: readonly AnswerColumn[]
}

/** Rows of a ranking that gives no number. */
const DEFAULT_TOP = 10

/** Turns what was understood into one SELECT. */
export function planReading(context: PlanContext, reading: Reading): Planned {
  settleWho(context, reading)
  settleSale(context, reading)
  if (reading.share) return planShare(context, reading)
  if (reading.ranking !== undefined) return planRanking(context, reading)
  const measure = onlyMeasure(reading)
  if (measure !== undefined) return planAggregate(context, reading, measure)
  if (reading.counted !== undefined) return planAggregate(context, reading, countOf(context, reading, reading.counted))
  if (reading.groups.length > 0 && reading.subject?.kind === 'entity' && reading.selected.length === 0) {
    // “customers per country” asks how many.
    return planAggregate(context, { ...reading, counted: reading.subject }, countOf(context, reading, reading.subject))
  }
  if (reading.groups.length > 0) return refuse('I see a breakdown, but no figure to break down. Please ask for a number, a total or an average.')
  return planRows(context, reading)
}

/** `who spent …` is about customers, if there is such a table. */
function settleWho(context: PlanContext, reading: Reading): void {
  if (!reading.who || reading.subject !== undefined || reading.counted !== undefined) return
  const by = reading.ranking?.by
  if (by?.kind === 'attribute') {
    const owners = [...new Set(by.match.candidates.filter((c) => c.score === by.match.candidates[0]?.score).map((c) => c.attribute.entity))].filter((e) => e.label.length > 1)
    if (owners.length === 1 && owners[0] !== undefined) reading.subject = { kind: 'entity', entity: owners[0] }
    return
  }
  const customers = context.catalogue.entities.filter((e) => e.noun === 'customer' || e.noun === 'client')
  const [only] = customers
  if (customers.length !== 1 || only === undefined) return
  if (reading.saleVerb === undefined && reading.ranking === undefined && reading.conditions.length === 0) return
  context.assumptions.add(`“who” is taken to ask for ${only.nouns}`)
  reading.subject = { kind: 'entity', entity: only }
}

/** `how many tracks were sold` asks for units; a verb of trade that nothing used stops the question. */
function settleSale(context: PlanContext, reading: Reading): void {
  const { saleVerb, counted } = reading
  if (saleVerb === undefined || reading.measures.length > 0 || reading.ranking?.by !== undefined) return
  if (saleVerb === 'units' && counted?.kind === 'entity' && isSoldItem(context.sales, counted.entity)) {
    delete reading.counted
    if (counted.entity !== context.sales.line?.entity) context.assumptions.add(`“${counted.entity.nouns} sold” adds up quantities`)
    reading.measures.push({ kind: 'units', of: counted.entity })
    return
  }
  if (reading.share && saleVerb === 'money') return
  refuse('I do not see what the sale in the question should be measured by. Please say: units, orders or revenue.')
}

function onlyMeasure(reading: Reading): Measure | undefined {
  const kinds = new Map(reading.measures.map((m) => [m.kind === 'money' ? `money ${m.aggregate}` : m.kind === 'units' ? 'units' : JSON.stringify([m.kind, 'match' in m ? m.match.text : '']), m]))
  // “total sales revenue” names the same figure twice.
  if (kinds.size > 1 || (kinds.size === 1 && reading.counted !== undefined)) return refuse('The question asks for more than one figure. Please ask for one at a time.')
  return [...kinds.values()][0]
}

function countOf(context: PlanContext, reading: Reading, counted: Dimension): Measure {
  if (counted.kind === 'grain') return refuse(`I cannot count ${counted.grain}s.`)
  if (counted.kind === 'entity') return { kind: 'count', entity: counted.entity, ...(counted.via === undefined ? {} : { via: counted.via }) }
  const attribute = attributeAlone(context, counted.match, reading.conditions)
  reading.conditions = reading.conditions.filter((c) => !(c.kind === 'has' && c.entity === attribute.entity && c.conditions.length === 0 && !c.negated))
  context.assumptions.add(`different values of ${nameOf(attribute)} are counted`)
  return { kind: 'distinct', match: { ...counted.match, candidates: [{ attribute, score: 3 }], owner: attribute.entity } }
}

/** One figure, or one figure for each group. */
function planAggregate(context: PlanContext, reading: Reading, measure: Measure): Planned {
  if (reading.selected.length > 0) return refuse(`I cannot show “${reading.selected[0]?.text}” next to a figure. Please ask for one of them, or for the figure per ${reading.selected[0]?.text}.`)
  const groups = [...reading.groups, ...subjectAsGroup(reading, measure)]
  const figure = planFigure(context, measure, groups, reading.conditions)
  return groups.length === 0 ? planSingle(context, reading, figure) : planGrouped(context, reading, figure, groups)
}

/** `customers and their total revenue`: the subject is what the figure is broken down by. */
function subjectAsGroup(reading: Reading, measure: Measure): readonly Dimension[] {
  const { subject } = reading
  if (subject === undefined || (measure.kind === 'count' && subject.kind === 'entity' && measure.entity === subject.entity)) return []
  if (measure.kind === 'column' && subject.kind === 'entity' && measure.match.candidates.some((c) => c.attribute.entity === subject.entity)) return []
  return [subject]
}

function planSingle(context: PlanContext, reading: Reading, figure: Figure): Planned {
  if (reading.limit !== undefined || reading.sort !== undefined) return refuse('One figure cannot be sorted or cut to a number of rows. Please say what to break it down by.')
  const scope = openScope(context, figure.base)
  const where = predicates(scope, reading.conditions)
  const alias = quoteName(figure.alias, context.catalogue.dialect)
  const sql = printSelect({ columns: [{ sql: figure.sql(scope), alias }], from: scope.from, joins: scope.joins, where: [...new Set(where)], groupBy: [], orderBy: [] })
  return {
    sql,
    shape: figure.title.startsWith('number of') ? 'count' : 'aggregate',
    explanation: `Computes the ${figure.title} from ${figure.source}${describeConditions(reading.conditions)}.`,
    columns: [{ name: figure.alias, role: figure.role, title: figure.title }],
  }
}

interface Order {
  readonly direction: 'asc' | 'desc'
  readonly limit: number
  readonly word?: string
}

/** A figure for each group; with an order it is a ranking. */
export function planGrouped(context: PlanContext, reading: Reading, figure: Figure, dimensions: readonly Dimension[], order?: Order): Planned {
  const { dialect } = context.catalogue
  const scope = openScope(context, figure.base)
  const groups = dimensions.map((d) => planGroup(scope, d))
  const conditions = predicates(scope, reading.conditions)
  const notNull = groups.flatMap((g) => (g.notNull === undefined ? [] : [g.notNull]))
  const names = uniqueNames([...groups.map((g) => g.alias), figure.alias])
  const figureName = quoteName(names.at(-1) ?? figure.alias, dialect)
  const columns = [...groups.map((g, i) => ({ sql: g.sql, alias: quoteName(names[i] ?? g.alias, dialect) })), { sql: figure.sql(scope), alias: figureName }]
  const ties = groups.flatMap((g, i) => [quoteName(names[i] ?? g.alias, dialect), ...g.groupBy.slice(0, 1)])
  const byTime = groups.filter((g) => g.isTime).map((g) => quoteName(g.alias, dialect))
  const direction = order?.direction ?? sortDirection(reading) ?? 'desc'
  const isTimeLine = order === undefined && reading.sort === undefined && byTime.length > 0
  const orderBy = isTimeLine ? [...byTime, ...ties.filter((t) => !byTime.includes(t))] : [`${figureName} ${direction.toUpperCase()}`, ...ties]
  const ranked = order !== undefined && figure.column?.column.nullable === true ? [`${scopeColumn(figure, scope)} IS NOT NULL`] : []
  const sql = printSelect({
    columns,
    from: scope.from,
    joins: scope.joins,
    where: [...new Set([...conditions, ...notNull, ...ranked])],
    groupBy: [...new Set(groups.flatMap((g) => g.groupBy))],
    orderBy: [...new Set(orderBy)].filter((o) => !o.startsWith('CAST(') && !o.startsWith('STRFTIME') && !o.includes('(')),
    limit: order?.limit ?? reading.limit ?? context.maxRows,
  })
  const per = groups.map((g) => g.title).join(' and ')
  const kept = order === undefined ? '' : `, and keeps the ${order.limit === 1 ? '' : `${order.limit} `}${direction === 'desc' ? 'highest' : 'lowest'}`
  const tied = order?.limit === 1 ? ', the first by name where several are equal' : ''
  const through = scope.joins.length > 0 ? ` (through ${throughTables(scope.joins, figure.base)})` : ''
  return {
    sql,
    shape: order === undefined ? 'grouped' : 'top',
    explanation: `Computes the ${figure.title} from ${figure.source} for each ${per}${through}${describeConditions(reading.conditions)}${kept}${tied}.`,
    columns: [
      ...groups.map((g, i) => ({ name: names[i] ?? g.alias, role: 'label' as const, title: g.title })),
      { name: names.at(-1) ?? figure.alias, role: figure.role, title: figure.title },
    ],
  }
}

function scopeColumn(figure: Figure, scope: ReturnType<typeof openScope>): string {
  return figure.row?.(scope) ?? ''
}

function sortDirection(reading: Reading): 'asc' | 'desc' | undefined {
  return reading.sort?.direction
}

function throughTables(joins: readonly string[], base: Entity): string {
  const tables = joins.map((j) => / JOIN (\S+)|^JOIN (\S+)/.exec(j)?.slice(1).find(Boolean) ?? '').filter(Boolean)
  return tables.filter((t) => t !== base.table.name).join(', ')
}

function uniqueNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let unique = name
    for (let n = 2; taken.has(unique); n++) unique = `${name}_${n}`
    taken.add(unique)
    return unique
  })
}

/** `top 5 …`, `which … the most …`, `the longest …`. */
function planRanking(context: PlanContext, reading: Reading): Planned {
  const { ranking } = reading
  if (ranking === undefined) return refuse('There is no ranking.')
  const measured = onlyMeasure(reading)
  const by = ranking.by ?? (measured === undefined ? undefined : ({ kind: 'measure', measure: measured } as const))
  if (by === undefined) return refuse(`“${ranking.word}” by what? Please add for example “by revenue” or “by number of orders”.`)
  const soleGroup = reading.groups.length === 1 ? reading.groups[0] : undefined
  if (reading.subject !== undefined && reading.groups.length > 0) return refuse('I cannot rank within each group. Please ask for one ranking over all.')
  if (reading.sort !== undefined || reading.counted !== undefined) return refuse('The question mixes a ranking with another order or count. Please ask for one at a time.')
  if (by.kind === 'attribute') return planAttributeRanking(context, reading, by.match, ranking)
  const subject = reading.subject ?? soleGroup
  if (subject === undefined) return refuse(`I see a ranking, but not of what. Please name what the ${ranking.word} should be listed of.`)
  if (reading.selected.length > 0) return refuse(`I cannot show “${reading.selected[0]?.text}” next to a ranking.`)
  const figure = planFigure(context, by.measure, [subject], reading.conditions)
  if (subject.kind === 'entity' && figure.base === subject.entity && by.measure.kind === 'count') return refuse(`I cannot rank ${subject.entity.nouns} by the number of ${subject.entity.nouns}.`)
  const limit = topLimit(context, reading)
  const isAdditive = by.measure.kind === 'count' || by.measure.kind === 'money' || by.measure.kind === 'units'
  if (ranking.direction === 'asc' && isAdditive && subject.kind === 'entity') return planZeroRanking(context, reading, figure, subject, limit)
  return planGrouped(context, reading, figure, [subject], { direction: ranking.direction, limit, word: ranking.word })
}

/** How many rows a ranking shows: the number asked for, one for a singular, else ten, and says so. */
export function topLimit(context: PlanContext, reading: Reading): number {
  if (reading.limit !== undefined) return Math.min(reading.limit, context.maxRows)
  if (!reading.plural) return 1
  context.assumptions.add(`the first ${DEFAULT_TOP} are shown, since the question gives no number`)
  return Math.min(DEFAULT_TOP, context.maxRows)
}
