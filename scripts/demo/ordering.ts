import { FIRST_DAY, LAST_DAY, monthOf, workdayFrom, type Day } from './calendar.ts'
import type { Contact, Customer } from './people.ts'
import { isOnSale, priceOn, seasonFactor, type Product } from './products.ts'
import type { Random } from '../../test/support/random.ts'

export interface OrderLine {
  readonly id: number
  readonly product: Product
  readonly quantity: number
  /** Cents. */
  readonly unitPrice: number
  readonly discountPercent: number
  /** Cents, after discount. */
  readonly total: number
}

export interface Order {
  readonly id: number
  readonly customer: Customer
  readonly contactId: number
  readonly day: Day
  readonly requiredDay: Day
  readonly channel: string
  readonly lines: readonly OrderLine[]
  /** First day on which the warehouse may send it. */
  readonly readyDay: Day
  /** When the customer withdraws it; absent for nearly all. */
  readonly cancelledOn?: Day
  shippedDay?: Day
  /** May lie after the last day on record: then it is still on its way. */
  deliveredDay?: Day
}

/** Chance that a customer of average appetite orders on a workday. */
const DAILY_CHANCE = 0.0205
const FAVOURITES = 9
const MONTH_FACTORS = [0.86, 0.9, 0.96, 1, 1.02, 0.92, 0.8, 0.76, 1.04, 1.1, 1.26, 1.38]
const VOLUME_DISCOUNT_FROM = 40

/** What each segment buys more of than others do. */
const TASTES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  cafe: { 'Single Origin': 1.5, Brewers: 1.4, 'Barista Tools': 1.6, 'Cups and Lids': 1.4 },
  restaurant: { Blends: 1.3, Decaf: 1.8, 'Tea and Chocolate': 1.5, 'Cups and Lids': 0.3 },
  hotel: { Blends: 1.5, Decaf: 1.6, 'Tea and Chocolate': 2, 'Espresso Machines': 1.5 },
  office: { Blends: 1.6, 'Filters and Papers': 1.5, 'Barista Tools': 0.3, 'Single Origin': 0.5 },
  retailer: { 'Single Origin': 2, Brewers: 2, 'Cups and Lids': 0.2, 'Espresso Machines': 0.1 },
}

/** The people and goods that orders are made of. */
export interface Market {
  readonly customers: readonly Customer[]
  readonly contacts: readonly Contact[]
  readonly products: readonly Product[]
}

/** Whether the customer orders on this workday: by its appetite, the month, and the growth of the firm. */
export function ordersOn(random: Random, customer: Customer, day: Day): boolean {
  return random.chance(
    DAILY_CHANCE * customer.appetite * MONTH_FACTORS[monthOf(day) - 1]! * (0.75 + 0.6 * progress(day)),
  )
}

/** Gives a function that writes orders; each customer keeps a short list of products that it buys again and again. */
export function createOrderWriter(random: Random, market: Market): (customer: Customer, day: Day) => Order {
  const favourites = new Map(market.customers.map((c) => [c.id, chooseFavourites(random, c, market.products)]))
  let orders = 0
  let lines = 0
  return (customer, day) => {
    const isPreOrder = random.chance(0.13)
    const requiredDay = workdayFrom(day + (isPreOrder ? random.int(21, 60) : random.int(7, 14)))
    const contacts = market.contacts.filter((contact) => contact.customerId === customer.id)
    return {
      id: ++orders,
      customer,
      contactId: random.weighted(contacts, (contact) => (contact.isPrimary ? 3 : 1)).id,
      day,
      requiredDay,
      channel: chooseChannel(random, day),
      lines: chooseProducts(random, customer, day, favourites.get(customer.id)!, market.products).map((product) => ({
        id: ++lines,
        product,
        ...priceLine(random, customer, product, day),
      })),
      readyDay: isPreOrder ? requiredDay - 4 : day + random.int(1, 3),
      ...(random.chance(0.036) ? { cancelledOn: day + 1 } : {}),
    }
  }
}

function chooseFavourites(random: Random, customer: Customer, products: readonly Product[]): Product[] {
  const consumed = products.filter((product) => product.category.parent !== 'Equipment')
  const chosen = new Set<Product>()
  while (chosen.size < FAVOURITES) chosen.add(random.weighted(consumed, (product) => taste(customer, product)))
  return [...chosen]
}

function chooseProducts(
  random: Random,
  customer: Customer,
  day: Day,
  favourites: readonly Product[],
  all: readonly Product[],
): Product[] {
  const wanted = random.weighted([1, 2, 3, 4, 5], (n) => [22, 34, 25, 13, 6][n - 1]!)
  const chosen = new Set<Product>()
  for (let tries = 0; chosen.size < wanted && tries < 40; tries++) {
    const onSale = (random.chance(0.75) ? favourites : all).filter((product) => isOnSale(product, day))
    if (onSale.length === 0) continue
    chosen.add(random.weighted(onSale, (product) => taste(customer, product) * seasonFactor(product, day)))
  }
  return [...chosen]
}

function taste(customer: Customer, product: Product): number {
  return product.popularity * (TASTES[customer.segment]?.[product.category.name] ?? 1)
}

function priceLine(random: Random, customer: Customer, product: Product, day: Day): Omit<OrderLine, 'id' | 'product'> {
  const [least, most] = product.category.quantity ?? [1, 1]
  const quantity = random.int(least, least + Math.round((most - least) * Math.min(1, customer.appetite / 2.5)))
  const unitPrice = priceOn(product, product.listPrice, day)
  const discountPercent = customer.discountPercent + (quantity >= VOLUME_DISCOUNT_FROM ? 5 : 0)
  return {
    quantity,
    unitPrice,
    discountPercent,
    total: Math.round((quantity * unitPrice * (100 - discountPercent)) / 100),
  }
}

function chooseChannel(random: Random, day: Day): string {
  const web = 35 + 30 * progress(day)
  return random.weighted(['web', 'email', 'phone'], (channel) => ({ web, email: 35, phone: 20 })[channel] ?? 0)
}

/** 0 on the first day on record, 1 on the last. */
function progress(day: Day): number {
  return (day - FIRST_DAY) / (LAST_DAY - FIRST_DAY)
}
