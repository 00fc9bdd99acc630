import type { Period } from '../language/periods.ts'
import { periodSql } from './conditions.ts'
import { titled } from './figure.ts'
import { From, pathTo } from './from.ts'
import type { Condition, Reading, Scope } from './reading.ts'
import { amountAttribute, chooseHit, eventDate, nearestEventDate, nameOf } from './resolve.ts'
import { declineQuestion } from './types.ts'
import { QueryBuilder, type BuiltQuery, type PlanOptions } from './query-builder.ts'

/** Builds the SELECT statement of a reading. */
export function buildQuery(reading: Reading, options: PlanOptions): BuiltQuery {
  checkUsed(reading)
  if (reading.asksShare) return new ComparisonBuilder(reading, options).share()
  if (reading.compared !== undefined) return new ComparisonBuilder(reading, options).compared(reading.compared)
  if (reading.asksCost === true) return new ComparisonBuilder(reading, options).withCost()
  if (reading.mode === 'list') return new ComparisonBuilder(reading, options).list()
  return new ComparisonBuilder(reading, options).figure()
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

/** Plans shares, comparisons and costs. */
class ComparisonBuilder extends QueryBuilder {
  share(): BuiltQuery {
    const subject = this.subject
    if (subject === undefined || this.reading.groups.length > 0)
      declineQuestion('I can tell the share of rows of one table that something is true of.')
    const { entity, conditions } = subject
    const rest = conditions.filter(({ isBefore }) => !isBefore)
    const isBase = ({ test }: Condition): boolean => test.kind === 'period'
    const part = rest.some((one) => !isBase(one)) ? rest.filter((one) => !isBase(one)) : rest
    if (part.length !== 1 || this.reading.facts.length > 0)
      declineQuestion(`I do not see which share of ${entity.nouns} is meant.`)
    const from = new From(entity, this.catalogue, this.reading.assumptions)
    const others = conditions.filter((one) => !part.includes(one))
    from.where.push(...this.conditions(from, others, [], entity))
    const sql = this.conditions(from, part, [], entity).join(' AND ')
    const column = titled('percent', `share of ${entity.nouns}`)
    const value = `ROUND(100.0 * SUM(CASE WHEN ${sql} THEN 1 ELSE 0 END) / NULLIF(COUNT(*), 0), 2)`
    return this.planned(`${this.select([value], [column])} ${from.sql()}`, 'figure', [column])
  }

  /** A figure in two periods, and the change between them. */
  compared(periods: readonly [Period, Period]): BuiltQuery {
    const { measures, groups } = this.reading
    if (groups.length > 0 || measures.length !== 1 || this.reading.mode !== 'figure')
      declineQuestion('I can compare one figure in two periods.')
    const figure = this.figureFor(measures[0]!)
    const date = measures[0]!.kind === 'count' ? eventDate(figure.entity) : nearestEventDate(figure.entity)
    if (date === undefined) return declineQuestion(`Which ${figure.entity.nouns} belong to a period is not clear.`)
    const parts = periods.map((period, i) => {
      const { from } = this.rows(figure)
      from.where.push(periodSql(from.column(pathTo(figure.entity, date.entity), date), date, period))
      return `(SELECT ${figure.sql(from)} AS v ${from.sql()}) AS ${'xy'[i]}`
    })
    const { role, title } = figure.column
    const columns = [...periods.map(({ text }) => titled(role, `${title} ${text}`)), titled(role, 'change')]
    const list = this.select(['x.v', 'y.v', 'ROUND(y.v - x.v, 2)'], columns)
    return this.planned(`${list} FROM ${parts.join(' CROSS JOIN ')}`, 'figure', columns)
  }

  /** “How many were returned, and what did they cost?”: the amount of the subject, or of its related table. */
  withCost(): BuiltQuery {
    const { measures, groups, facts } = this.reading
    const subject = this.subject
    const related = subject?.conditions.filter(({ test }) => test.kind === 'related') ?? []
    const test = related[0]?.test
    const isRelated = test?.kind === 'related' && related.length === 1 && !related[0]!.isNegated && !test.bound
    const scope = isRelated ? test.scope : related.length > 0 ? undefined : subject
    if (groups.length > 0 || measures[0]?.kind !== 'count' || scope === undefined)
      return declineQuestion('Please ask one question at a time.')
    const { entity } = scope
    const amount = amountAttribute(entity)
    if (amount === undefined) return declineQuestion(`I do not know which cost of ${entity.nouns} is meant.`)
    this.reading.assumptions.add(`“cost” is ${nameOf(amount)}`)
    const reading = {
      ...this.reading,
      ...(isRelated ? { subject: this.withoutRelated(subject!), facts: [...facts, ...scope.conditions] } : {}),
      measures: [{ kind: 'amount' as const, fn: 'sum' as const, entity }],
    }
    const [counted, summed] = [this.figure(), new ComparisonBuilder(reading, this.options).figure()]
    return {
      ...counted,
      sql: `SELECT * FROM (${counted.sql}) AS x CROSS JOIN (${summed.sql}) AS y`,
      columns: [...counted.columns, ...summed.columns],
    }
  }

  /** The other conditions. Each value is of the column that it has in the subject's own figure. */
  protected withoutRelated({ entity, conditions }: Scope): Scope {
    const rest = conditions.filter(({ test }) => test.kind !== 'related')
    const chosen = rest.map((one) => {
      const { test, text } = one
      if (test.kind !== 'value') return one
      return { ...one, test: { ...test, hits: [chooseHit(test, entity, this.catalogue, text)] } }
    })
    return { entity, conditions: chosen }
  }
}
