import { onlyOf } from '../../core/only.ts'
import type { Attribute } from '../../terms/catalogue.ts'
import { parentEdge } from '../../terms/kinds.ts'
import { quoteName, quoteText, tableName } from '../../terms/dialect.ts'
import { attributeRef, columnRef, type Place, type PlanContext, type Scope } from '../plan/scope.ts'

/** How far down a kind is followed. */
const LEVELS = 2

/**
 * What belongs to a kind belongs to the kinds within it: “Coffee” takes in what is filed under “Blends”. The test of one
 * name, or undefined where the kinds have no levels.
 */
export function withinKind(
  context: PlanContext,
  scope: Scope,
  place: Place,
  attribute: Attribute,
  values: readonly string[],
  negated: boolean,
): string | undefined {
  const { entity } = place
  const edge = parentEdge(entity)
  const key = onlyOf(entity.keys)
  if (edge === undefined || onlyOf(entity.label) !== attribute || key === undefined) return undefined
  const { dialect } = context.catalogue
  const names = values.map((v) => quoteText(v, dialect)).join(', ')
  const [id, parent, name] = [key.column.name, edge.keyColumn, attribute.column.name].map((n) => quoteName(n, dialect))
  let inner = `${name} IN (${names})`
  for (let level = 1; level < LEVELS; level++)
    inner = `${name} IN (${names}) OR ${parent} IN (SELECT ${id} FROM ${tableName(entity.table, dialect)} WHERE ${inner})`
  const above = `(SELECT ${id} FROM ${tableName(entity.table, dialect)} WHERE ${inner})`
  const own = attributeRef(scope, place, attribute)
  const up = columnRef(scope, place, edge.keyColumn)
  context.assumptions.add(`a ${entity.noun} takes in those within it, down to ${LEVELS} levels`)
  return negated
    ? `${own} NOT IN (${names}) AND (${up} IS NULL OR ${up} NOT IN ${above})`
    : `(${own} IN (${names}) OR ${up} IN ${above})`
}
