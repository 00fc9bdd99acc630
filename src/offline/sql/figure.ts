import { isMoney, isNumericAttribute, isSmallMoney, entityName } from '../../databases/glossary/catalogue.ts'
import type { Attribute, Catalogue, Entity } from '../../databases/glossary/catalogue.ts'
import { roundMoney } from '../../databases/glossary/dialect.ts'
import { findSales } from '../../databases/glossary/sales.ts'
import { pathTo, type From } from './from.ts'
import { isToOne, type Path } from './paths.ts'
import type { ColumnName } from './names.ts'
import type { Aggregate, Group, Measure, Scope } from './reading.ts'
import { amountAttribute, chooseColumn, chooseHit, entityOf, nameOf, keyDistance } from './resolve.ts'
import { joinWords, declineQuestion, type AnswerColumn } from './types.ts'

/** A measure over the rows of one table. */
export interface Figure {
  /** The table whose rows are counted or summed. */
  readonly entity: Entity
  readonly column: AnswerColumn
  readonly attribute?: Attribute
  readonly isMedian?: boolean
  /** Whether a repeated row would count twice. */
  readonly isSafe: boolean
  sql(from: From): string
  readonly assumptions: readonly string[]
}

const FUNCTIONS: Readonly<Record<Aggregate, string>> = {
  sum: 'total',
  avg: 'average',
  min: 'lowest',
  max: 'highest',
  median: 'median',
}

/**
 * Resolves the figure.
 * @param subject the noun of the question, whose table is searched for a column
 * @param groups the groups of the figure: if several tables record sales, the one that leads to them is used
 */
export function figureOf(
  measure: Measure,
  subject: Entity | undefined,
  groups: readonly Group[],
  places: readonly Entity[],
  catalogue: Catalogue,
): Figure {
  switch (measure.kind) {
    case 'count': {
      const { entity } = measure
      const sql = (from: From): string => (from.isMultiplied ? `COUNT(DISTINCT ${from.key([], entity)})` : 'COUNT(*)')
      return { entity, column: titled('number', `number of ${entity.nouns}`), isSafe: true, sql, assumptions: [] }
    }
    case 'distinct': {
      const attribute = chosen(measure.names, subject, groups)
      const entity = subject ?? attribute.entity
      const column = titled('number', `number of different ${attribute.words.join(' ')}`)
      const sql = (from: From): string => `COUNT(DISTINCT ${from.column(pathTo(entity, attribute.entity), attribute)})`
      return { entity, column, isSafe: true, sql, assumptions: [] }
    }
    case 'column':
      return columnFigure(measure.fn, chosen(measure.names, subject, groups))
    case 'amount': {
      const attribute = amountAttribute(measure.entity)
      if (attribute === undefined)
        return declineQuestion(`I do not know which figure of ${measure.entity.nouns} is meant. Please name a column.`)
      return { ...columnFigure(measure.fn, attribute), assumptions: [`the figure is ${nameOf(attribute)}`] }
    }
    case 'metric': {
      const metric = catalogue.terms.metrics[measure.name]!
      const entity = entityOf(catalogue, metric.of)
      const role = metric.unit === 'money' ? 'money' : 'number'
      const sql = (from: From): string => {
        if (metric.where !== undefined) {
          const where = `(${from.expression(metric.where, entity, from.root, true)})`
          if (!from.where.includes(where)) from.where.push(where)
        }
        const value = from.expression(metric.value, entity, from.root, true)
        return role === 'money' ? roundMoney(value, true, catalogue.dialect) : value
      }
      return {
        entity,
        column: titled(role, measure.name),
        isSafe: false,
        sql,
        assumptions: metric.where === undefined ? [] : [`${measure.name} counts rows where ${metric.where}`],
      }
    }
    case 'sales':
      return salesFigure(measure.of, places, catalogue)
  }
}

