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
  - {method: GET, path: /customers, summary: List customers, params: [{name: 'filter[kind]'}]}
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
  if ('why' in found) return [found.why, ...found.close.map((operation) => howToAsk(operation, question))]
  const { method, path, pathParams, queryParams } = found.plan
  return [`${method} ${path}`, { ...pathParams, ...queryParams }]
}

const LISTED = ['GET /orders', {}]

it.each([
  ['List orders', LISTED],
  ['How many orders are there?', LISTED],
  ['GET /orders', LISTED],
  ['List orders with status=open', ['GET /orders', { status: 'open' }]],
  ['orders status: open, customer_id: 57', ['GET /orders', { status: 'open', customer_id: '57' }]],
  ['GET /orders/915', ['GET /orders/{orderId}', { orderId: '915' }]],
  ['GET /orders/{orderId} with orderId=915.', ['GET /orders/{orderId}', { orderId: '915' }]],
  ['GET /stock/{sku} with sku=KEN-001', ['GET /stock/{sku}', { sku: 'KEN-001' }]],
  ['Show the stock of the product with sku=KEN-001', ['GET /stock/{sku}', { sku: 'KEN-001' }]],
  ['GET /customers with filter[kind]=new', ['GET /customers', { 'filter[kind]': 'new' }]],
  ['POST /orders/915/cancel', ['POST /orders/{orderId}/cancel', { orderId: '915' }]],
])('makes the call of “%s”', async (question, expected) => expect(await read(question)).toEqual(expected))

it.each([
  ['Show order 915', ['“915” is no parameter', 'GET /orders/{orderId} with orderId=915']],
  ['Cancel order 915', ['“cancel”, “915” is no parameter', 'POST /orders/{orderId}/cancel with orderId=915']],
  ['List the open orders', ['“open” is no parameter', 'GET /orders with status=open']],
  ['List the paid invoices', ['“paid” is no parameter', 'GET /invoices']],
  ['orders of customer 57', ['“customer”, “57” is no parameter', 'GET /orders with customer_id=57']],
  ['the latest orders', ['“latest” is no parameter', 'GET /orders']],
  ['List orders with colour=red', ['“colour” is no parameter', 'GET /orders']],
  ['GET /orders for Acme', ['“acme” is no parameter', 'GET /orders']],
  ['GET /orders/{orderId}', ['“orderId” is missing', 'GET /orders/{orderId} with orderId=…']],
  ['What is the weather in Paris?', ['']],
  ['GET /reports/7', ['']],
])('suggests endpoints close to “%s”', async (question, expected) => {
  const found = (await read(question)) as string[]
  expect(found.slice(0, expected.length)).toEqual(expected)
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
