import { quoteName } from '../../terms/dialect.ts'
import { describeConditions } from './explain.ts'
import { planFigure } from './figures.ts'
import { answerColumn, type Figure } from './figure.ts'
import { forEach, labelsOf, rowsOf, type Group } from './groups.ts'
import type { Planned } from './planned.ts'
import type { Condition, Dimension, Measure, Reading } from '../reading.ts'
import { listed, refuse } from '../refusal.ts'
import { fromOf, type PlanContext, type Scope } from './scope.ts'
import { indent, printSelect } from './select.ts'

/** One figure as a query of its own. */
export interface Part {
  readonly figure: Figure
  readonly scope: Scope
  readonly groups: readonly Group[]
  readonly where: readonly string[]
  /** A count or a sum of sales, of which there are none where there are no rows. */
  readonly isAmount: boolean
}

/**
 * `number of orders and revenue by country`: each figure is computed by itself, so that neither multiplies the other.
 * @param conditionsOf what holds of the rows of one figure, where the figures differ in that
 */
export function planSeveral(
  context: PlanContext,
  reading: Reading,
  measures: readonly Measure[],
  dimensions: readonly Dimension[],
  conditionsOf: (measure: Measure) => readonly Condition[] = () => reading.conditions,
): Planned {
  if (reading.sort !== undefined || reading.limit !== undefined || reading.selected.length > 0)
    return refuse('Several figures cannot be sorted or cut to a number of rows. Please ask for one figure at a time.')
  const { dialect } = context.catalogue
  const parts = measures.map((m) => planPart(context, conditionsOf(m), m, dimensions))
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

/** One figure over the rows that hold of it. */
export function planPart(
  context: PlanContext,
  conditions: readonly Condition[],
  measure: Measure,
  dimensions: readonly Dimension[],
): Part {
  const figure = planFigure(context, measure, dimensions, conditions)
  const isAmount = measure.kind === 'count' || measure.kind === 'money' || measure.kind === 'units'
  return { figure, ...rowsOf(context, figure, dimensions, conditions), isAmount }
}

/** Its rows, with a key and a label for each group before the columns. */
export function printPart(
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

/** The rows of all parts, one below the other, folded into one row for each group. */
function sideBySide(context: PlanContext, parts: readonly Part[], quoted: readonly string[]): string {
  const { dialect } = context.catalogue
  const groups = parts[0]?.groups ?? []
  const rows = parts.map((part, i) =>
    printPart(
      part,
      parts.map((_, n) => ({ sql: n === i ? part.figure.sql(part.scope) : 'NULL', alias: `figure_${n + 1}` })),
    ),
  )
  const labels = groups.map((g, i) => ({ sql: `label_${i + 1}`, alias: quoteName(g.alias, dialect) }))
  const isTime = groups.some((g) => g.isTime)
  const figures = parts.map((p, i) => ({
    sql: p.isAmount ? `COALESCE(MAX(figure_${i + 1}), 0)` : `MAX(figure_${i + 1})`,
    alias: quoted[i] ?? '',
  }))
  const byLabel = labels.map((l) => l.alias)
  return printSelect({
    columns: [...labels, ...figures],
    from: `(\n${indent(rows.join('\nUNION ALL\n'))}\n  ) AS parts`,
    groupBy: groups.flatMap((_, i) => [`key_${i + 1}`, `label_${i + 1}`]),
    orderBy: isTime ? byLabel : [`${quoted[0]} DESC`, ...byLabel],
    limit: context.maxRows,
  })
}
