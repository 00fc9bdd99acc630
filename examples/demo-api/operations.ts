import { createHash } from 'node:crypto'
import { withFlags, type Books, type Row } from './books.ts'
import { Problem } from './problem.ts'
import { TODAY } from './views.ts'

/** A validated request. */
export interface Input {
  /** Without the query. */
  readonly path: string
  readonly params: Readonly<Record<string, number>>
  readonly query: Query
  readonly body: unknown
}

type Query = Readonly<Record<string, string | number | boolean>> & { readonly page: number; readonly limit: number }

type Operate = (books: Books, input: Input) => unknown

const PERIOD = (column: string) => ({ from: `${column} >= ?`, to: `${column} <= ?` })

const ORDER_BY: Readonly<Record<string, string>> = {
  newest: 'order_date DESC, order_id DESC',
  oldest: 'order_date, order_id',
  largest: 'total DESC, order_id',
  smallest: 'total, order_id',
}

/** The demo uses a fixed time, so that equal requests get equal responses. */
const NOW = `${TODAY}T12:00:00Z`

/** The handler of each operation by its id in the OpenAPI document. */
export const OPERATIONS: Readonly<Record<string, Operate>> = {
  listOrders: list('orders_now', ({ sort }) => ORDER_BY[String(sort)]!, {
    min_total: 'total >= ?',
    max_total: 'total <= ?',
    ...PERIOD('order_date'),
  }),
  getOrder: (books, { params }) => orderWithLines(books, params['orderId']!),
  cancelOrder(books, { params, body }) {
    const orderId = params['orderId']!
    const { status } = orderWithLines(books, orderId)
    if (status !== 'open') {
      throw new Problem(409, 'conflict', `Order ${orderId} is ${String(status)}; only open orders can be cancelled.`)
    }
    const reason = (body as { readonly reason?: string | null } | undefined)?.reason ?? null
    books.rows('INSERT INTO main.cancelled_orders (order_id, reason) VALUES (?, ?)', [orderId, reason])
    return orderWithLines(books, orderId)
  },
  listCustomers: list('customers_now', () => 'company_name, customer_id', {}, 'is_active'),
  getCustomer(books, { params }) {
    const customerId = params['customerId']!
    const [customer] = books.rows(
      `SELECT c.*,
         (SELECT count(*) FROM orders_now o WHERE o.customer_id = c.customer_id AND o.status <> 'cancelled') AS order_count,
         (SELECT round(coalesce(sum(balance), 0), 2) FROM invoices_now i WHERE i.customer_id = c.customer_id) AS unpaid_balance
       FROM customers_now c WHERE customer_id = ?`,
      [customerId],
    )
    if (customer === undefined) throw missing('customer', customerId)
    const contacts = books.rows(
      `SELECT first_name || ' ' || last_name AS name, role, email, phone, is_primary
       FROM demo.contacts WHERE customer_id = ? ORDER BY is_primary DESC, contact_id`,
      [customerId],
    )
    return {
      ...withFlags(customer, 'is_active'),
      contacts: contacts.map((contact) => withFlags(contact, 'is_primary')),
    }
  },
  listProducts: list(
    'products_now',
    () => 'name, product_id',
    { category: '? IN (category, department)', is_discontinued: '(discontinued_on IS NOT NULL) = ?' },
    'below_reorder_level',
  ),
  listInvoices: list(
    'invoices_now',
    () => 'due_date, invoice_id',
    { overdue: 'is_overdue = ?', ...PERIOD('invoice_date') },
    'is_overdue',
  ),
  listShipments: list('shipments_now', () => 'shipped_date DESC, shipment_id DESC', { late: 'is_late = ?' }, 'is_late'),
  listTickets: list('tickets_now', () => 'opened_at DESC, ticket_id DESC', {}),
  getTicket: (books, { params }) => ticketOf(books, params['ticketId']!),
  createTicket(books, { body }) {
    const { customer_id, order_id, topic, priority, subject } = body as NewTicket
    assertOrder(books, customer_id, order_id)
    const [made] = books.rows(
      `INSERT INTO main.tickets (ticket_id, customer_id, order_id, topic, priority, subject, opened_at)
       SELECT max(ticket_id) + 1, ?, ?, ?, ?, ?, ? FROM tickets_now RETURNING ticket_id`,
      [customer_id, order_id, topic, priority, subject.trim(), NOW],
    )
    return ticketOf(books, Number(made?.['ticket_id']))
  },
}

