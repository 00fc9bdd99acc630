import type { Period } from '../language/periods.ts'
import { periodSql } from './conditions.ts'
import { titled } from './figure.ts'
import { From, pathTo } from './from.ts'
import { QueryBuilder, type BuiltQuery, type PlanOptions } from './query-builder.ts'
import type { Reading } from './reading.ts'
import { amountAttribute, eventDate, nameOf, nearestEventDate } from './resolve.ts'
import { declineQuestion } from './types.ts'

/** Builds the SELECT statement of a reading. */
export function buildQuery(reading: Reading, options: PlanOptions): BuiltQuery {
  checkUsed(reading)
  const builder = new ComparisonBuilder(reading, options)
  if (reading.asksShare) return builder.share()
  if (reading.compared !== undefined) return builder.compared(reading.compared)
  if (reading.asksCost === true) return builder.withCost()
  return reading.mode === 'list' ? builder.list() : builder.figure()
}

/** Refuses a reading if a part of it would not be used by its query. */
function checkUsed({ mode, subject, measures, groups, selected, rank, limit, ...asks }: Reading): void {
  const isOther = asks.asksShare || asks.compared !== undefined || asks.asksCost
  const isList = mode === 'list' && subject !== undefined && !asks.asksShare
  const unused = [
    ['what is listed', selected.length > 0 && !isList],
    ['the rank', rank !== undefined && (isOther || (!isList && groups.length === 0))],
    ['the number of rows', limit !== undefined && (isOther || (!isList && rank === undefined))],
    ['the figure', measures.length > 0 && (isList || asks.asksShare)],
  ].find(([, isUnused]) => isUnused)
  if (unused !== undefined) declineQuestion(`I do not understand ${unused[0]} together with the rest of the question.`)
}

/** Builds shares, comparisons and costs. */
class ComparisonBuilder extends QueryBuilder {
  share(): BuiltQuery {
    const { subject, groups, facts } = this.reading
    if (subject === undefined || groups.length > 0)
      declineQuestion('I can tell the share of rows of one table that something is true of.')
    const { entity, conditions } = subject
    // Words before the noun, and a period, say of what the share is.
    const part = conditions.filter(({ isBefore, test }) => !isBefore && test.kind !== 'period')
    if (part.length !== 1 || facts.length > 0) declineQuestion(`I do not see which share of ${entity.nouns} is meant.`)
    const from = new From(entity, this.catalogue, this.reading.assumptions)
    const whole = conditions.filter((one) => !part.includes(one))
    from.where.push(...this.conditions(from, whole, [], entity))
    const [sql] = this.conditions(from, part, [], entity)
    const column = titled('percent', `share of ${entity.nouns}`)
    const value = `ROUND(100.0 * SUM(CASE WHEN ${sql} THEN 1 ELSE 0 END) / NULLIF(COUNT(*), 0), 2)`
    return this.built(`${this.select([value], [column])} ${from.sql()}`, 'figure', [column])
  }

  /** A figure in two periods, and the change between them. */
  compared(periods: readonly [Period, Period]): BuiltQuery {
    const { measures, groups, mode } = this.reading
    const [measure, more] = measures
    if (groups.length > 0 || measure === undefined || more !== undefined || mode !== 'figure')
      return declineQuestion('I can compare one figure in two periods.')
    const figure = this.figureFor(measure)
    const { entity, column } = figure
    const date = measure.kind === 'count' ? eventDate(entity) : nearestEventDate(entity)
    if (date === undefined) return declineQuestion(`Which ${entity.nouns} belong to a period is not clear.`)
    const parts = periods.map((period, i) => {
      const { from } = this.rows(figure)
      from.where.push(periodSql(from.column(pathTo(entity, date.entity), date), date, period))
      return `(SELECT ${figure.sql(from)} AS v ${from.sql()}) AS ${'xy'[i]}`
    })
    const titles = [...periods.map(({ text }) => `${column.title} ${text}`), 'change']
    const columns = titles.map((title) => titled(column.role, title))
    const list = this.select(['x.v', 'y.v', 'ROUND(y.v - x.v, 2)'], columns)
    return this.built(`${list} FROM ${parts.join(' CROSS JOIN ')}`, 'figure', columns)
  }

  /** “How many were returned, and what did they cost?”: the amount of the subject, or of its related table. */
  withCost(): BuiltQuery {
    const { measures, groups, subject, assumptions } = this.reading
    const [condition, ...others] = subject?.conditions ?? []
    const related = condition?.test.kind === 'related' && !condition.isNegated ? condition.test : undefined
    const scope = related !== undefined && others.length === 0 && related.bound === undefined ? related.scope : subject
    const isRelated = scope !== subject
    const hasOther = subject?.conditions.some(({ test }) => test.kind === 'related') === true && !isRelated
    if (groups.length > 0 || measures[0]?.kind !== 'count' || scope === undefined || hasOther)
      return declineQuestion('Please ask one question at a time.')
    const { entity, conditions } = scope
    const amount = amountAttribute(entity)
    if (amount === undefined) return declineQuestion(`I do not know which cost of ${entity.nouns} is meant.`)
    assumptions.add(`“cost” is ${nameOf(amount)}`)
    const cost: Reading = { ...this.reading, measures: [{ kind: 'amount', fn: 'sum', entity }] }
    const whole = isRelated ? { subject: { ...subject!, conditions: [] }, facts: [...cost.facts, ...conditions] } : {}
    const [counted, summed] = [this.figure(), new QueryBuilder({ ...cost, ...whole }, this.options).figure()]
    return {
      ...counted,
      sql: `SELECT * FROM (${counted.sql}) AS x CROSS JOIN (${summed.sql}) AS y`,
      columns: [...counted.columns, ...summed.columns],
    }
  }
}
