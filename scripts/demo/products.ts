import { FIRST_DAY, monthOf, parseDay, type Day } from './calendar.ts'
import { CATEGORIES, PRODUCTS, SUPPLIERS, type CatalogueCategory } from './catalogue.ts'

export interface Product {
  readonly id: number
  readonly sku: string
  readonly name: string
  readonly category: CatalogueCategory
  readonly categoryId: number
  readonly supplierId: number
  /** Cents. */
  readonly listPrice: number
  /** Cents. */
  readonly unitCost: number
  readonly popularity: number
  readonly season?: 'summer' | 'winter'
  readonly reorderLevel: number
  readonly introduced: Day
  readonly discontinued?: Day
}

const FOUNDING = parseDay('2019-09-02')
const COFFEE_PRICE_RISE = parseDay('2025-02-03')
const MONTHS = { summer: [5, 6, 7, 8, 9], winter: [10, 11, 12, 1] }

export function makeProducts(): Product[] {
  const numberIn = new Map<string, number>()
  return PRODUCTS.map((item, index) => {
    const categoryId = CATEGORIES.findIndex((c) => c.name === item.category) + 1
    const category = CATEGORIES[categoryId - 1]!
    const number = (numberIn.get(item.category) ?? 0) + 1
    numberIn.set(item.category, number)
    return {
      id: index + 1,
      sku: `${category.skuPrefix}-${String(100 + number)}`,
      name: item.name,
      category,
      categoryId,
      supplierId: SUPPLIERS.findIndex((s) => s.name === item.supplier) + 1,
      listPrice: item.listPrice,
      unitCost: item.unitCost,
      popularity: item.popularity,
      ...(item.season === undefined ? {} : { season: item.season }),
      reorderLevel: reorderLevel(category, item.popularity),
      introduced: item.introducedOn === undefined ? FOUNDING : parseDay(item.introducedOn),
      ...(item.discontinuedOn === undefined ? {} : { discontinued: parseDay(item.discontinuedOn) }),
    }
  })
}

export function isOnSale(product: Product, day: Day): boolean {
  return product.introduced <= day && (product.discontinued === undefined || day <= product.discontinued)
}

/** A seasonal product sells three times as well in its months, and hardly outside of them. */
export function seasonFactor(product: Product, day: Day): number {
  if (product.season === undefined) return 1
  return MONTHS[product.season].includes(monthOf(day)) ? 3 : 0.2
}

/** Coffee became dearer, to buy and to sell, on 3 February 2025: `list_price` and `unit_cost` are today's. */
export function priceOn(product: Product, cents: number, day: Day): number {
  return product.category.parent === 'Coffee' && day < COFFEE_PRICE_RISE ? Math.round(cents * 0.92) : cents
}

/** Stock on the first day: enough for the weeks until the first goods arrive. */
export function openingStock(product: Product): number {
  return product.introduced <= FIRST_DAY ? product.reorderLevel * 2 : 0
}

function reorderLevel(category: CatalogueCategory, popularity: number): number {
  const siblings = PRODUCTS.filter((p) => p.category === category.name)
  const mean = siblings.reduce((sum, p) => sum + p.popularity, 0) / siblings.length
  return Math.max(1, Math.round((category.reorderLevel ?? 0) * (popularity / mean)))
}
