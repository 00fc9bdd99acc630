import { z } from 'zod'
import { PROBLEM_STATUS, type ProblemCode } from './problem.ts'

export const ORDER_STATUSES = ['open', 'shipped', 'delivered', 'cancelled'] as const
export const CHANNELS = ['web', 'phone', 'email'] as const
export const SEGMENTS = ['cafe', 'restaurant', 'hotel', 'office', 'retailer'] as const
export const INVOICE_STATUSES = ['unpaid', 'part_paid', 'paid'] as const
export const SHIPMENT_STATUSES = ['in_transit', 'delivered'] as const
export const TICKET_TOPICS = ['delivery', 'quality', 'billing', 'equipment', 'general'] as const
export const TICKET_PRIORITIES = ['low', 'normal', 'high'] as const
export const TICKET_STATUSES = ['open', 'closed'] as const

const id = (what: string, example: number) =>
  z
    .int()
    .min(1)
    .meta({ description: what, examples: [example] })
const money = (what: string, example: number) =>
  z.number().meta({ description: `${what}, in euros`, examples: [example] })
const day = (what: string, example: string) => z.iso.date().meta({ description: what, examples: [example] })
const moment = (what: string, example: string) => z.iso.datetime().meta({ description: what, examples: [example] })
const text = (what: string, example: string) => z.string().meta({ description: what, examples: [example] })
const flag = (what: string) => z.boolean().describe(what)

/** SQLite would truncate a text at a NUL, and libsql cannot store unpaired surrogates. */
const isOneLine = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text)

/** Error for a body that is missing or not an object. */
const asObject = (issue: { readonly code?: string | undefined }) =>
  issue.code === 'invalid_type' ? 'must be a JSON object' : undefined

const customerFields = {
  customer_id: id('The customer', 57),
  customer_name: text('Name of the firm', 'Tormere Software'),
}

const order = z
  .object({
    order_id: id('The order', 915),
    ...customerFields,
    order_date: day('When it was placed', '2026-10-06'),
    required_date: day('When the customer wants it at the latest', '2026-11-16'),
    channel: z.enum(CHANNELS).describe('How it was placed'),
    status: z.enum(ORDER_STATUSES).describe('How far it is'),
    line_count: z.int().min(1).describe('Number of lines'),
    total: money('Sum of its lines before tax', 9714.89),
  })
  .describe('An order without its lines')

const orderLine = z
  .object({
    product_id: id('The product', 14),
    product_name: text('Name of the product', 'Harbour Espresso'),
    quantity: z.int().min(1).describe('Units ordered'),
    unit_price: money('Price of one unit', 20.9),
    discount_percent: z.number().describe('Discount on this line, in percent'),
    line_total: money('Quantity × price less discount', 357.39),
  })
  .describe('One product of an order')

const orderDetail = order
  .extend({
    lines: z.array(orderLine).describe('What was ordered'),
    cancellation_reason: z.string().nullable().describe('Only of orders that were cancelled through this API'),
  })
  .describe('An order with its lines')

const customer = z
  .object({
    customer_id: customerFields.customer_id,
    company_name: customerFields.customer_name,
    segment: z.enum(SEGMENTS).describe('Kind of business'),
    city: text('City', 'Cork'),
    country: text('Country, in English', 'Ireland'),
    account_manager: text('Who looks after the customer', 'Rasmus Verbrook'),
    payment_terms_days: z.int().describe('Days to pay an invoice'),
    discount_percent: z.number().describe('Usual discount, in percent'),
    customer_since: day('First day as a customer', '2024-03-11'),
    is_active: flag('Whether the firm still buys'),
  })
  .describe('A firm that buys')

const contact = z
  .object({
    name: text('Name of the person', 'Clodagh Umberfield'),
    role: text('Job', 'Head Barista'),
    email: text('E-mail address', 'clodagh.umberfield@tormere-software.example'),
    phone: text('Telephone number', '+353 555 4622'),
    is_primary: flag('Whether this is the person to write to first'),
  })
  .describe('A person at a customer')

const customerDetail = customer
  .extend({
    contacts: z.array(contact).describe('People at the firm'),
    order_count: z.int().describe('Orders so far, cancelled ones left out'),
    unpaid_balance: money('What is still to be paid on all invoices, tax included', 183.16),
  })
  .describe('A customer with contacts and balance')

const product = z
  .object({
    product_id: id('The product', 7),
    sku: text('Article number', 'SO-107'),
    name: text('Name', 'Cerrado Pulped Natural'),
    category: text('Category', 'Single Origin'),
    department: text('The category above it', 'Coffee'),
    supplier: text('Firm it is bought from', 'Fazenda Pedra Lisa'),
    unit: text('What one unit is', '1 kg bag'),
    list_price: money("Today's price before discount and tax", 21.9),
    units_in_stock: z.int().min(0).describe('Units in the warehouse'),
    reorder_level: z.int().describe('Stock at which more is bought'),
    below_reorder_level: flag(
      'Whether more must be bought: still sold, and fewer units in stock than the reorder level',
    ),
    discontinued_on: z.iso.date().nullable().describe('When it was taken off the list; empty while it is sold'),
  })
  .describe('Something sold')

