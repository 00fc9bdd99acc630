import { entityName, isMoney, isNumericAttribute, isSmallMoney } from '../../databases/glossary/catalogue.ts'
import type { Attribute, Catalogue, Entity } from '../../databases/glossary/catalogue.ts'
import { roundMoney } from '../../databases/glossary/dialect.ts'
import { findSales } from '../../databases/glossary/sales.ts'
import type { From } from './from.ts'
import type { ColumnName } from './names.ts'
import { isToOne, type Path } from './paths.ts'
import type { Aggregate, Measure, Scope } from './reading.ts'
import { amountAttribute, chooseColumn, chooseHit, entityOf, keyDistance, nameOf, only } from './resolve.ts'
import { declineQuestion, joinWords, type AnswerColumn } from './types.ts'

/** A measure over the rows of one table. */
export interface Figure {
  /** The table whose rows are counted or summed. */
  readonly entity: Entity
  readonly column: AnswerColumn
  readonly attribute?: Attribute
  readonly isMedian?: boolean
  /** Whether repeated rows do not change it. */
  readonly isSafe: boolean
  sql(from: From): string
  readonly assumptions: readonly string[]
}

const FUNCTIONS: Readonly<Record<Aggregate, readonly [title: string, sql: string]>> = {
  sum: ['total', 'SUM'],
  avg: ['average', 'AVG'],
  min: ['lowest', 'MIN'],
  max: ['highest', 'MAX'],
  median: ['median', 'AVG'],
}

/** Resolves the figure. @param subject the noun of the question, whose table is searched for a column */
export function figureOf(measure: Measure, subject: Entity | undefined, catalogue: Catalogue): Figure {
  switch (measure.kind) {
    case 'count': {
      const { entity } = measure
      const sql = (from: From): string => (from.isMultiplied ? `COUNT(DISTINCT ${from.key([], entity)})` : 'COUNT(*)')
      return { entity, column: titled('number', `number of ${entity.nouns}`), isSafe: true, sql, assumptions: [] }
    }
    case 'column':
      return columnFigure(measure.fn, chosenColumn(measure.names, subject))
    case 'amount': {
      const attribute = amountAttribute(measure.entity)
      if (attribute === undefined)
        return declineQuestion(`I do not know which figure of ${measure.entity.nouns} is meant. Please name a column.`)
      return { ...columnFigure(measure.fn, attribute), assumptions: [`the figure is ${nameOf(attribute)}`] }
    }
    case 'metric':
      return metricFigure(measure.name, catalogue)
    case 'sales':
      return salesFigure(catalogue)
  }
}

/** The column nearest to the subject, or the only one with this name. */
function chosenColumn(names: readonly ColumnName[], subject: Entity | undefined): Attribute {
  const text = names[0]!.attribute.words.join(' ')
  if (subject !== undefined) return chooseColumn(names, subject, text)
  const best = Math.max(...names.map(({ score }) => score))
  const top = names.filter(({ score }) => score === best).map(({ attribute }) => attribute)
  const found = joinWords(top.map(nameOf))
  return only(top) ?? declineQuestion(`“${text}” may mean ${found}. Please name the table.`)
}

function columnFigure(fn: Aggregate, attribute: Attribute): Figure {
  const [word, name] = FUNCTIONS[fn]
  const { type } = attribute.column
  const isExtreme = fn === 'min' || fn === 'max'
  const isPlain = isExtreme || (fn === 'sum' && /int/.test(type) && !/real|double|float/.test(type))
  const role = isMoney(attribute) && !isSmallMoney(attribute) ? 'money' : 'number'
  return {
    entity: attribute.entity,
    attribute,
    column: titled(role, `${word} ${attribute.words.join(' ')}`.replace(/^total total\b/, 'total')),
    isSafe: isExtreme,
    isMedian: fn === 'median',
    sql(from) {
      const value = `${name}(${from.column([], attribute)})`
      return isPlain ? value : roundMoney(value, true, from.catalogue.dialect)
    },
    assumptions: [],
  }
}

/** A metric that the business terms define. */
function metricFigure(name: string, catalogue: Catalogue): Figure {
  const { of, unit, value, where } = catalogue.terms.metrics[name]!
  const entity = entityOf(catalogue, of)
  const isMoneyMetric = unit === 'money'
  return {
    entity,
    column: titled(isMoneyMetric ? 'money' : 'number', name),
    isSafe: false,
    sql(from) {
      const filter = where === undefined ? undefined : `(${from.expression(where, entity, from.root, true)})`
      if (filter !== undefined && !from.where.includes(filter)) from.where.push(filter)
      const sql = from.expression(value, entity, from.root, true)
      return isMoneyMetric ? roundMoney(sql, true, catalogue.dialect) : sql
    },
    assumptions: where === undefined ? [] : [`${name} counts rows where ${where}`],
  }
}

/** Money from the totals of sales, else from the amounts of their lines. */
function salesFigure(catalogue: Catalogue): Figure {
  const { header, line, rivals } = findSales(catalogue)
  const total = rivals.length > 0 ? undefined : (header?.total ?? line?.amount)
  if (total === undefined)
    return declineQuestion('I do not know how sales are computed. The terms of the database can say it.')
  const assumptions = [`sales are the sum of ${nameOf(total)}`]
  return { ...columnFigure('sum', total), column: titled('money', 'sales'), assumptions }
}

/** A column of an answer, called as it is said. */
export function titled(role: AnswerColumn['role'], title: string): AnswerColumn {
  return { name: title.replaceAll(/[^\p{L}\p{N}]+/gu, '_').slice(0, 60), role, title }
}

/** A column of a row, as an answer shows it. */
export function columnOf(attribute: Attribute): AnswerColumn {
  return titled(
    isMoney(attribute) ? 'money' : isNumericAttribute(attribute) ? 'number' : 'label',
    attribute.words.join(' '),
  )
}

/** The join path from the rows of a figure to another table. Refuses a path that repeats rows. */
export function joinPath({ entity, isSafe, column }: Figure, path: Path, what: string): Path {
  if (isToOne(path) || isSafe) return path
  return declineQuestion(
    `The ${column.title} cannot be calculated by ${what}: one of ${entity.nouns} belongs to several of them.`,
  )
}

/** “Revenue of products in Germany”: where the supplier is, or the customer. */
export function checkOwners(figure: Figure, { entity, conditions }: Scope, catalogue: Catalogue): void {
  for (const { test, text } of conditions) {
    if (test.kind !== 'value') continue
    const { table } = chooseHit(test, entity, catalogue, text)
    const owners = test.hits.map((hit) => entityOf(catalogue, hit.table))
    const rival = owners.find((one) => entityName(one) !== table && keyDistance(figure.entity, one) !== undefined)
    if (rival !== undefined && table !== entityName(entity))
      declineQuestion(`“${text}” may be about ${table} or ${rival.nouns}. Please name which.`)
  }
}
