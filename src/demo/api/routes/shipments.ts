import { z } from 'zod'
import { withFlags } from '../books.ts'
import { optionalChoice, optionalFlag, optionalId, PAGING } from '../parameters.ts'
import { defineRoute } from '../route.ts'
import { SCHEMAS, SHIPMENT_STATUSES } from '../schemas.ts'

const listShipments = defineRoute({
  method: 'GET',
  path: '/shipments',
  operationId: 'listShipments',
  summary: 'List shipments with carrier and delivery date',
  description:
    'Orders that were sent: carrier, tracking number, day of dispatch and of delivery, latest dispatch first. Filter by status, lateness, customer and order.',
  tag: 'Shipments',
  signIn: 'apiKey',
  status: 200,
  refusals: [],
  params: z.strictObject({}),
  query: z.strictObject({
    status: optionalChoice(SHIPMENT_STATUSES, 'Only shipments with this status'),
    late: optionalFlag('true: only those that came, or will come, after the required date; false: only the others'),
    customer_id: optionalId('Only shipments to this customer'),
    order_id: optionalId('Only the shipment of this order'),
    ...PAGING,
  }),
  body: z.undefined(),
  reply: SCHEMAS.ShipmentPage,
  answer({ query }, books) {
    const { data, pagination } = books.list({
      from: 'shipments_now',
      path: '/shipments',
      query,
      filters: [
        ['status = ?', query.status],
        ['is_late = ?', query.late],
        ['customer_id = ?', query.customer_id],
        ['order_id = ?', query.order_id],
      ],
      order: 'shipped_date DESC, shipment_id DESC',
    })
    return { data: data.map((row) => withFlags(row, 'is_late')), pagination }
  },
})

export const shipmentRoutes = [listShipments]
