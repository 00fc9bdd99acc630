import { LAST_DAY, parseDay, workdayFrom, type Day } from './calendar.ts'
import { SUPPLIERS } from './catalogue.ts'
import type { OrderLine } from './ordering.ts'
import type { Employee } from './people.ts'
import { isOnSale, openingStock, priceOn, type Product } from './products.ts'
import type { Random } from '../../test/support/random.ts'

interface PurchaseLine {
  readonly id: number
  readonly product: Product
  readonly quantity: number
  /** Cents. */
  readonly unitCost: number
}

export interface Purchase {
  readonly id: number
  readonly supplierId: number
  readonly buyerId: number
  readonly day: Day
  readonly expectedDay: Day
  /** May lie after the last day on record: then it is still on its way. */
  readonly receivedDay: Day
  readonly lines: readonly PurchaseLine[]
}

/** A product is bought up to this multiple of its reorder level. */
const REFILL = 1.9

/** What lies in the warehouse, and what has been bought to fill it up. */
export class Stock {
  readonly purchases: Purchase[] = []
  private readonly units: Map<number, number>
  private purchaseLines = 0
  private readonly random: Random
  private readonly products: readonly Product[]
  private readonly buyers: readonly Employee[]

  constructor(random: Random, products: readonly Product[], employees: readonly Employee[]) {
    this.random = random
    this.products = products
    this.buyers = employees.filter((employee) => employee.jobTitle === 'Buyer')
    this.units = new Map(products.map((product) => [product.id, openingStock(product)]))
  }

  unitsOf(product: Product): number {
    return this.units.get(product.id) ?? 0
  }

  add(product: Product, quantity: number): void {
    this.units.set(product.id, this.unitsOf(product) + quantity)
  }

  /** Takes all lines out, or nothing when one of them is short. */
  takeAll(lines: readonly OrderLine[]): boolean {
    if (lines.some((line) => this.unitsOf(line.product) < line.quantity)) return false
    for (const line of lines) this.add(line.product, -line.quantity)
    return true
  }

  receive(day: Day): void {
    for (const purchase of this.purchases) {
      if (purchase.receivedDay !== day) continue
      for (const line of purchase.lines) this.add(line.product, line.quantity)
    }
  }

  /**
   * Buys what runs low, one purchase a supplier.
   * @param promised units by product id in orders that have not been sent
   */
  refill(day: Day, promised: ReadonlyMap<number, number>): void {
    const needs = this.products
      .map((product) => ({ product, quantity: this.shortage(product, day, promised.get(product.id) ?? 0) }))
      .filter((need) => need.quantity > 0)
    for (const supplierId of new Set(needs.map((need) => need.product.supplierId))) {
      this.buy(
        day,
        supplierId,
        needs.filter((need) => need.product.supplierId === supplierId),
      )
    }
  }

  /** Units to buy now; a discontinued product is bought only for orders already taken. */
  private shortage(product: Product, day: Day, promised: number): number {
    const level = isOnSale(product, day) ? product.reorderLevel : 0
    const available = this.unitsOf(product) + this.onTheWay(product, day) - promised
    if (level === 0) return Math.max(0, -available)
    return available < level ? Math.ceil(level * REFILL) - available : 0
  }

  private onTheWay(product: Product, day: Day): number {
    let units = 0
    for (const purchase of this.purchases) {
      if (purchase.receivedDay <= day) continue
      for (const line of purchase.lines) if (line.product === product) units += line.quantity
    }
    return units
  }

  private buy(day: Day, supplierId: number, needs: readonly { product: Product; quantity: number }[]): void {
    const expectedDay = workdayFrom(day + SUPPLIERS[supplierId - 1]!.leadTimeDays)
    const delay = this.random.weighted(
      [-3, 0, 2, 6, 15],
      (days) => ({ [-3]: 15, 0: 45, 2: 22, 6: 12, 15: 6 })[days] ?? 0,
    )
    this.purchases.push({
      id: this.purchases.length + 1,
      supplierId,
      buyerId: this.random.pick(this.buyers.filter((buyer) => parseDay(buyer.hireDate) <= day)).id,
      day,
      expectedDay,
      receivedDay: workdayFrom(expectedDay + delay),
      lines: needs.map(({ product, quantity }) => ({
        id: ++this.purchaseLines,
        product,
        quantity,
        unitCost: priceOn(product, product.unitCost, day),
      })),
    })
  }
}

export function isReceived(purchase: Purchase): boolean {
  return purchase.receivedDay <= LAST_DAY
}
