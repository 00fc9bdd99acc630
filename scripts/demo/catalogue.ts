import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export interface CatalogueCategory {
  readonly name: string
  readonly parent?: string
  readonly skuPrefix?: string
  readonly unit?: string
  /** Pieces per order line, from and to. */
  readonly quantity?: readonly [number, number]
  readonly reorderLevel?: number
}

interface CatalogueSupplier {
  readonly name: string
  readonly country: string
  readonly leadTimeDays: number
}

interface CatalogueProduct {
  readonly name: string
  readonly category: string
  readonly supplier: string
  readonly listPrice: number
  readonly unitCost: number
  /** Relative number of order lines. */
  readonly popularity: number
  readonly introducedOn?: string
  readonly discontinuedOn?: string
  /** The part of the year in which it sells best. */
  readonly season?: 'summer' | 'winter'
}

interface Catalogue {
  readonly categories: readonly CatalogueCategory[]
  readonly suppliers: readonly CatalogueSupplier[]
  readonly products: readonly CatalogueProduct[]
}

/** What the company sells and whom it buys from. */
export const {
  categories: CATEGORIES,
  suppliers: SUPPLIERS,
  products: PRODUCTS,
} = parse(readFileSync(join(import.meta.dirname, 'catalogue.yaml'), 'utf8')) as Catalogue
