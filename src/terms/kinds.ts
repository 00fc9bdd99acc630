import { onlyOf } from '../core/only.ts'
import { qualifiedName, termsOf } from './catalogue.ts'
import type { Attribute, Catalogue, Edge, Entity } from './catalogue.ts'
import type { Sales } from './sales.ts'
import { isSoldItem } from './sold.ts'
import { singular, sameWords } from './words.ts'

/** The key by which a kind of thing lies within another of its kind: `parent_category_id` of categories. */
export function parentEdge(entity: Entity): Edge | undefined {
  return entity.edges.find(
    (e) =>
      e.from === e.to &&
      e.kind === 'one' &&
      (e.role.includes('parent') || sameWords(e.role.slice(-entity.words.length), entity.words)),
  )
}

/** A column in which a value was found. */
interface Held {
  readonly table: string
  readonly column: string
}

const KIND = /^(category|type|genre|kind|species|breed|group|class|segment|family|role|title|position|sector|industry)$/

/** Does the column say what kind its rows, or those that point at them, are of? */
export function isKindColumn(catalogue: Catalogue, hit: Held): boolean {
  const attribute = attributeOf(catalogue, hit)
  if (attribute === undefined) return false
  return (
    isKindTable(attribute) || (!attribute.entity.label.includes(attribute) && KIND.test(attribute.words.at(-1) ?? ''))
  )
}

/** May its values be said as nouns in the plural, as “dogs”? Also where the terms know all that there are. */
export function isNounColumn(catalogue: Catalogue, hit: Held): boolean {
  const attribute = attributeOf(catalogue, hit)
  const isFew = attribute !== undefined && Object.keys(termsOf(catalogue.terms, attribute).values ?? {}).length > 0
  return isFew || isKindColumn(catalogue, hit)
}

function isKindTable({ entity, column }: Attribute): boolean {
  const isName = entity.label.some((l) => l.column.name === column.name)
  return isName && (KIND.test(singular(entity.words.at(-1) ?? '')) || parentEdge(entity) !== undefined)
}

function attributeOf(catalogue: Catalogue, hit: Held): Attribute | undefined {
  const entity = catalogue.entities.find((e) => qualifiedName(e) === hit.table)
  return entity?.attributes.find((a) => a.column.name === hit.column)
}

/** The table whose rows are of such a kind: products for a category. Undefined where several could be. */
export function ownerOfKind(catalogue: Catalogue, sales: Sales, hits: readonly Held[]): Entity | undefined {
  const columns = new Set(hits.map((h) => attributeOf(catalogue, h)))
  const [attribute] = columns
  if (columns.size !== 1 || attribute === undefined) return undefined
  if (!isKindTable(attribute)) return attribute.entity
  const members = attribute.entity.edges
    .filter((e) => e.kind === 'many' && e.to !== e.from && !e.to.junction)
    .map((e) => e.to)
  const sold = members.filter((e) => isSoldItem(sales, e))
  return onlyOf(sold.length > 0 ? sold : members)
}
