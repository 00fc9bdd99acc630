import { roundMoney } from '../../terms/dialect.ts'
import { given } from '../../core/given.ts'
import { AGGREGATE_NAMES, headingOf, roleOf, type Figure } from './figure.ts'
import type { Aggregate } from '../reading.ts'
import { listed, refuse } from '../refusal.ts'
import { aliasOf, attributeRef, nameOf, type PlanContext, type Scope } from './scope.ts'

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
  const factors = [line?.amount ?? line?.price, line?.amount === undefined ? line?.quantity : undefined]
  const figures = [
    { base: header?.entity, columns: [header?.total], note: '' },
    { base: line?.entity, columns: factors, note: line?.discounted === true ? ' (before discounts)' : '' },
  ].flatMap(({ base, columns, note }): readonly Figure[] => {
    const all = columns.filter((a) => a !== undefined)
    const [column] = all
    if (base === undefined || column === undefined) return []
    const row = (scope: Scope): string => all.map((a) => attributeRef(scope, scope.base, a)).join(' * ')
    const isFloat = all.some((a) => /real|double|float/.test(a.column.type))
    const figure = {
      title: word,
      base,
      row,
      column,
      alias: aliasOf(headingOf(word, column)),
      role: roleOf(column),
      ...given({ unit: column.unit }),
      sql: (scope: Scope) => roundMoney(`SUM(${row(scope)})`, isFloat, dialect),
      source: `${all.map(nameOf).join(' × ')}${note}`,
    }
    return [figure]
  })
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
