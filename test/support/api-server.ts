/**
 * A small HTTP API on loopback for tests: customers and orders behind several kinds of sign-in, with paging, changes and
 * faults; and, on the same port, the sign-in endpoint of the Firebase emulator.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export interface ApiServer {
  readonly url: string
  /** Host and port, in the format of an allow-list and of `FIREBASE_AUTH_EMULATOR_HOST`. */
  readonly host: string
  readonly requests: readonly ApiRequest[]
  /** Tokens that paths below `/secure` accept. */
  readonly tokens: Set<string>
  /** Tokens that the Firebase endpoint returns, in order. */
  readonly firebaseTokens: string[]
  close(): Promise<void>
}

export interface Order {
  readonly id: number
  readonly customer_id: number
  readonly status: 'open' | 'shipped' | 'cancelled'
  readonly total: number
  readonly created_on: string
  readonly customer: { readonly name: string }
}

/** 30 orders: every third is open; totals are 100, 200, … 3000. */
export const ORDERS: readonly Order[] = Array.from({ length: 30 }, (_, i) => ({
  id: i + 1,
  customer_id: (i % 4) + 1,
  status: (['open', 'shipped', 'cancelled'] as const)[i % 3]!,
  total: (i + 1) * 100,
  created_on: `2026-10-${String((i % 28) + 1).padStart(2, '0')}`,
  customer: { name: `Customer ${(i % 4) + 1}` },
}))

/** The OpenAPI document of the server. */
export function shopOpenApi(url: string): Record<string, unknown> {
  const query = (name: string, schema: object, required = false): object => ({ name, in: 'query', required, schema })
  const order = {
    type: 'object',
    required: ['customer_id', 'total'],
    properties: { customer_id: { type: 'integer' }, total: { type: 'number' }, note: { type: 'string' } },
  }
  const secured = (scheme: string): object => ({
    get: { summary: `Secret figures behind ${scheme}`, tags: [scheme], security: [{ [scheme]: [] }], responses: {} },
  })
  return {
    openapi: '3.0.3',
    info: { title: 'shop', version: '1' },
    servers: [{ url }],
    paths: {
      '/orders': {
        get: {
          summary: 'List orders',
          tags: ['orders'],
          parameters: [
            { $ref: '#/components/parameters/Status' },
            query('min_total', { type: 'number' }),
            query('max_total', { type: 'number' }),
            query('created_from', { type: 'string', format: 'date' }),
            query('created_to', { type: 'string', format: 'date' }),
            query('customer_id', { type: 'integer' }),
            query('page', { type: 'integer', default: 1 }),
            query('limit', { type: 'integer', default: 4 }),
          ],
          responses: {},
        },
        post: {
          summary: 'Create an order',
          tags: ['orders'],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/NewOrder' } } },
          },
          responses: {},
        },
      },
      '/orders/{orderId}': {
        parameters: [{ name: 'orderId', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { summary: 'Get one order', tags: ['orders'], responses: {} },
        delete: { summary: 'Delete an order', tags: ['orders'], responses: {} },
      },
      '/orders/search': {
        post: {
          summary: 'Search orders by text',
          tags: ['orders'],
          'x-tutti-effect': 'read',
          requestBody: {
            content: { 'application/json': { schema: { type: 'object', properties: { text: { type: 'string' } } } } },
          },
          responses: {},
        },
      },
      '/customers': { get: { summary: 'List customers', tags: ['customers'], responses: {} } },
      '/invoices.csv': { get: { summary: 'Export invoices as CSV', tags: ['invoices'], responses: {} } },
      '/greeting': { get: { summary: 'A greeting as plain text', responses: {} } },
      '/moved': { get: { summary: 'Leads elsewhere', parameters: [query('to', { type: 'string' })], responses: {} } },
      '/huge': { get: { summary: 'A huge archive', responses: {} } },
      '/sales': {
        get: {
          summary: 'Sales figures of a period',
          parameters: [query('startDateTime', { type: 'string' }), query('endDateTime', { type: 'string' })],
          responses: {},
        },
      },
      '/profile': { get: { summary: 'My profile', security: [{ firebaseAuth: [] }], responses: {} } },
      '/secure/bearer': secured('bearerAuth'),
      '/secure/header': secured('headerKey'),
      '/secure/query': secured('queryKey'),
      '/secure/cookie': secured('cookieKey'),
      '/secure/basic': secured('basicAuth'),
    },
    components: {
      parameters: { Status: { name: 'status', in: 'query', schema: { $ref: '#/components/schemas/Status' } } },
      schemas: { Status: { type: 'string', enum: ['open', 'shipped', 'cancelled'] }, NewOrder: order },
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer' },
        firebaseAuth: { type: 'http', scheme: 'bearer' },
        headerKey: { type: 'apiKey', in: 'header', name: 'X-Shop-Key' },
        queryKey: { type: 'apiKey', in: 'query', name: 'key' },
        cookieKey: { type: 'apiKey', in: 'cookie', name: 'shop' },
        basicAuth: { type: 'http', scheme: 'basic' },
      },
    },
  }
}

