import { createHash, timingSafeEqual } from 'node:crypto'
import fastify, { type FastifyRequest } from 'fastify'
import { openBooks } from './books.ts'
import { readApiDocument, type Operation } from './document.ts'
import { executeOnce, OPERATIONS, type Input } from './operations.ts'
import { Problem, toApiProblem } from './problem.ts'

/** Default key of the demo API. It guards fictional data on one machine and is not a secret. */
export const DEMO_API_KEY = 'brindlemoor-demo-key'
export const DEMO_API_PORT = 7460

/** Maximum time to receive a request, in milliseconds. */
const REQUEST_MS = 15_000

/** Maximum body size, far above any valid body. */
const MAX_BODY_BYTES = 16_384

export interface DemoApiOptions {
  /** A file created by `createDemoDatabase`. It is only read; changes are stored in a file next to it. */
  readonly databasePath: string
  /** 0 selects a free port. */
  readonly port?: number
  readonly apiKey?: string
}

export interface DemoApi {
  /** Without a trailing slash; `${url}/openapi.json` describes the API. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves the demo business over HTTP, on this machine only.
 * @throws Error with advice if the database is missing or the port is in use
 */
export async function startDemoApi({
  databasePath,
  port = DEMO_API_PORT,
  apiKey = DEMO_API_KEY,
}: DemoApiOptions): Promise<DemoApi> {
  const books = await openBooks(databasePath)
  const { document, operations } = await readApiDocument()
  const app = fastify({
    requestTimeout: REQUEST_MS,
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    ajv: { customOptions: { coerceTypes: true, removeAdditional: false } },
  })
  app.removeContentTypeParser('text/plain')
  app.addHook('onClose', async () => books.close())
  app.addHook('onRequest', async (request, reply) => {
    // No CORS headers: pages of other origins must not read this.
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    checkHost(request)
  })
  app.setErrorHandler((error: Parameters<typeof toApiProblem>[0], _request, reply) => {
    const problem = toApiProblem(error)
    return reply.code(problem.statusCode).send(problem.toJSON())
  })
  app.setNotFoundHandler(({ url }) => {
    throw new Problem(404, 'not_found', `There is no ${url}; GET /openapi.json lists what there is.`)
  })
  let url = ''
  app.get('/openapi.json', async () => ({ ...document, servers: [{ url }] }))
  for (const { method, url: path, operationId, isBearer, schema } of operations) {
    app.route({
      method,
      url: path,
      schema,
      onRequest: async (request) => checkSignIn(request, isBearer, apiKey),
      async handler(request, reply) {
        const [pathname = ''] = request.url.split('?', 1)
        const { params, query, body, headers } = request
        const input = { path: pathname, params, query, body } as Input
        const operate = () => OPERATIONS[operationId]!(books, input)
        if (method === 'GET') return operate()
        const key = headers['idempotency-key'] as string | undefined
        const made = executeOnce(books, key, JSON.stringify([method, pathname, body]), operate)
        return reply.code(operationId === 'createTicket' ? 201 : 200).send(made)
      },
    })
  }
  try {
    url = await app.listen({ port, host: '127.0.0.1' })
  } catch (cause) {
    await app.close()
    const isTaken = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE'
    const message = isTaken
      ? `Port ${port} is in use; give another one.`
      : `The demo API cannot start: ${String(cause)}`
    throw new Error(message, { cause })
  }
  return { url, close: () => app.close() }
}

/**
 * Rejects requests for a host name other than this machine's. Otherwise a web page whose name resolves to this machine
 * (DNS rebinding) could read the API.
 * @throws Problem 421
 */
function checkHost({ headers }: FastifyRequest): void {
  const host = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
  if (/^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/.test(host)) return
  const message = 'This API answers to localhost only; use the address that it gave when it started.'
  throw new Problem(421, 'wrong_host', message)
}

/** @throws Problem 401 with the way to sign in */
function checkSignIn({ headers }: FastifyRequest, isBearer: Operation['isBearer'], apiKey: string): void {
  const given = isBearer ? /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] : headers['x-api-key']
  if (typeof given === 'string' && isSame(given, apiKey)) return
  if (!isBearer) throw new Problem(401, 'unauthorized', 'Send the right key in the header X-Api-Key.', 'X-Api-Key')
  const message = 'This endpoint wants the key as a bearer token: Authorization: Bearer <key>.'
  throw new Problem(401, 'unauthorized', message, 'Authorization')
}

/** Compares in constant time. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
