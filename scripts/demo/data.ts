import { makeInvoices, makePayments, type Invoice } from './billing.ts'
import { isoDay, LAST_DAY, type Day } from './calendar.ts'
import { CATEGORIES, SUPPLIERS } from './catalogue.ts'
import { CARRIERS } from './freight.ts'
import type { Order } from './ordering.ts'
import { emailOf, makeContacts, makeCustomers, makeEmployees } from './people.ts'
import { makeProducts } from './products.ts'
import { createRandom } from '../../test/support/random.ts'
import { isReceived } from './stock.ts'
import { makeTickets } from './tickets.ts'
import { isCancelled, isDelivered, simulateTrade } from './trade.ts'

const COMPANY_NAME = 'Brindlemoor Coffee'

export type Value = string | number | boolean | null
export type Row = Readonly<Record<string, Value>>
export type DemoData = ReturnType<typeof makeDemoData>
export type TableName = keyof DemoData

/** Makes all rows of the demo business, tables in the order in which they can be filled. Same seed, same rows. */
export function makeDemoData(seed = 20_231_101) {
  const random = createRandom(seed)
  const employees = makeEmployees(random)
  const products = makeProducts()
  const customers = makeCustomers(random, employees)
  const contacts = makeContacts(random, customers)
  const { orders, returns, stock } = simulateTrade(random, { customers, contacts, products }, employees)
  const invoices = makeInvoices(orders)
  const payments = makePayments(random, invoices)
  const paid = new Map<Invoice, number>()
  for (const { invoice, amount } of payments) paid.set(invoice, (paid.get(invoice) ?? 0) + amount)
  return {
    employees: employees.map((employee): Row => ({
      employee_id: employee.id,
      ...columns(employee, 'firstName', 'lastName', 'jobTitle', 'department', 'hireDate', 'managerId'),
      email: emailOf(employee, COMPANY_NAME),
    })),
    suppliers: SUPPLIERS.map((supplier, i): Row => ({
      supplier_id: i + 1,
      company_name: supplier.name,
      ...columns(supplier, 'country', 'leadTimeDays'),
      email: emailOf({ firstName: 'sales', lastName: 'desk' }, supplier.name),
    })),
    categories: CATEGORIES.map(({ name, parent }, i): Row => {
      const at = CATEGORIES.findIndex((other) => other.name === parent)
      return { category_id: i + 1, name, parent_category_id: at < 0 ? null : at + 1 }
    }),
    products: products.map((product): Row => ({
      product_id: product.id,
      ...columns(product, 'sku', 'name', 'categoryId', 'supplierId', 'reorderLevel'),
      unit: product.category.unit ?? 'piece',
      list_price: euros(product.listPrice),
      unit_cost: euros(product.unitCost),
      units_in_stock: stock.unitsOf(product),
      introduced_on: isoDay(product.introduced),
      discontinued_on: dayOrNull(product.discontinued),
    })),
    customers: customers.map((customer): Row => ({
      customer_id: customer.id,
      ...columns(customer, 'companyName', 'segment', 'city', 'accountManagerId', 'paymentTermsDays', 'discountPercent'),
      country: customer.place.country,
      customer_since: isoDay(customer.since),
      is_active: customer.leftOn === undefined,
    })),
    contacts: contacts.map((contact): Row => ({
      contact_id: contact.id,
      ...columns(contact, 'customerId', 'firstName', 'lastName', 'role', 'email', 'phone', 'isPrimary'),
    })),
    purchase_orders: stock.purchases.map((purchase): Row => ({
      purchase_order_id: purchase.id,
      supplier_id: purchase.supplierId,
      ordered_by: purchase.buyerId,
      order_date: isoDay(purchase.day),
      expected_date: isoDay(purchase.expectedDay),
      received_date: dayOrNull(purchase.receivedDay),
      status: isReceived(purchase) ? 'received' : 'ordered',
      total: euros(purchase.lines.reduce((sum, line) => sum + line.quantity * line.unitCost, 0)),
    })),
    purchase_order_lines: stock.purchases.flatMap(({ id, lines }) =>
      lines.map((line): Row => ({
        purchase_order_line_id: line.id,
        purchase_order_id: id,
        product_id: line.product.id,
        quantity: line.quantity,
        unit_cost: euros(line.unitCost),
        line_total: euros(line.quantity * line.unitCost),
      })),
    ),
    orders: orders.map((order): Row => ({
      order_id: order.id,
      customer_id: order.customer.id,
      contact_id: order.contactId,
      employee_id: order.customer.accountManagerId,
      order_date: isoDay(order.day),
      required_date: isoDay(order.requiredDay),
      channel: order.channel,
      status: orderStatus(order),
    })),
    order_lines: orders.flatMap(({ id, lines }) =>
      lines.map((line): Row => ({
        order_line_id: line.id,
        order_id: id,
        product_id: line.product.id,
        ...columns(line, 'quantity', 'discountPercent'),
        unit_price: euros(line.unitPrice),
        line_total: euros(line.total),
      })),
    ),
    shipments: invoices.map(({ order }, i): Row => ({
      shipment_id: i + 1,
      order_id: order.id,
      carrier: CARRIERS[(order.customer.id + i + 1) % CARRIERS.length]!,
      tracking_number: `BRC${String(400_000 + (i + 1) * 37)}`,
      shipped_date: isoDay(order.shippedDay!),
      delivered_date: dayOrNull(order.deliveredDay),
    })),
    invoices: invoices.map((invoice): Row => ({
      invoice_id: invoice.id,
      invoice_number: `INV-${isoDay(invoice.day).slice(0, 4)}-${String(invoice.id).padStart(4, '0')}`,
      order_id: invoice.order.id,
      invoice_date: isoDay(invoice.day),
      due_date: isoDay(invoice.dueDay),
      subtotal: euros(invoice.subtotal),
      tax_percent: invoice.taxPercent,
      tax_amount: euros(invoice.tax),
      total: euros(invoice.total),
      status: paymentStatus(paid.get(invoice) ?? 0, invoice.total),
    })),
    payments: payments.map(({ invoice, day, amount, method }, i): Row => ({
      payment_id: i + 1,
      invoice_id: invoice.id,
      payment_date: isoDay(day),
      amount: euros(amount),
      method,
    })),
    returns: returns.map(({ line, day, quantity, reason, restocked }, i): Row => ({
      return_id: i + 1,
      order_line_id: line.id,
      return_date: isoDay(day),
      quantity,
      reason,
      refund_amount: euros(Math.round((line.total * quantity) / line.quantity)),
      restocked,
    })),
    support_tickets: makeTickets(random, orders, employees).map((ticket, i): Row => ({
      ticket_id: i + 1,
      ...columns(ticket, 'customerId', 'contactId', 'orderId', 'employeeId', 'openedAt', 'closedAt'),
      ...columns(ticket, 'topic', 'priority', 'subject', 'satisfaction'),
      status: ticket.closedAt === null ? 'open' : 'closed',
    })),
  }
}

/** Fields of an object as columns: `firstName` as `first_name`. */
function columns<T extends object>(from: T, ...names: readonly (keyof T & string)[]): Row {
  return Object.fromEntries(
    names.map((name) => [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), from[name] as Value]),
  )
}

/** Cents to euros. Dividing whole cents gives the double nearest to the two-digit decimal. */
function euros(cents: number): number {
  return cents / 100
}

function dayOrNull(day: Day | undefined): string | null {
  return day === undefined || day > LAST_DAY ? null : isoDay(day)
}

function orderStatus(order: Order): string {
  if (isCancelled(order)) return 'cancelled'
  if (order.shippedDay === undefined) return 'open'
  return isDelivered(order) ? 'delivered' : 'shipped'
}

function paymentStatus(paid: number, total: number): string {
  if (paid === 0) return 'unpaid'
  return paid < total ? 'part_paid' : 'paid'
}