interface NewTicket {
  readonly customer_id: number
  readonly order_id: number | null
  readonly topic: string
  readonly priority: string
  readonly subject: string
}

/**
 * A list with pages.
 * @param conditions conditions of query parameters that are not equal to a column
 * @param flag a column of 0 and 1 that is a boolean
 */
function list(
  view: string,
  order: (query: Query) => string,
  conditions: Readonly<Record<string, string>>,
  flag?: string,
): Operate {
  return (books, { path, query }) => {
    const { page, limit, sort: _sort, ...filters } = query
    const { rows, total } = books.page(
      view,
      Object.entries(filters).map(([name, value]) => [conditions[name] ?? `${name} = ?`, value]),
      order(query),
      { page, limit },
    )
    const pages = Math.ceil(total / limit)
    const next = new URLSearchParams({ ...query, page: page + 1 } as unknown as Record<string, string>)
    return {
      data: flag === undefined ? rows : rows.map((row) => withFlags(row, flag)),
      pagination: {
        page,
        limit,
        total_items: total,
        total_pages: pages,
        next: page < pages ? `${path}?${next.toString()}` : null,
      },
    }
  }
}

function orderWithLines(books: Books, orderId: number): Row {
  const [order] = books.rows(
    `SELECT o.*, x.reason AS cancellation_reason
     FROM orders_now o LEFT JOIN main.cancelled_orders x USING (order_id) WHERE order_id = ?`,
    [orderId],
  )
  if (order === undefined) throw missing('order', orderId)
  const lines = books.rows(
    `SELECT product_id, name AS product_name, quantity, unit_price, l.discount_percent, line_total
     FROM demo.order_lines l JOIN demo.products USING (product_id) WHERE order_id = ? ORDER BY order_line_id`,
    [orderId],
  )
  return { ...order, lines }
}

function ticketOf(books: Books, ticketId: number): Row {
  const [ticket] = books.rows('SELECT * FROM tickets_now WHERE ticket_id = ?', [ticketId])
  if (ticket === undefined) throw missing('ticket', ticketId)
  return ticket
}

function missing(what: string, id: number): Problem {
  return new Problem(404, 'not_found', `There is no ${what} ${id}.`, `${what}Id`)
}

function assertOrder(books: Books, customerId: number, orderId: number | null): void {
  if (books.rows('SELECT 1 FROM demo.customers WHERE customer_id = ?', [customerId]).length === 0) {
    throw new Problem(400, 'invalid_body', `customer_id: there is no customer ${customerId}.`, 'customer_id')
  }
  const order = 'SELECT 1 FROM demo.orders WHERE order_id = ? AND customer_id = ?'
  if (orderId !== null && books.rows(order, [orderId, customerId]).length === 0) {
    throw new Problem(400, 'invalid_body', `order_id: customer ${customerId} has no order ${orderId}.`, 'order_id')
  }
}

/**
 * Executes a change once per key. A key that was used before returns the stored response. Failed requests are not stored,
 * so that they can be retried.
 * @param request the request as text; a key is valid for one request only
 * @throws Problem 422 if the key was used for another request
 */
export function executeOnce(books: Books, key: string | undefined, request: string, action: () => unknown): unknown {
  return books.transaction(() => {
    if (key === undefined) return action()
    const digest = createHash('sha256').update(request).digest('hex')
    const [earlier] = books.rows('SELECT request, body FROM main.idempotency_keys WHERE idempotency_key = ?', [key])
    if (earlier !== undefined) {
      if (earlier['request'] === digest) return JSON.parse(String(earlier['body'])) as unknown
      const message = 'This Idempotency-Key was used for another request; use a new one.'
      throw new Problem(422, 'idempotency_key_reused', message, 'Idempotency-Key')
    }
    const reply = action()
    const insert = 'INSERT INTO main.idempotency_keys (idempotency_key, request, body) VALUES (?, ?, ?)'
    books.rows(insert, [key, digest, JSON.stringify(reply)])
    return reply
  })
}