/** Starts the server on a free port of 127.0.0.1. */
export async function startApiServer(): Promise<ApiServer> {
  const requests: ApiRequest[] = []
  const tokens = new Set<string>(['good-token'])
  const firebaseTokens: string[] = []
  const server = createServer(async (request, response) => {
    const read = await readRequest(request)
    requests.push(read)
    respond(read, response, tokens, firebaseTokens)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    requests,
    tokens,
    firebaseTokens,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function readRequest(request: IncomingMessage): Promise<ApiRequest> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk as string
  const url = new URL(request.url ?? '/', 'http://loopback')
  const { method = 'GET', headers } = request
  return { method, path: url.pathname, query: Object.fromEntries(url.searchParams), headers, body }
}

function json(response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}

function respond(request: ApiRequest, response: ServerResponse, tokens: Set<string>, firebaseTokens: string[]): void {
  const { method, path, query, headers, body } = request
  const bearer = String(headers['authorization'] ?? '').replace('Bearer ', '')
  const routes: Record<string, () => void> = {
    'GET /orders': () => json(response, 200, orderPage(query)),
    'POST /orders': () => json(response, 201, { id: 31, ...(JSON.parse(body) as object) }),
    'POST /orders/search': () => json(response, 200, { data: ORDERS.slice(0, 2) }),
    'GET /customers': () => customers(query, response),
    'GET /invoices.csv': () =>
      void response.writeHead(200, { 'content-type': 'text/csv' }).end('number;amount\n007;10.5\n008;20\n'),
    'GET /greeting': () => void response.writeHead(200, { 'content-type': 'text/plain' }).end('Hello there.'),
    'GET /moved': () => void response.writeHead(302, { location: query['to'] ?? '/' }).end(),
    'GET /huge': () =>
      json(response, 200, { items: Array.from({ length: 5_000 }, (_, id) => ({ id, text: 'x'.repeat(200) })) }),
    'GET /sales': () =>
      'startDateTime' in query && 'endDateTime' in query
        ? json(response, 200, { from: query['startDateTime'], to: query['endDateTime'], revenue: 1234 })
        : json(response, 400, { message: 'a period is needed' }),
    'GET /profile': () =>
      tokens.has(bearer)
        ? json(response, 200, { name: 'Ann', echo: headers['authorization'] })
        : json(response, 401, { message: 'token expired' }),
    'GET /secure/bearer': () => secret(response, bearer === 'B-SECRET'),
    'GET /secure/header': () => secret(response, headers['x-shop-key'] === 'H-SECRET'),
    'GET /secure/query': () => secret(response, query['key'] === 'Q-SECRET'),
    'GET /secure/cookie': () => secret(response, headers['cookie'] === 'shop=C-SECRET'),
    'GET /secure/basic': () => secret(response, headers['authorization'] === `Basic ${btoa('ann:P-SECRET')}`),
    'POST /identitytoolkit.googleapis.com/v1/accounts:signInWithPassword': () =>
      firebaseSignIn(request, response, firebaseTokens),
  }
  const order = /^\/orders\/(\d+)$/.exec(path)
  const found = order === null ? undefined : ORDERS.find(({ id }) => id === Number(order[1]))
  const route = routes[`${method} ${path}`]
  if (route !== undefined) route()
  else if (found !== undefined && method === 'DELETE') response.writeHead(204).end()
  else if (found !== undefined) json(response, 200, found)
  else json(response, 404, { error: { message: `There is nothing at ${path}.` } })
}

function orderPage(query: ApiRequest['query']): unknown {
  const {
    status,
    min_total: min = '0',
    max_total: max = 'Infinity',
    created_from: from = '',
    created_to: to = '9',
    customer_id: customer,
  } = query
  const all = ORDERS.filter(
    (order) =>
      (status === undefined || order.status === status) &&
      (customer === undefined || order.customer_id === Number(customer)) &&
      order.total >= Number(min) &&
      order.total <= Number(max) &&
      order.created_on >= from &&
      order.created_on <= to,
  )
  const [page, limit] = [Number(query['page'] ?? 1), Number(query['limit'] ?? 4)]
  return { data: all.slice((page - 1) * limit, page * limit), page, total: all.length }
}

/** Pages by `Link` header. */
function customers(query: ApiRequest['query'], response: ServerResponse): void {
  const page = Number(query['page'] ?? 1)
  const link = page < 3 ? { link: `</customers?page=${page + 1}>; rel="next", </customers?page=3>; rel="last"` } : {}
  json(
    response,
    200,
    [
      { id: page * 2 - 1, name: `Customer ${page * 2 - 1}` },
      { id: page * 2, name: `Customer ${page * 2}` },
    ],
    link as Record<string, string>,
  )
}

function secret(response: ServerResponse, isAllowed: boolean): void {
  if (isAllowed) json(response, 200, { figure: 42 })
  else json(response, 401, { message: 'who are you?' })
}

function firebaseSignIn({ query, body }: ApiRequest, response: ServerResponse, firebaseTokens: string[]): void {
  const { email, password } = JSON.parse(body) as { email: string; password: string }
  if (query['key'] !== 'web-key' || email !== 'ann@example.com' || password !== 'pw-secret') {
    return json(response, 400, { error: { message: 'INVALID_LOGIN_CREDENTIALS' } })
  }
  json(response, 200, { idToken: firebaseTokens.shift() ?? 'no-token-left', expiresIn: '3600', refreshToken: 'r' })
}
