import type { Route } from '../route.ts'
import { customerRoutes } from './customers.ts'
import { invoiceRoutes } from './invoices.ts'
import { orderRoutes } from './orders.ts'
import { productRoutes } from './products.ts'
import { shipmentRoutes } from './shipments.ts'
import { ticketRoutes } from './tickets.ts'

/** Every operation of the API. The server answers these, and the document describes these. */
export const ROUTES: readonly Route[] = [
  ...orderRoutes,
  ...customerRoutes,
  ...productRoutes,
  ...invoiceRoutes,
  ...shipmentRoutes,
  ...ticketRoutes,
]
