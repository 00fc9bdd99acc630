import { quoteName } from '../../terms/dialect.ts'
import { describeConditions } from './explain.ts'
import { planFigure } from './figures.ts'
import { answerColumn, type Figure } from './figure.ts'
import { forEach, labelsOf, rowsOf, type Rows } from './groups.ts'
import type { Planned } from './planned.ts'
import type { Condition, Dimension, Measure, Reading } from '../reading.ts'
import { listed, refuse } from '../refusal.ts'
import { fromOf, type Asked, type PlanContext } from './scope.ts'
import { indent, printSelect } from './select.ts'

/** One figure as a query of its own. */
export interface Part extends Rows {
  readonly figure: Figure
  /** A count or a sum, which is 0 where there are no rows. */
  readonly isAdded: boolean
}

/** `number of orders and revenue by country`: each figure is computed by itself, so that neither multiplies the other. */
export function planSeveral(
  context: PlanContext,
  reading: Reading,
  measures: readonly Measure[],
  dimensions: readonly Dimension[],
): Planned {
  if (reading.sort !== undefined || reading.limit !== undefined || reading.selected.length > 0)
    return refuse('Several figures cannot be sorted or cut to a number of rows. Please ask for one figure at a time.')
  const { dialect } = context.catalogue
  const parts = measures.map((m) =>
    planPart({ context, dimensions, conditions: conditionsOf(m, reading.conditions) }, m),
  )
  const names = parts.map((p) => p.figure.alias)
  if (new Set(names).size < names.length) return refuse('The question asks for the same figure twice.')
  const groups = parts[0]?.groups ?? []
  const quoted = names.map((n) => quoteName(n, dialect))
  if (dimensions.length > 0 && parts.length > 2)
    return refuse('I can show two figures side by side. Please ask for two at a time.')
  const sql =
    dimensions.length === 0
      ? `SELECT\n${parts.map((p, i) => `  (\n${indent(printPart(p, [{ sql: p.figure.sql(p.scope) }]))}\n  ) AS ${quoted[i]}`).join(',\n')}`
      : sideBySide(context, parts, quoted)
  const titles = parts.map((p) => p.figure.title)
  return {
    sql,
    shape: dimensions.length === 0 ? 'aggregate' : 'grouped',
    explanation: `Computes the ${listed(titles, 'and')}${forEach(groups)}, from ${listed(
      parts.map((p) => p.figure.source),
      'and',
    )}${describeConditions(reading.conditions)}.`,
    columns: [...labelsOf(groups), ...parts.map((p) => answerColumn(p.figure))],
  }
}

/** Of an order returned in parts, only the parts sent back in the time asked for are added up. */
function conditionsOf(measure: Measure, conditions: readonly Condition[]): readonly Condition[] {
  const clause = measure.kind === 'column' ? measure.clause : undefined
  return conditions.flatMap((c) => (c === clause && 'conditions' in c ? c.conditions : [c]))
}

/** One figure over the rows that hold of it. */
export function planPart(asked: Asked, measure: Measure): Part {
  const figure = planFigure(asked, measure)
  return { figure, ...rowsOf(asked, figure), isAdded: isSum(measure, figure.row !== undefined) }
}

function isSum(measure: Measure, addsUp: boolean): boolean {
  if (measure.kind === 'column') return measure.aggregate === 'sum'
  return measure.kind === 'metric' ? addsUp : measure.kind !== 'average' && measure.kind !== 'days'
}

/** Its rows, with a key and a label for each group before the columns. */
function printPart(
  { scope, groups, where }: Part,
  columns: readonly { readonly sql: string; readonly alias?: string }[],
): string {
  const keys = groups.flatMap((g, i) => [
    { sql: g.groupBy[0] ?? g.sql, alias: `key_${i + 1}` },
    { sql: g.sql, alias: `label_${i + 1}` },
  ])
  return printSelect({
    columns: [...keys, ...columns],
    ...fromOf(scope),
    where,
    groupBy: groups.flatMap((g) => g.groupBy),
  })
}

/**
 * One row for each group, with `label_1` … and `figure_1` …: the rows of all parts stand one below the other and are folded, so
 * that a group of one part alone is not lost. Of a sum or a count there is 0 where there are no rows; of rows without a value the
 * sum is as unknown as ever.
 */
export function foldParts(parts: readonly Part[]): string {
  const groups = parts[0]?.groups ?? []
  const keys = groups.flatMap((_, i) => [`key_${i + 1}`, `label_${i + 1}`])
  const rows = parts.map((part, i) =>
    printPart(part, [
      ...parts.map((_, n) => ({ sql: n === i ? part.figure.sql(part.scope) : 'NULL', alias: `figure_${n + 1}` })),
      { sql: String(i + 1), alias: 'part' },
    ]),
  )
  const figures = parts.map(({ isAdded }, i) => {
    const figure = `MAX(figure_${i + 1})`
    const lacks = `MAX(CASE WHEN part = ${i + 1} THEN 1 ELSE 0 END) = 0`
    return { sql: isAdded ? `CASE WHEN ${lacks} THEN 0 ELSE ${figure} END` : figure, alias: `figure_${i + 1}` }
  })
  const folded = printSelect({
    columns: [...keys.map((sql) => ({ sql })), ...figures],
    from: `(\n${indent(rows.join('\nUNION ALL\n'))}\n  ) AS parts`,
    groupBy: keys,
  })
  return `(\n${indent(folded)}\n  ) AS folded`
}

function sideBySide(context: PlanContext, parts: readonly Part[], quoted: readonly string[]): string {
  const { dialect } = context.catalogue
  const groups = parts[0]?.groups ?? []
  const labels = groups.map((g, i) => ({ sql: `label_${i + 1}`, alias: quoteName(g.alias, dialect) }))
  const byLabel = labels.map((l) => l.alias)
  return printSelect({
    columns: [...labels, ...quoted.map((alias, i) => ({ sql: `figure_${i + 1}`, alias }))],
    from: foldParts(parts),
    orderBy: groups.some((g) => g.isTime) ? byLabel : [`${quoted[0]} DESC`, ...byLabel],
    limit: context.maxRows,
  })
}
