import { FIRST_DAY, isMonday, isWorkday, LAST_DAY, workdayFrom, type Day } from './calendar.ts'
import { HOME_COUNTRY } from './names.ts'
import { createOrderWriter, ordersOn, type Market, type Order, type OrderLine } from './ordering.ts'
import { isActive, type Employee } from './people.ts'
import type { Random } from '../../test/support/random.ts'
import { Stock } from './stock.ts'

export interface Return {
  readonly line: OrderLine
  readonly day: Day
  readonly quantity: number
  readonly reason: string
  readonly restocked: boolean
}

export interface Trade {
  readonly orders: readonly Order[]
  /** Those that happened until the last day, oldest first. */
  readonly returns: readonly Return[]
  readonly stock: Stock
}

const RETURN_REASONS = [
  { reason: 'damaged in transit', weight: 40, restocked: false },
  { reason: 'wrong item', weight: 25, restocked: true },
  { reason: 'ordered too much', weight: 20, restocked: true },
  { reason: 'quality', weight: 15, restocked: false },
]

/** Plays three years of trade day by day: goods arrive, orders come in, are withdrawn or sent, and some goods come back. */
export function simulateTrade(random: Random, market: Market, employees: readonly Employee[]): Trade {
  const stock = new Stock(random, market.products, employees)
  const writeOrder = createOrderWriter(random, market)
  const orders: Order[] = []
  const returns: Return[] = []
  let unsent: Order[] = []
  for (let day = FIRST_DAY; day <= LAST_DAY; day++) {
    stock.receive(day)
    for (const item of returns) if (item.day === day && item.restocked) stock.add(item.line.product, item.quantity)
    if (!isWorkday(day)) continue
    for (const customer of market.customers) {
      if (!isActive(customer, day) || !ordersOn(random, customer, day)) continue
      const order = writeOrder(customer, day)
      orders.push(order)
      unsent.push(order)
    }
    unsent = unsent.filter((order) => order.cancelledOn === undefined || order.cancelledOn > day)
    for (const order of unsent) {
      if (order.readyDay > day || !stock.takeAll(order.lines)) continue
      order.shippedDay = day
      order.deliveredDay = deliveryDay(random, order, day)
      returns.push(...chooseReturns(random, order, order.deliveredDay))
    }
    unsent = unsent.filter((order) => order.shippedDay === undefined)
    if (isMonday(day)) stock.refill(day, promisedUnits(unsent))
  }
  return { orders, returns: returns.filter((r) => r.day <= LAST_DAY).sort((a, b) => a.day - b.day), stock }
}

export function isCancelled(order: Order): boolean {
  return order.cancelledOn !== undefined && order.cancelledOn <= LAST_DAY && order.shippedDay === undefined
}

export function isDelivered(order: Order): boolean {
  return order.deliveredDay !== undefined && order.deliveredDay <= LAST_DAY
}

function deliveryDay(random: Random, order: Order, shipped: Day): Day {
  const usual = order.customer.place.country === HOME_COUNTRY ? random.int(1, 2) : random.int(2, 5)
  return workdayFrom(shipped + usual + (random.chance(0.07) ? random.int(4, 12) : 0))
}

function chooseReturns(random: Random, order: Order, delivered: Day): Return[] {
  return order.lines
    .filter(() => random.chance(0.024))
    .map((line) => {
      const { reason, restocked } = random.weighted(RETURN_REASONS, (r) => r.weight)
      const quantity = random.chance(0.3) ? line.quantity : random.int(1, Math.max(1, Math.ceil(line.quantity / 3)))
      return { line, day: workdayFrom(delivered + random.int(1, 16)), quantity, reason, restocked }
    })
}

function promisedUnits(orders: readonly Order[]): Map<number, number> {
  const promised = new Map<number, number>()
  for (const { product, quantity } of orders.flatMap((order) => order.lines)) {
    promised.set(product.id, (promised.get(product.id) ?? 0) + quantity)
  }
  return promised
}
