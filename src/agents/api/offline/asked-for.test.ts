import { expect, it } from 'vitest'
import { loadCatalogue } from '../catalogue/load.ts'
import { createEndpointIndex } from '../search/endpoint-index.ts'
import { planByRules } from './plan-by-rules.ts'

const SHOP = `
base_url: https://shop.example.com
endpoints:
  - {method: GET, path: /orders, description: List orders, params: [{name: status, enum: [open, closed]}, {name: customer_id, type: integer}]}
  - {method: GET, path: '/orders/{orderId}', description: Get one order}
  - {method: POST, path: '/orders/{orderId}/cancel', description: Cancel an order}
  - {method: GET, path: /customers, description: List customers}
  - {method: GET, path: '/customers/{customerId}', description: Get one customer and how many orders it has}
  - {method: GET, path: /shipments, description: List shipments, params: [{name: order_id, type: integer}, {name: customer_id, type: integer}]}
`

async function plan(question: string): Promise<unknown> {
  const catalogue = await loadCatalogue(SHOP, 'shop')
  const ranked = createEndpointIndex([catalogue]).rank(question)
  const { makeRequest, method, path, pathParams, queryParams } = planByRules(question, ranked, [{ catalogue }], {})
  return makeRequest ? [`${method} ${path}`, { ...pathParams, ...queryParams }] : 'declined'
}

it.each([
  ['orders of customer 57', ['GET /orders', { customer_id: 57 }]],
  ['Show the orders for customer 57', ['GET /orders', { customer_id: 57 }]],
  ["Show customer 57's orders", ['GET /orders', { customer_id: 57 }]],
  ['How many open orders does customer 57 have?', ['GET /orders', { status: 'open', customer_id: 57 }]],
  ['shipments of order 915', ['GET /shipments', { order_id: 915 }]],
  ['Show customer 57', ['GET /customers/{customerId}', { customerId: '57' }]],
  ['Show order 915', ['GET /orders/{orderId}', { orderId: '915' }]],
  ['Cancel order 915', ['POST /orders/{orderId}/cancel', { orderId: '915' }]],
  // No endpoint says whose an order is without asking twice; the order's number is no customer's.
  ['the customer of order 915', 'declined'],
])('%s', async (question, wanted) => {
  expect(await plan(question)).toEqual(wanted)
})
