import { expect, it } from 'vitest'
import { loadCatalogue } from '../../agents/api/catalogue/load.ts'
import { createEndpointIndex } from '../../agents/api/search/endpoint-index.ts'
import { howToAsk, readCall } from './read-call.ts'

const SHOP = `
base_url: https://shop.example.com
endpoints:
  - {method: GET, path: /orders, summary: List orders, params: [{name: status, enum: [open, closed]}, {name: customer_id, type: integer}]}
  - {method: GET, path: '/orders/{orderId}', summary: Get one order}
  - {method: POST, path: '/orders/{orderId}/cancel', summary: Cancel an order}
  - {method: GET, path: /customers, summary: List customers}
  - {method: GET, path: /invoices, summary: List invoices with what is still to be paid}
  - {method: GET, path: '/stock/{sku}', summary: Get the stock of a product}
`

async function read(question: string, context: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
  const catalogue = await loadCatalogue(SHOP, 'shop')
  const rank = createEndpointIndex([catalogue])
    .rank(question)
    .map(({ endpoint }) => ({ api: catalogue, endpoint }))
  const found = readCall(question, [{ catalogue }], rank, context)
  if ('listed' in found) return found.listed.map(({ endpoint: { method, path } }) => `${method} ${path}`)
  if ('why' in found) return [found.why, ...found.close.map((operation) => howToAsk(operation))]
  const { method, path, pathParams, queryParams } = found.plan
  return [`${method} ${path}`, { ...pathParams, ...queryParams }]
}

const LISTED = ['GET /orders', {}]

it.each([
  ['GET /orders', LISTED],
  ['Call GET /orders with status=open', ['GET /orders', { status: 'open' }]],
  ['GET /orders status: open, customer_id: 57', ['GET /orders', { status: 'open', customer_id: '57' }]],
  ['GET /orders/915', ['GET /orders/{orderId}', { orderId: '915' }]],
  ['GET /orders/{orderId} with orderId=915.', ['GET /orders/{orderId}', { orderId: '915' }]],
  ['GET /stock/{sku} with sku=KEN-001', ['GET /stock/{sku}', { sku: 'KEN-001' }]],
  ['POST /orders/915/cancel', ['POST /orders/{orderId}/cancel', { orderId: '915' }]],
])('makes the call of “%s”', async (question, expected) => expect(await read(question)).toEqual(expected))

it.each([
  ['Show order 915', ['', 'GET /orders/{orderId} with orderId=…']],
  ['Cancel order 915', ['', 'POST /orders/{orderId}/cancel with orderId=…']],
  ['List the open orders', ['', 'GET /orders']],
  ['List the paid invoices', ['', 'GET /invoices']],
  ['orders of customer 57', ['', 'GET /orders']],
  ['the latest orders', ['', 'GET /orders']],
  ['List orders with colour=red', ['', 'GET /orders']],
  ['GET /orders with colour=red', ['“colour”, “red” is no parameter', 'GET /orders']],
  ['GET /orders for Acme', ['“acme” is no parameter', 'GET /orders']],
  ['GET /orders/{orderId}', ['“orderId” is missing', 'GET /orders/{orderId} with orderId=…']],
  ['What is the weather in Paris?', ['']],
  ['GET /reports/7', ['']],
])('suggests endpoints close to “%s”', async (question, expected) => {
  expect(await read(question)).toEqual(expect.arrayContaining(expected))
})

it.each([
  ['What does POST /orders/915/cancel do?', ['POST /orders/{orderId}/cancel']],
  ['Why POST /orders/915/cancel', ['POST /orders/{orderId}/cancel']],
  ['What does DELETE /orders/915 do?', ['']],
  ['Which parameters does GET /orders take?', ['GET /orders']],
  ['How is the sign-in of GET /orders/915?', ['GET /orders/{orderId}']],
])('changes nothing on “%s”', async (question, expected) => {
  expect(((await read(question)) as string[]).slice(0, expected.length)).toEqual(expected)
})

it('takes a required value from the context', async () => {
  expect(await read('GET /orders/{orderId}', { orderId: 9 })).toEqual(['GET /orders/{orderId}', { orderId: 9 }])
})

it('lists the requested endpoints', async () => {
  expect(await read('Which endpoints are there?')).toHaveLength(6)
  expect(await read('What can the shop API do?')).toHaveLength(6)
  expect(await read('Which endpoints are about invoices?')).toEqual(['GET /invoices'])
})

it('a call with an unread remainder is not made', async () => {
  expect(await read(`POST /orders/915/cancel${' '.repeat(4_000)}once it is late`)).toContain('')
})
