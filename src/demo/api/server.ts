import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openBooks, type Books } from './books.ts'
import { performOnce, type Reply } from './idempotency.ts'
import { demoOpenApi } from './openapi.ts'
import { Problem } from './problem.ts'
import { bodyOf, checkHost, checkSignIn, idempotencyKeyOf, isLoopback, queryOf } from './request.ts'
import { matchRoute, methodNotAllowed } from './router.ts'
import { ROUTES } from './routes/index.ts'

/** Default key of the demo API. It guards fictional data on one machine and is not a secret. */
export const DEMO_API_KEY = 'brindlemoor-demo-key'
export const DEMO_API_PORT = 7460

/** Maximum time to receive a request, in milliseconds. */
const REQUEST_MS = 15_000

export interface DemoApiOptions {
  /** A file created by `createDemoDatabase`. It is only read; changes are stored in a file next to it. */
  readonly databasePath: string
  /** 0 selects a free port. */
  readonly port?: number
  /** A loopback address. */
  readonly host?: string
  readonly apiKey?: string
}

export interface DemoApi {
  /** Without a trailing slash; `${url}/openapi.json` describes the API. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves the demo business over HTTP, on this machine only.
 * @throws Error with advice if the database is missing, the host is not loopback, or the port is in use
 */
export async function startDemoApi({
  databasePath,
  port = DEMO_API_PORT,
  host = '127.0.0.1',
  apiKey = DEMO_API_KEY,
}: DemoApiOptions): Promise<DemoApi> {
  if (!isLoopback(host))
    throw new Error(`The demo API is served on this machine only; ${host} is not 127.0.0.1 or ::1.`)
  if (!/^[!-~]+$/.test(apiKey)) throw new Error('The key of the demo API must be visible characters without blanks.')
  const books = await openBooks(databasePath)
  const server = createServer({ requestTimeout: REQUEST_MS })
  try {
    await listen(server, port, host)
  } catch (thrown) {
    books.close()
    throw thrown
  }
  const url = urlOf(server, host)
  const world: World = { books, apiKey, url }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => void serve(world, request, response))
  return { url, close: () => stop(server, books) }
}

interface World {
  readonly books: Books
  readonly apiKey: string
  readonly url: string
}

async function serve(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    send(response, await replyTo(world, request))
  } catch (thrown) {
    // The client closed the connection while sending, so no response is possible.
    if (response.destroyed) return
    const problem = thrown instanceof Problem ? thrown : failure(thrown)
    send(response, { status: problem.status, body: JSON.stringify(problem) }, problem.headers)
  }
}

function failure(thrown: unknown): Problem {
  return new Problem('internal', `The demo API failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
}

async function replyTo({ books, apiKey, url }: World, request: IncomingMessage): Promise<Reply> {
  checkHost(request)
  const { method = '', url: target = '/' } = request
  // Only the path and the query matter, even for an absolute URL.
  const { pathname, searchParams } = targetOf(target)
  if (pathname === '/openapi.json') {
    if (method !== 'GET') throw methodNotAllowed(pathname, 'GET')
    return { status: 200, body: JSON.stringify(demoOpenApi(url)) }
  }
  const { route, params } = matchRoute(ROUTES, method, pathname)
  checkSignIn(request, route.signIn, apiKey)
  const query = queryOf(searchParams)
  if (route.method === 'GET') return jsonReply(200, route.handle({ params, query, body: undefined }, books))
  const key = idempotencyKeyOf(request)
  const body = await bodyOf(request)
  return performOnce(books, key, JSON.stringify([method, pathname, body]), () =>
    jsonReply(route.status, route.handle({ params, query, body }, books)),
  )
}

function targetOf(target: string): URL {
  const base = 'http://localhost'
  if (!target.startsWith('/') || !URL.canParse(base + target)) {
    throw new Problem('invalid_parameter', 'The path of the request is not one.')
  }
  return new URL(base + target)
}

function jsonReply(status: number, value: unknown): Reply {
  return { status, body: JSON.stringify(value) }
}

/** No CORS headers: pages of other origins must not read this. */
function send(response: ServerResponse, { status, body }: Reply, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  response.end(body)
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === 'EADDRINUSE'
      const message = isTaken
        ? `Port ${port} is in use; give another one.`
        : `The demo API cannot start: ${cause.message}.`
      reject(new Error(message, { cause }))
    })
    server.listen({ port, host: host.replace(/^\[|\]$/g, '') }, resolve)
  })
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`
}

async function stop(server: Server, books: Books): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
  books.close()
}
