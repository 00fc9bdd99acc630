import { z } from 'zod'
import type { Books, Row } from '../books.ts'
import { idParam, optionalAmount, optionalChoice, optionalDate, optionalId, PAGING } from '../parameters.ts'
import { Problem } from '../problem.ts'
import { defineRoute } from '../route.ts'
import { CHANNELS, ORDER_STATUSES, SCHEMAS } from '../schemas.ts'

const ORDER_BY = {
  newest: 'order_date DESC, order_id DESC',
  oldest: 'order_date, order_id',
  largest: 'total DESC, order_id',
  smallest: 'total, order_id',
} as const

const orderPath = z.strictObject({ orderId: idParam('Number of the order', 915) })

const listOrders = defineRoute({
  method: 'GET',
  path: '/orders',
  operationId: 'listOrders',
  summary: 'List orders',
  description:
    'Orders of customers with their status and total, newest first. Filter by status, customer, channel, total and date of the order.',
  tag: 'Orders',
  signIn: 'apiKey',
  status: 200,
  refusals: [],
  params: z.strictObject({}),
  query: z.strictObject({
    status: optionalChoice(ORDER_STATUSES, 'Only orders with this status'),
    customer_id: optionalId('Only orders of this customer'),
    channel: optionalChoice(CHANNELS, 'Only orders placed this way'),
    min_total: optionalAmount('Only orders of at least this total in euros'),
    max_total: optionalAmount('Only orders of at most this total in euros'),
    from: optionalDate('Only orders placed on or after this date'),
    to: optionalDate('Only orders placed on or before this date'),
    sort: z
      .enum(['newest', 'oldest', 'largest', 'smallest'], 'must be one of newest, oldest, largest, smallest')
      .default('newest')
      .describe('What comes first: by date of the order, or by total'),
    ...PAGING,
  }),
  body: z.undefined(),
  reply: SCHEMAS.OrderPage,
  answer: ({ query }, books) =>
    books.list({
      from: 'orders_now',
      path: '/orders',
      query,
      filters: [
        ['status = ?', query.status],
        ['customer_id = ?', query.customer_id],
        ['channel = ?', query.channel],
        ['total >= ?', query.min_total],
        ['total <= ?', query.max_total],
        ['order_date >= ?', query.from],
        ['order_date <= ?', query.to],
      ],
      order: ORDER_BY[query.sort],
    }),
})

const getOrder = defineRoute({
  method: 'GET',
  path: '/orders/{orderId}',
  operationId: 'getOrder',
  summary: 'Get one order with its lines',
  description: 'The order with what was ordered: product, quantity, price, discount and total of each line.',
  tag: 'Orders',
  signIn: 'apiKey',
  status: 200,
  refusals: [404],
  params: orderPath,
  query: z.strictObject({}),
  body: z.undefined(),
  reply: SCHEMAS.OrderDetail,
  answer: ({ params }, books) => orderWithLines(books, params.orderId),
})

const cancelOrder = defineRoute({
  method: 'POST',
  path: '/orders/{orderId}/cancel',
  operationId: 'cancelOrder',
  summary: 'Cancel an order',
  description:
    'Cancels an open order; this cannot be undone. Orders that were shipped, delivered or cancelled before are refused with 409.',
  tag: 'Orders',
  signIn: 'apiKey',
  status: 200,
  refusals: [404, 409],
  params: orderPath,
  query: z.strictObject({}),
  body: SCHEMAS.Cancellation.optional(),
  reply: SCHEMAS.OrderDetail,
  answer({ params: { orderId }, body }, books) {
    const { status } = orderWithLines(books, orderId)
    if (status !== 'open') {
      throw new Problem('conflict', `Order ${orderId} is ${String(status)}; only open orders can be cancelled.`)
    }
    books.rows('INSERT INTO main.cancelled_orders (order_id, reason) VALUES (?, ?)', [orderId, body?.reason ?? null])
    return orderWithLines(books, orderId)
  },
})

function orderWithLines(books: Books, orderId: number): Row {
  const [order] = books.rows('SELECT * FROM orders_now WHERE order_id = ?', [orderId])
  if (order === undefined) throw new Problem('not_found', `There is no order ${orderId}.`, { parameter: 'orderId' })
  const lines = books.rows(
    `SELECT product_id, name AS product_name, quantity, unit_price, l.discount_percent, line_total
     FROM demo.order_lines l JOIN demo.products USING (product_id) WHERE order_id = ? ORDER BY order_line_id`,
    [orderId],
  )
  return { ...order, lines }
}

export const orderRoutes = [listOrders, getOrder, cancelOrder]