function chosen(names: readonly ColumnName[], subject: Entity | undefined, groups: readonly Group[]): Attribute {
  if (subject !== undefined) return chooseColumn(names, subject, names[0]!.attribute.words.join(' '))
  const best = Math.max(...names.map(({ score }) => score))
  const top = names.filter(({ score }) => score === best)
  const owners = groups.flatMap((one) =>
    one.kind === 'entity'
      ? [one.entity]
      : one.kind === 'column'
        ? one.names.map(({ attribute }) => attribute.entity)
        : [],
  )
  const near = ({ attribute }: ColumnName): boolean =>
    owners.every((entity) => keyDistance(attribute.entity, entity) !== undefined)
  const fitting = top.length > 1 ? top.filter(near) : top
  if (fitting.length === 1) return fitting[0]!.attribute
  const found = joinWords(top.map(({ attribute }) => nameOf(attribute)))
  return declineQuestion(`“${top[0]!.attribute.words.join(' ')}” may mean ${found}. Please name the table.`)
}

function columnFigure(fn: Aggregate, attribute: Attribute): Figure {
  const title = `${FUNCTIONS[fn]} ${attribute.words.join(' ')}`.replace(/^total total\b/, 'total')
  const isReal = /real|double|float/.test(attribute.column.type)
  const isWhole = fn !== 'avg' && fn !== 'median' && !isReal && /int/.test(attribute.column.type)
  const role = isMoney(attribute) && !isSmallMoney(attribute) ? 'money' : 'number'
  const name = fn === 'avg' || fn === 'median' ? 'AVG' : fn.toUpperCase()
  const sql = (from: From): string => {
    const value = `${name}(${from.column([], attribute)})`
    return isWhole || fn === 'min' || fn === 'max' ? value : roundMoney(value, true, from.catalogue.dialect)
  }
  return {
    entity: attribute.entity,
    attribute,
    column: titled(role, title),
    isSafe: fn === 'min' || fn === 'max',
    sql,
    assumptions: [],
    isMedian: fn === 'median',
  }
}

/** Money from the totals of sales where they lead to all that is asked, else from their lines. */
function salesFigure(of: 'money' | 'units', places: readonly Entity[], catalogue: Catalogue): Figure {
  const { header, line, rivals } = findSales(catalogue)
  if (rivals.length > 0 || (header === undefined && line === undefined))
    return declineQuestion('I do not know where the data tell what was sold.')
  const leads = (entity: Entity): boolean => places.every((place) => keyDistance(entity, place) !== undefined)
  const sales = titled('money', 'sales')
  if (of === 'money' && header?.total !== undefined && leads(header.entity)) return totalOf(header.total, sales)
  if (line === undefined || !leads(line.entity))
    return declineQuestion('I do not know how what was sold leads to that.')
  const { amount, price, quantity, discounted } = line
  if (of === 'units' && quantity === undefined) return declineQuestion('I do not know how many pieces were sold.')
  if (of === 'units') return { ...columnFigure('sum', quantity!), column: titled('number', 'number of units sold') }
  if (amount !== undefined) return totalOf(amount, sales)
  if (price === undefined || quantity === undefined || discounted)
    return declineQuestion('I do not know how sales are computed. The terms of the database can say it.')
  return {
    entity: line.entity,
    column: sales,
    isSafe: false,
    sql: (from) => roundMoney(`SUM(${from.column([], price)} * ${from.column([], quantity)})`, true, catalogue.dialect),
    assumptions: [`sales are ${nameOf(price)} times ${nameOf(quantity)}`],
  }
}

function totalOf(attribute: Attribute, column: AnswerColumn): Figure {
  return {
    ...columnFigure('sum', attribute),
    column,
    assumptions: [`${column.title} are the sum of ${nameOf(attribute)}`],
  }
}

/** A column of an answer, called as it is said. */
export function titled(role: AnswerColumn['role'], title: string): AnswerColumn {
  return { name: columnName(title), role, title }
}

function columnName(title: string): string {
  return title.replaceAll(/[^\p{L}\p{N}]+/gu, '_').slice(0, 60)
}

/** The join path from the rows of a figure to another table. Refuses a path that repeats rows. */
export function joinPath({ entity, isSafe, column }: Figure, path: Path, what: string): Path {
  if (isToOne(path) || isSafe) return path
  return declineQuestion(
    `The ${column.title} cannot be told by ${what}: one of ${entity.nouns} belongs to several of them.`,
  )
}

/** A column of a row, as an answer shows it. */
export function columnOf(attribute: Attribute): AnswerColumn {
  const title = attribute.words.join(' ')
  const role = isMoney(attribute) ? 'money' : isNumericAttribute(attribute) ? 'number' : 'label'
  return titled(role, title)
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
