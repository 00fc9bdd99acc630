import { saleOf } from '../../terms/sales.ts'
import { CALLED_OFF } from '../../terms/vocabulary.ts'
import { qualifiedName, type Attribute } from '../../terms/catalogue.ts'
import { quoteText } from '../../terms/dialect.ts'
import { choosePath } from './choose-path.ts'
import { withInner, type Condition, type Dimension, type Measure, type Reading } from '../reading.ts'
import type { Sales } from '../../terms/sales.ts'
import { attributeRef, type Asked, type Cancelled, type PlanContext, type Scope } from './scope.ts'
import type { ValueLookup } from '../types.ts'

/**
 * Cancelled sales keep their lines, but nobody paid for them. Looks for them in the data, where the question asks for money
 * or quantities and sales have a status.
 */
export async function findCancelled(
  sales: Sales,
  reading: Reading,
  lookup: ValueLookup,
): Promise<Cancelled | undefined> {
  const entity = saleOf(sales)
  const status = entity?.attributes.find((a) => !a.isKey && a.column.kind === 'text' && a.words.at(-1) === 'status')
  if (entity === undefined || status === undefined || reading.keepsCancelled === true || !asksForSales(reading))
    return undefined
  const column = { table: qualifiedName(entity), column: status.column.name }
  const hits = await lookup(CALLED_OFF, [column])
  const values = [...new Set(hits.flat().map((h) => h.value))]
  return values.length === 0 ? undefined : { status, values }
}

function asksForSales(reading: Reading): boolean {
  const by = reading.ranking?.by
  const measures = [...reading.measures, ...(by?.kind === 'measure' ? [by.measure] : [])]
  return (
    reading.saleVerb !== undefined ||
    measures.some(isOfSales) ||
    withInner(reading.conditions).some((c) =>
      c.kind === 'metric' ? isOfSales(c.measure) : c.kind === 'has' && c.entity === 'sale',
    ) ||
    by?.kind === 'attribute'
  )
}

function isOfSales(measure: Measure): boolean {
  if (measure.kind === 'average') return isOfSales(measure.of)
  return measure.kind === 'money' || measure.kind === 'units' || measure.kind === 'column'
}

/** The predicate that leaves cancelled sales out, unless the question itself speaks of their status. */
export function leaveOutCancelled(asked: Asked): ((scope: Scope) => string) | undefined {
  const { context } = asked
  const { cancelled } = context
  if (cancelled === undefined) return undefined
  const { status, values } = cancelled
  if (isSpokenOf(status, asked)) return undefined
  return (scope) => {
    const path = choosePath(scope.base.entity, status.entity, context.hints) ?? []
    const column = attributeRef(scope, scope.reach(scope.base, path), status)
    const literals = values.map((v) => quoteText(v, context.catalogue.dialect)).join(', ')
    context.assumptions.add(
      `${status.entity.nouns} with the status ${values.map((v) => `“${v}”`).join(' or ')} are left out`,
    )
    const test = values.length === 1 ? `${column} <> ${literals}` : `${column} NOT IN (${literals})`
    return status.column.nullable ? `(${column} IS NULL OR ${test})` : test
  }
}

/** “who bought”: an order that was called off is an order all the same, and whoever asks is told. */
export function sayCancelledCount({ cancelled, assumptions }: PlanContext, conditions: readonly Condition[]): void {
  if (cancelled === undefined || withInner(conditions).some((c) => speaksOf(c, cancelled.status))) return
  const { status, values } = cancelled
  assumptions.add(
    `whether there were sales is told by all ${status.entity.nouns}, also by those with the status ${values.map((v) => `“${v}”`).join(' or ')}`,
  )
}

/** Is the column what a condition or a breakdown is about? */
export function isSpokenOf(column: Attribute, { conditions, dimensions }: Omit<Asked, 'context'>): boolean {
  const isShown = (d: Dimension) => d.kind === 'attribute' && d.match.candidates.some((c) => c.attribute === column)
  return withInner(conditions).some((c) => speaksOf(c, column)) || dimensions.some(isShown)
}

function speaksOf(condition: Condition, column: Attribute): boolean {
  if ('attribute' in condition && condition.attribute?.candidates.some((c) => c.attribute === column)) return true
  if (condition.kind === 'columns') return condition.left === column || condition.right === column
  if (condition.kind !== 'value') return false
  const table = qualifiedName(column.entity)
  return condition.alternatives.flat().some((h) => h.table === table && h.column === column.column.name)
}
