import { z } from 'zod'
import { withFlags } from '../books.ts'
import { optionalChoice, optionalDate, optionalFlag, optionalId, PAGING } from '../parameters.ts'
import { defineRoute } from '../route.ts'
import { INVOICE_STATUSES, SCHEMAS } from '../schemas.ts'

const listInvoices = defineRoute({
  method: 'GET',
  path: '/invoices',
  operationId: 'listInvoices',
  summary: 'List invoices with what is still to be paid',
  description:
    'Invoices with total, payments received and balance, the earliest due first. Filter by status, overdue, customer and date. Needs a bearer token.',
  tag: 'Invoices',
  signIn: 'bearer',
  status: 200,
  refusals: [],
  params: z.strictObject({}),
  query: z.strictObject({
    status: optionalChoice(INVOICE_STATUSES, 'Only invoices that are paid as far as this'),
    overdue: optionalFlag('true: only invoices due before today and not fully paid; false: only the others'),
    customer_id: optionalId('Only invoices to this customer'),
    from: optionalDate('Only invoices written on or after this date'),
    to: optionalDate('Only invoices written on or before this date'),
    ...PAGING,
  }),
  body: z.undefined(),
  reply: SCHEMAS.InvoicePage,
  answer({ query }, books) {
    const { data, pagination } = books.list({
      from: 'invoices_now',
      path: '/invoices',
      query,
      filters: [
        ['status = ?', query.status],
        ['is_overdue = ?', query.overdue],
        ['customer_id = ?', query.customer_id],
        ['invoice_date >= ?', query.from],
        ['invoice_date <= ?', query.to],
      ],
      order: 'due_date, invoice_id',
    })
    return { data: data.map((row) => withFlags(row, 'is_overdue')), pagination }
  },
})

export const invoiceRoutes = [listInvoices]
