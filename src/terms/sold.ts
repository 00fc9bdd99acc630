import type { Entity } from './catalogue.ts'
import type { Sales } from './sales.ts'

/** Is this what is sold? The line of a sale points at it, and it is neither the sale nor a party to it. */
export function isSoldItem(sales: Sales, entity: Entity): boolean {
  const line = sales.line?.entity
  if (line === undefined) return false
  const isParty = /^(customer|client|employee|supplier|store|warehouse|person)$/.test(entity.noun)
  const isDirect = line.edges.some((e) => e.kind === 'one' && e.to === entity)
  return entity === line || (isDirect && entity !== sales.header?.entity && !isParty)
}

/**
 * Whether units sold can be counted for each of these: for what is sold and what that belongs to, but not for the sale
 * itself.
 */
export function isSoldGroup(sales: Sales, entity: Entity): boolean {
  const seen = new Set<Entity>()
  const visit = (at: Entity): boolean => {
    if (at === entity) return true
    if (seen.has(at) || at === sales.header?.entity) return false
    seen.add(at)
    return at.edges.some((e) => e.kind === 'one' && visit(e.to))
  }
  return sales.line !== undefined && entity !== sales.header?.entity && visit(sales.line.entity)
}
