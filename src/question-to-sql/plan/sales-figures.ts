import { roundMoney } from '../../terms/dialect.ts'
import type { Figure } from './figure.ts'
import { AGGREGATE_NAMES } from './figure.ts'
import type { Aggregate } from '../reading.ts'
import { listed, refuse } from '../refusal.ts'
import type { PlanContext, Scope } from './scope.ts'
import { aliasOf, attributeRef, nameOf } from './scope.ts'

/** Ways to compute money that came in: from what sales add up to, or from their lines. */
export function moneyFigures(context: PlanContext, aggregate: Aggregate, word: string): readonly Figure[] {
  const { header, line, rivals } = context.sales
  const { dialect } = context.catalogue
  if (rivals.length > 0)
    return refuse(
      `Amounts of sales could come from ${listed(rivals.map((r) => r.table.name))}. Please name the column.`,
    )
  if (aggregate !== 'sum')
    return refuse(
      `The ${AGGREGATE_NAMES[aggregate]} ${word} of what? Please name the column, as in “average ${header?.entity.noun ?? 'order'} total”.`,
    )
  const other = context.sales.others?.[0]
  const own = header?.total ?? line?.amount ?? line?.price
  if (other !== undefined && own !== undefined)
    context.assumptions.add(`“${word}” is taken from ${own.entity.table.name}, not from ${nameOf(other)}`)
  const figures: Figure[] = []
  const shared = { alias: aliasOf(word), title: word, role: 'money' as const }
  const wrap = (row: string, isFloat: boolean): string => roundMoney(`SUM(${row})`, isFloat, dialect)
  if (header?.total !== undefined) {
    const { entity, total } = header
    const row = (scope: Scope): string => attributeRef(scope, scope.base, total)
    const isFloat = /real|double|float/.test(total.column.type)
    figures.push({
      ...shared,
      base: entity,
      row,
      column: total,
      sql: (scope) => wrap(row(scope), isFloat),
      source: nameOf(total),
    })
  }
  if (line !== undefined) {
    const { entity, amount, price, quantity, discounted } = line
    const column = amount ?? price
    const row = (scope: Scope): string => {
      if (amount !== undefined) return attributeRef(scope, scope.base, amount)
      if (price === undefined || quantity === undefined)
        return refuse(`I cannot compute amounts from ${entity.table.name}.`)
      return `${attributeRef(scope, scope.base, price)} * ${attributeRef(scope, scope.base, quantity)}`
    }
    const isFloat = [amount, price, quantity].some((a) => a !== undefined && /real|double|float/.test(a.column.type))
    const source =
      amount !== undefined
        ? nameOf(amount)
        : `${price === undefined ? '' : nameOf(price)} × ${quantity === undefined ? '' : nameOf(quantity)}${discounted ? ' (before discounts)' : ''}`
    figures.push({
      ...shared,
      base: entity,
      row,
      sql: (scope) => wrap(row(scope), isFloat),
      source,
      ...(column === undefined ? {} : { column }),
    })
  }
  return figures.length > 0
    ? figures
    : refuse(
        `I see no table in ${context.catalogue.database} that holds amounts of sales, so I cannot compute ${word}. Please name the column to add up.`,
      )
}

/** How many of what was sold. */
export function unitFigures(context: PlanContext): readonly Figure[] {
  const { line, rivals } = context.sales
  if (rivals.length > 0)
    return refuse(`Quantities sold could come from ${listed(rivals.map((r) => r.table.name))}. Please name the column.`)
  const quantity = line?.quantity
  if (line === undefined || quantity === undefined)
    return refuse(`I see no quantities sold in ${context.catalogue.database}.`)
  const row = (scope: Scope): string => attributeRef(scope, scope.base, quantity)
  return [
    {
      base: line.entity,
      row,
      column: quantity,
      sql: (scope) => `SUM(${row(scope)})`,
      alias: 'units_sold',
      title: 'units sold',
      role: 'number',
      source: nameOf(quantity),
    },
  ]
}
