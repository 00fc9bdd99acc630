import { isMoney, isNumericAttribute, withoutOwner, type Attribute, type Catalogue, type Entity } from './catalogue.ts'
import { singular } from './words.ts'
import { omitUndefined } from '../../shared/json.ts'

/** Where a schema stores sold items and their prices. */
export interface Sales {
  /** One row a sale: invoices, orders. `total` is absent where only the lines know prices. */
  readonly header?: { readonly entity: Entity; readonly total?: Attribute }
  /** One row an item sold. */
  readonly line?: {
    readonly entity: Entity
    /** The line's own amount; else `price` times `quantity`. */
    readonly amount?: Attribute
    readonly price?: Attribute
    readonly quantity?: Attribute
    readonly discounted: boolean
  }
  /** Other tables with sales totals, such as invoices in addition to orders. */
  readonly others?: readonly Attribute[]
  /** Tables that could each be meant, when there is no telling: then nothing is chosen. */
  readonly rivals: readonly Entity[]
}

const NOT_SALES =
  /^(return|refund|stock|inventory|purchase|cart|basket|quote|shipment|payment|wishlist|budget|expense|payroll)$/
const SALE_NAME = /^(order|invoice|sale|transaction|bill|receipt|booking)$/
const TOTALS = [
  'total',
  'total amount',
  'grand total',
  'amount',
  'total price',
  'revenue',
  'value',
  'sale',
  'total value',
  'price',
]
const LINE_AMOUNTS = [
  'line total',
  'line amount',
  'subtotal',
  'amount',
  'total',
  'extended price',
  'total price',
  'revenue',
]
const PRICES = ['unit price', 'price', 'sale price', 'selling price', 'item price', 'price each']

/** Finds the tables of sales by their columns and links. Pure. */
export function findSales(catalogue: Catalogue): Sales {
  const tables = catalogue.entities.filter(
    (e) => e.table.kind === 'table' && !e.words.some((w) => NOT_SALES.test(singular(w))),
  )
  const lines = tables.filter((e) => lineOf(e) !== undefined)
  const linkedLines = lines.filter((e) => headerOf(e) !== undefined)
  const chosen = linkedLines.length > 0 ? linkedLines : lines.filter(isSaleName)
  if (chosen.length > 1) return { rivals: chosen }
  const entity = chosen[0]
  const line = entity === undefined ? undefined : lineOf(entity)
  const linked = entity === undefined ? undefined : headerOf(entity)
  if (line !== undefined && (linked !== undefined || isSaleName(line.entity))) {
    const others = tables
      .filter((e) => e !== linked && e !== line.entity && isSaleName(e))
      .flatMap((e) => totalOf(e) ?? [])
    return { line, rivals: [], others, ...(linked === undefined ? {} : { header: withTotal(linked) }) }
  }
  const headers = tables.filter((e) => isSaleName(e) && totalOf(e) !== undefined)
  if (headers.length > 1) return { rivals: headers }
  return { rivals: [], ...(headers[0] === undefined ? {} : { header: withTotal(headers[0]) }) }
}

function isSaleName(entity: Entity): boolean {
  return entity.words.some((w) => SALE_NAME.test(singular(w)))
}

function withTotal(entity: Entity): NonNullable<Sales['header']> {
  const total = totalOf(entity)
  return { entity, ...omitUndefined({ total }) }
}

function findNamed(entity: Entity, names: readonly string[]): Attribute | undefined {
  const usable = entity.attributes.filter(isNumericAttribute)
  for (const name of names) {
    const hit = usable.find(
      (a) => withoutOwner(a).map(singular).join(' ') === name || a.words.map(singular).join(' ') === name,
    )
    if (hit !== undefined) return hit
  }
  return undefined
}

function totalOf(entity: Entity): Attribute | undefined {
  return findNamed(entity, TOTALS)
}

function lineOf(entity: Entity): Sales['line'] {
  const quantity = entity.attributes.find(
    (a) => isNumericAttribute(a) && /^(quantity|unit)$/.test(singular(a.words.at(-1) ?? '')),
  )
  if (quantity === undefined) return undefined
  const amount = findNamed(entity, LINE_AMOUNTS)
  const price = findNamed(entity, PRICES)
  if ((amount ?? price) === undefined || entity.edges.every((e) => e.kind === 'many')) return undefined
  const discounted =
    amount === undefined && entity.attributes.some((a) => a.words.some((w) => singular(w) === 'discount'))
  return {
    entity,
    quantity,
    discounted,
    ...omitUndefined({ amount, price }),
  }
}

/** The parent table with the name of a sale. */
function headerOf(line: Entity): Entity | undefined {
  const parents = line.edges.filter((e) => e.kind === 'one' && e.to !== line).map((e) => e.to)
  return parents.find((p) => isSaleName(p) && p.attributes.some((a) => isMoney(a))) ?? parents.find(isSaleName)
}
