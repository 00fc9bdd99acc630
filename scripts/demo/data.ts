import { makeInvoices, makePayments, type Invoice, type Payment } from './billing.ts'
import { isoDay, LAST_DAY, type Day } from './calendar.ts'
import { CATEGORIES, SUPPLIERS } from './catalogue.ts'
import { CARRIERS } from './freight.ts'
import type { Order } from './ordering.ts'
import {
  emailOf,
  makeContacts,
  makeCustomers,
  makeEmployees,
  type Contact,
  type Customer,
  type Employee,
} from './people.ts'
import { makeProducts, type Product } from './products.ts'
import { createRandom } from '../../test/support/random.ts'
import { isReceived, type Purchase, type Stock } from './stock.ts'
import { makeTickets, type Ticket } from './tickets.ts'
import { isCancelled, isDelivered, simulateTrade, type Return } from './trade.ts'

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
  return {
    employees: employees.map(employeeRow),
    suppliers: SUPPLIERS.map(supplierRow),
    categories: CATEGORIES.map(categoryRow),
    products: products.map((product) => productRow(product, stock)),
    customers: customers.map(customerRow),
    contacts: contacts.map(contactRow),
    purchase_orders: stock.purchases.map(purchaseRow),
    purchase_order_lines: stock.purchases.flatMap(purchaseLineRows),
    orders: orders.map(orderRow),
    order_lines: orders.flatMap(orderLineRows),
    shipments: invoices.map(({ order }, i) => shipmentRow(order, i + 1)),
    invoices: invoiceRows(invoices, payments),
    payments: payments.map(paymentRow),
    returns: returns.map(returnRow),
    support_tickets: makeTickets(random, orders, employees).map(ticketRow),
  }
}

/** Cents to euros. Dividing whole cents gives the double nearest to the two-digit decimal. */
function euros(cents: number): number {
  return cents / 100
}

function dayOrNull(day: Day | undefined): string | null {
  return day === undefined || day > LAST_DAY ? null : isoDay(day)
}

function employeeRow(employee: Employee): Row {
  return {
    employee_id: employee.id,
    first_name: employee.firstName,
    last_name: employee.lastName,
    email: emailOf(employee, COMPANY_NAME),
    job_title: employee.jobTitle,
    department: employee.department,
    hire_date: employee.hireDate,
    manager_id: employee.managerId,
  }
}

function supplierRow(supplier: (typeof SUPPLIERS)[number], index: number): Row {
  return {
    supplier_id: index + 1,
    company_name: supplier.name,
    country: supplier.country,
    email: emailOf({ firstName: 'sales', lastName: 'desk' }, supplier.name),
    lead_time_days: supplier.leadTimeDays,
  }
}

function categoryRow(category: (typeof CATEGORIES)[number], index: number): Row {
  const parent = CATEGORIES.findIndex((other) => other.name === category.parent)
  return { category_id: index + 1, name: category.name, parent_category_id: parent < 0 ? null : parent + 1 }
}

function productRow(product: Product, stock: Stock): Row {
  return {
    product_id: product.id,
    sku: product.sku,
    name: product.name,
    category_id: product.categoryId,
    supplier_id: product.supplierId,
    unit: product.category.unit ?? 'piece',
    list_price: euros(product.listPrice),
    unit_cost: euros(product.unitCost),
    units_in_stock: stock.unitsOf(product),
    reorder_level: product.reorderLevel,
    introduced_on: isoDay(product.introduced),
    discontinued_on: dayOrNull(product.discontinued),
  }
}

function customerRow(customer: Customer): Row {
  return {
    customer_id: customer.id,
    company_name: customer.companyName,
    segment: customer.segment,
    city: customer.city,
    country: customer.place.country,
    account_manager_id: customer.accountManagerId,
    payment_terms_days: customer.paymentTermsDays,
    discount_percent: customer.discountPercent,
    customer_since: isoDay(customer.since),
    is_active: customer.leftOn === undefined,
  }
}