const invoice = z
  .object({
    invoice_id: id('The invoice', 833),
    invoice_number: text('Its number on paper', 'INV-2026-0833'),
    order_id: id('The order that is billed', 860),
    ...customerFields,
    invoice_date: day('When it was written', '2026-08-25'),
    due_date: day('Last day to pay', '2026-09-24'),
    subtotal: money('Before tax', 389.7),
    tax_amount: money('Tax', 0),
    total: money('Tax included', 389.7),
    paid: money('Received so far', 206.54),
    balance: money('Still to be paid', 183.16),
    status: z.enum(INVOICE_STATUSES).describe('How much of it is paid'),
    is_overdue: flag('Not fully paid, and due before today'),
  })
  .describe('An order billed')

const shipment = z
  .object({
    shipment_id: id('The shipment', 904),
    order_id: id('The order that was sent', 942),
    ...customerFields,
    carrier: text('Who carries it', 'Greenway Freight'),
    tracking_number: text("The carrier's number", 'BRC433448'),
    shipped_date: day('When it left', '2026-10-28'),
    delivered_date: z.iso.date().nullable().describe('When it arrived; empty while it is on its way'),
    required_date: day('When the customer wanted it at the latest', '2026-11-02'),
    status: z.enum(SHIPMENT_STATUSES).describe('Whether it has arrived'),
    is_late: flag('Arrived after the required date, or has not arrived and that date is over'),
  })
  .describe('An order sent')

const ticket = z
  .object({
    ticket_id: id('The ticket', 303),
    ...customerFields,
    order_id: z.int().min(1).nullable().describe('The order it is about, if any'),
    topic: z.enum(TICKET_TOPICS).describe('What it is about'),
    priority: z.enum(TICKET_PRIORITIES).describe('How urgent it is'),
    status: z.enum(TICKET_STATUSES).describe('Whether it is settled'),
    subject: text('What the customer says', 'Change of delivery address'),
    opened_at: moment('When it was opened', '2026-10-30T12:13:38Z'),
    closed_at: z.iso.datetime().nullable().describe('When it was settled; empty while it is open'),
    satisfaction: z.int().min(1).max(5).nullable().describe('Marks that the customer gave, 1 to 5, if any'),
  })
  .describe('A complaint or question of a customer')

const newTicket = z
  .strictObject(
    {
      customer_id: id('The customer', 57),
      order_id: z.int().min(1).nullable().default(null).describe('The order it is about; one of the same customer'),
      topic: z.enum(TICKET_TOPICS).describe('What it is about'),
      priority: z.enum(TICKET_PRIORITIES).default('normal').describe('How urgent it is'),
      subject: z
        .string()
        .trim()
        .min(3)
        .max(120)
        .refine(isOneLine, 'must be one line of plain text')
        .meta({ description: 'One line', examples: ['Parcel has not arrived'] }),
    },
    { error: asObject },
  )
  .meta({ examples: [{ customer_id: 57, topic: 'delivery', subject: 'Parcel has not arrived' }] })

const cancellation = z
  .strictObject(
    {
      reason: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .refine(isOneLine, 'must be one line of plain text')
        .nullable()
        .default(null)
        .describe('Why, in a few words'),
    },
    { error: asObject },
  )
  .meta({ examples: [{ reason: 'Ordered twice' }] })

const pagination = z
  .object({
    page: z.int().min(1).describe('This page'),
    limit: z.int().min(1).describe('Records on a full page'),
    total_items: z.int().min(0).describe('Records on all pages together'),
    total_pages: z.int().min(0).describe('Number of pages'),
    next: z
      .string()
      .nullable()
      .meta({
        description: 'Path and query of the next page; empty on the last one',
        examples: ['/orders?status=open&page=2&limit=50'],
      }),
  })
  .describe('Where a page stands among the others')

const pageOf = <T extends z.ZodType>(record: T) => z.object({ data: z.array(record), pagination })

const error = z.object({
  error: z.object({
    code: z.enum(Object.keys(PROBLEM_STATUS) as [ProblemCode, ...ProblemCode[]]).describe('For programs'),
    message: z.string().describe('For people: what is wrong and what to do'),
    parameter: z.string().optional().describe('The parameter, header or field of the body that is wrong'),
  }),
})

/** All named schemas of the API. The OpenAPI document uses them, and every response is validated with them. */
export const SCHEMAS = {
  Order: order,
  OrderLine: orderLine,
  OrderDetail: orderDetail,
  OrderPage: pageOf(order),
  Customer: customer,
  Contact: contact,
  CustomerDetail: customerDetail,
  CustomerPage: pageOf(customer),
  Product: product,
  ProductPage: pageOf(product),
  Invoice: invoice,
  InvoicePage: pageOf(invoice),
  Shipment: shipment,
  ShipmentPage: pageOf(shipment),
  Ticket: ticket,
  TicketPage: pageOf(ticket),
  NewTicket: newTicket,
  Cancellation: cancellation,
  Pagination: pagination,
  Error: error,
} as const
