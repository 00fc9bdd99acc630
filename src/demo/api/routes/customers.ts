import { z } from 'zod'
import { withFlags } from '../books.ts'
import { idParam, optionalChoice, optionalFlag, PAGING } from '../parameters.ts'
import { Problem } from '../problem.ts'
import { defineRoute } from '../route.ts'
import { SCHEMAS, SEGMENTS } from '../schemas.ts'

const COUNTRIES = ['Belgium', 'Denmark', 'France', 'Germany', 'Ireland', 'Netherlands', 'United Kingdom'] as const

const listCustomers = defineRoute({
  method: 'GET',
  path: '/customers',
  operationId: 'listCustomers',
  summary: 'List customers',
  description: 'Firms that buy, or once bought, from Brindlemoor, by name. Filter by country, segment and activity.',
  tag: 'Customers',
  signIn: 'apiKey',
  status: 200,
  refusals: [],
  params: z.strictObject({}),
  query: z.strictObject({
    country: optionalChoice(COUNTRIES, 'Only customers in this country'),
    segment: optionalChoice(SEGMENTS, 'Only customers of this kind of business'),
    is_active: optionalFlag('true: only customers that still buy; false: only those that have left'),
    ...PAGING,
  }),
  body: z.undefined(),
  reply: SCHEMAS.CustomerPage,
  answer({ query }, books) {
    const { data, pagination } = books.list({
      from: 'customers_now',
      path: '/customers',
      query,
      filters: [
        ['country = ?', query.country],
        ['segment = ?', query.segment],
        ['is_active = ?', query.is_active],
      ],
      order: 'company_name, customer_id',
    })
    return { data: data.map((row) => withFlags(row, 'is_active')), pagination }
  },
})

const getCustomer = defineRoute({
  method: 'GET',
  path: '/customers/{customerId}',
  operationId: 'getCustomer',
  summary: 'Get one customer with contacts and unpaid balance',
  description: 'The firm, the people there, how many orders it has placed and what it still owes.',
  tag: 'Customers',
  signIn: 'apiKey',
  status: 200,
  refusals: [404],
  params: z.strictObject({ customerId: idParam('Number of the customer', 57) }),
  query: z.strictObject({}),
  body: z.undefined(),
  reply: SCHEMAS.CustomerDetail,
  answer({ params: { customerId } }, books) {
    const [customer] = books.rows(
      `SELECT c.*,
         (SELECT count(*) FROM orders_now o WHERE o.customer_id = c.customer_id AND o.status <> 'cancelled') AS order_count,
         (SELECT round(coalesce(sum(balance), 0), 2) FROM invoices_now i WHERE i.customer_id = c.customer_id) AS unpaid_balance
       FROM customers_now c WHERE customer_id = ?`,
      [customerId],
    )
    if (customer === undefined) {
      throw new Problem('not_found', `There is no customer ${customerId}.`, { parameter: 'customerId' })
    }
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
})

export const customerRoutes = [listCustomers, getCustomer]