function contactRow(contact: Contact): Row {
  return {
    contact_id: contact.id,
    customer_id: contact.customerId,
    first_name: contact.firstName,
    last_name: contact.lastName,
    role: contact.role,
    email: contact.email,
    phone: contact.phone,
    is_primary: contact.isPrimary,
  }
}

function purchaseRow(purchase: Purchase): Row {
  return {
    purchase_order_id: purchase.id,
    supplier_id: purchase.supplierId,
    ordered_by: purchase.buyerId,
    order_date: isoDay(purchase.day),
    expected_date: isoDay(purchase.expectedDay),
    received_date: dayOrNull(purchase.receivedDay),
    status: isReceived(purchase) ? 'received' : 'ordered',
    total: euros(purchase.lines.reduce((sum, line) => sum + line.quantity * line.unitCost, 0)),
  }
}

function purchaseLineRows(purchase: Purchase): Row[] {
  return purchase.lines.map((line) => ({
    purchase_order_line_id: line.id,
    purchase_order_id: purchase.id,
    product_id: line.product.id,
    quantity: line.quantity,
    unit_cost: euros(line.unitCost),
    line_total: euros(line.quantity * line.unitCost),
  }))
}

function orderRow(order: Order): Row {
  return {
    order_id: order.id,
    customer_id: order.customer.id,
    contact_id: order.contactId,
    employee_id: order.customer.accountManagerId,
    order_date: isoDay(order.day),
    required_date: isoDay(order.requiredDay),
    channel: order.channel,
    status: orderStatus(order),
  }
}

function orderStatus(order: Order): string {
  if (isCancelled(order)) return 'cancelled'
  if (order.shippedDay === undefined) return 'open'
  return isDelivered(order) ? 'delivered' : 'shipped'
}

function orderLineRows(order: Order): Row[] {
  return order.lines.map((line) => ({
    order_line_id: line.id,
    order_id: order.id,
    product_id: line.product.id,
    quantity: line.quantity,
    unit_price: euros(line.unitPrice),
    discount_percent: line.discountPercent,
    line_total: euros(line.total),
  }))
}

function shipmentRow(order: Order, id: number): Row {
  return {
    shipment_id: id,
    order_id: order.id,
    carrier: CARRIERS[(order.customer.id + id) % CARRIERS.length]!,
    tracking_number: `BRC${String(400_000 + id * 37)}`,
    shipped_date: isoDay(order.shippedDay!),
    delivered_date: dayOrNull(order.deliveredDay),
  }
}

function invoiceRows(invoices: readonly Invoice[], payments: readonly Payment[]): Row[] {
  const paid = new Map<Invoice, number>()
  for (const { invoice, amount } of payments) paid.set(invoice, (paid.get(invoice) ?? 0) + amount)
  return invoices.map((invoice) => ({
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
  }))
}

function paymentStatus(paid: number, total: number): string {
  if (paid === 0) return 'unpaid'
  return paid < total ? 'part_paid' : 'paid'
}

function paymentRow(payment: Payment, index: number): Row {
  return {
    payment_id: index + 1,
    invoice_id: payment.invoice.id,
    payment_date: isoDay(payment.day),
    amount: euros(payment.amount),
    method: payment.method,
  }
}

function returnRow(item: Return, index: number): Row {
  return {
    return_id: index + 1,
    order_line_id: item.line.id,
    return_date: isoDay(item.day),
    quantity: item.quantity,
    reason: item.reason,
    refund_amount: euros(Math.round((item.line.total * item.quantity) / item.line.quantity)),
    restocked: item.restocked,
  }
}

function ticketRow(ticket: Ticket, index: number): Row {
  return {
    ticket_id: index + 1,
    customer_id: ticket.customerId,
    contact_id: ticket.contactId,
    order_id: ticket.orderId,
    employee_id: ticket.employeeId,
    opened_at: ticket.openedAt,
    closed_at: ticket.closedAt,
    topic: ticket.topic,
    priority: ticket.priority,
    status: ticket.closedAt === null ? 'open' : 'closed',
    subject: ticket.subject,
    satisfaction: ticket.satisfaction,
  }
}
