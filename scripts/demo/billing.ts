import { LAST_DAY, type Day } from './calendar.ts'
import { HOME_COUNTRY } from './names.ts'
import type { Order } from './ordering.ts'
import type { PaymentHabit } from './people.ts'
import type { Random } from '../../test/support/random.ts'

export interface Invoice {
  readonly id: number
  readonly order: Order
  readonly day: Day
  readonly dueDay: Day
  /** Cents, as all amounts here. */
  readonly subtotal: number
  readonly taxPercent: number
  readonly tax: number
  readonly total: number
}

export interface Payment {
  readonly invoice: Invoice
  readonly day: Day
  readonly amount: number
  readonly method: string
}

/** Irish VAT. Sales to firms in other countries carry none. */
const HOME_TAX_PERCENT = 23

/** Days after the due date, from and to; and how often a bill is paid in two parts. */
const HABITS: Readonly<Record<PaymentHabit, { readonly days: readonly [number, number]; readonly inParts: number }>> = {
  prompt: { days: [-12, 2], inParts: 0.01 },
  slow: { days: [3, 34], inParts: 0.08 },
  bad: { days: [18, 95], inParts: 0.3 },
}

/** One invoice for each order that was sent, dated the day it left. */
export function makeInvoices(orders: readonly Order[]): Invoice[] {
  return orders
    .flatMap((order) => (order.shippedDay === undefined ? [] : [{ order, day: order.shippedDay }]))
    .sort((a, b) => a.day - b.day || a.order.id - b.order.id)
    .map(({ order, day }, index) => {
      const subtotal = order.lines.reduce((sum, line) => sum + line.total, 0)
      const taxPercent = order.customer.place.country === HOME_COUNTRY ? HOME_TAX_PERCENT : 0
      const tax = Math.round((subtotal * taxPercent) / 100)
      const dueDay = day + order.customer.paymentTermsDays
      return { id: index + 1, order, day, dueDay, subtotal, taxPercent, tax, total: subtotal + tax }
    })
}

/** What has been paid until the last day, oldest first. */
export function makePayments(random: Random, invoices: readonly Invoice[]): Payment[] {
  return invoices
    .flatMap((invoice) => payOff(random, invoice))
    .filter((payment) => payment.day <= LAST_DAY)
    .sort((a, b) => a.day - b.day || a.invoice.id - b.invoice.id)
}

function payOff(random: Random, invoice: Invoice): Payment[] {
  const { days, inParts } = HABITS[invoice.order.customer.habit]
  const day = Math.max(invoice.day, invoice.dueDay + random.int(...days))
  const method = random.weighted(
    ['bank transfer', 'direct debit', 'card'],
    (m) => ({ card: 10, 'direct debit': 30 })[m] ?? 60,
  )
  if (!random.chance(inParts)) return [{ invoice, day, amount: invoice.total, method }]
  const first = Math.round((invoice.total * random.int(30, 70)) / 100)
  const later = day + random.int(14, 50)
  return [
    { invoice, day, amount: first, method },
    { invoice, day: later, amount: invoice.total - first, method },
  ]
}
