import { qualifiedName } from '../../terms/catalogue.ts'
import type { Attribute, Catalogue, Entity } from '../../terms/catalogue.ts'
import { parentEdge } from './lineage.ts'
import type { Sales } from '../../terms/sales.ts'
import { isSoldItem } from '../../terms/sold.ts'
import type { ValueHit } from '../types.ts'
import { singular } from '../../terms/words.ts'

const KIND = /^(category|type|genre|kind|group|class|segment|family|role|title|position|sector|industry)$/

/** Does the column say what kind its rows, or those that point at them, are of? */
export function isKindColumn(catalogue: Catalogue, hit: Pick<ValueHit, 'table' | 'column'>): boolean {
  const attribute = attributeOf(catalogue, hit)
  if (attribute === undefined) return false
  return (
    isKindTable(attribute) || (!attribute.entity.label.includes(attribute) && KIND.test(attribute.words.at(-1) ?? ''))
  )
}

function isKindTable({ entity, column }: Attribute): boolean {
  const isName = entity.label.some((l) => l.column.name === column.name)
  return isName && (KIND.test(singular(entity.words.at(-1) ?? '')) || parentEdge(entity) !== undefined)
}

function attributeOf(catalogue: Catalogue, hit: Pick<ValueHit, 'table' | 'column'>): Attribute | undefined {
  const entity = catalogue.entities.find((e) => qualifiedName(e) === hit.table)
  return entity?.attributes.find((a) => a.column.name === hit.column)
}

/** The table whose rows are of such a kind: products for a category. Undefined where several could be. */
export function ownerOfKind(catalogue: Catalogue, sales: Sales, hits: readonly ValueHit[]): Entity | undefined {
  const columns = new Set(hits.map((h) => attributeOf(catalogue, h)))
  const [attribute] = columns
  if (columns.size !== 1 || attribute === undefined) return undefined
  if (!isKindTable(attribute)) return attribute.entity
  const members = attribute.entity.edges
    .filter((e) => e.kind === 'many' && e.to !== e.from && !e.to.junction)
    .map((e) => e.to)
  const sold = members.filter((e) => isSoldItem(sales, e))
  const chosen = sold.length > 0 ? sold : members
  return chosen.length === 1 ? chosen[0] : undefined
}
