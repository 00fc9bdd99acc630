import { z } from 'zod'
import type { Books, Row } from '../books.ts'
import { idParam, optionalChoice, optionalId, PAGING } from '../parameters.ts'
import { Problem } from '../problem.ts'
import { defineRoute } from '../route.ts'
import { SCHEMAS, TICKET_PRIORITIES, TICKET_STATUSES, TICKET_TOPICS } from '../schemas.ts'
import { TODAY } from '../views.ts'

/** The demo uses a fixed time, so that equal requests get equal answers. */
const NOW = `${TODAY}T12:00:00Z`

const listTickets = defineRoute({
  method: 'GET',
  path: '/tickets',
  operationId: 'listTickets',
  summary: 'List support tickets',
  description:
    'Complaints and questions of customers, newest first. Filter by status, priority, topic, customer and order.',
  tag: 'Support',
  signIn: 'apiKey',
  status: 200,
  refusals: [],
  params: z.strictObject({}),
  query: z.strictObject({
    status: optionalChoice(TICKET_STATUSES, 'Only tickets with this status'),
    priority: optionalChoice(TICKET_PRIORITIES, 'Only tickets of this priority'),
    topic: optionalChoice(TICKET_TOPICS, 'Only tickets about this topic'),
    customer_id: optionalId('Only tickets of this customer'),
    order_id: optionalId('Only tickets about this order'),
    ...PAGING,
  }),
  body: z.undefined(),
  reply: SCHEMAS.TicketPage,
  answer: ({ query }, books) =>
    books.list({
      from: 'tickets_now',
      path: '/tickets',
      query,
      filters: [
        ['status = ?', query.status],
        ['priority = ?', query.priority],
        ['topic = ?', query.topic],
        ['customer_id = ?', query.customer_id],
        ['order_id = ?', query.order_id],
      ],
      order: 'opened_at DESC, ticket_id DESC',
    }),
})

const getTicket = defineRoute({
  method: 'GET',
  path: '/tickets/{ticketId}',
  operationId: 'getTicket',
  summary: 'Get one support ticket',
  description: 'The ticket with its topic, priority and status.',
  tag: 'Support',
  signIn: 'apiKey',
  status: 200,
  refusals: [404],
  params: z.strictObject({ ticketId: idParam('Number of the ticket', 303) }),
  query: z.strictObject({}),
  body: z.undefined(),
  reply: SCHEMAS.Ticket,
  answer: ({ params }, books) => ticketOf(books, params.ticketId),
})

const createTicket = defineRoute({
  method: 'POST',
  path: '/tickets',
  operationId: 'createTicket',
  summary: 'Open a support ticket',
  description:
    'Creates a ticket for a customer, about one of its orders or none. It is open, and dated on the last day of the books.',
  tag: 'Support',
  signIn: 'apiKey',
  status: 201,
  refusals: [],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: SCHEMAS.NewTicket,
  reply: SCHEMAS.Ticket,
  answer({ body: { customer_id, order_id, topic, priority, subject } }, books) {
    mustExist(books, customer_id, order_id)
    const [made] = books.rows(
      `INSERT INTO main.tickets (ticket_id, customer_id, order_id, topic, priority, subject, opened_at)
       SELECT max(ticket_id) + 1, ?, ?, ?, ?, ?, ? FROM tickets_now RETURNING ticket_id`,
      [customer_id, order_id, topic, priority, subject, NOW],
    )
    return ticketOf(books, Number(made?.['ticket_id']))
  },
})

function mustExist(books: Books, customerId: number, orderId: number | null): void {
  if (books.rows('SELECT 1 FROM demo.customers WHERE customer_id = ?', [customerId]).length === 0) {
    throw new Problem('invalid_body', `customer_id: there is no customer ${customerId}.`, { parameter: 'customer_id' })
  }
  const order = 'SELECT 1 FROM demo.orders WHERE order_id = ? AND customer_id = ?'
  if (orderId !== null && books.rows(order, [orderId, customerId]).length === 0) {
    const message = `order_id: customer ${customerId} has no order ${orderId}.`
    throw new Problem('invalid_body', message, { parameter: 'order_id' })
  }
}

function ticketOf(books: Books, ticketId: number): Row {
  const [ticket] = books.rows('SELECT * FROM tickets_now WHERE ticket_id = ?', [ticketId])
  if (ticket === undefined) throw new Problem('not_found', `There is no ticket ${ticketId}.`, { parameter: 'ticketId' })
  return ticket
}

export const ticketRoutes = [listTickets, getTicket, createTicket]
