import fastify, { type FastifyError, type FastifyPluginAsync, type FastifyReply, type RawServerDefault } from 'fastify'
import swagger from '@fastify/swagger'
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { IncomingMessage, Server as HttpServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { App } from '../app/user-app.ts'
import { systemClock, type Clock } from '../shared/clock.ts'
import { assertContextAllowed } from '../domain/context.ts'
import { toTuttiError, TuttiError } from '../domain/errors.ts'
import { assertAccess, assertSameSite, access } from './access.ts'
import { addJsonParser } from './json-body.ts'
import { openApiOptions } from './openapi.ts'
import { routesOf } from './routes.ts'
import { resolveNames } from './resolve-params.ts'
import type { Authenticate, Resource, Server, ServerParts } from './context.ts'
import { httpStatusOfError, toProblem, sendProblem } from './problems.ts'
import { assertStorable, NO_QUERY, validatorCompiler } from './schemas.ts'

export interface ServerOptions {
  readonly app: App
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  readonly version: string
  readonly authenticate: Authenticate
  readonly resources: readonly Resource[]
  readonly clock?: Clock
  /** Trusted proxies, as addresses or ranges; see `server.trustProxy` of the configuration. */
  readonly trustProxy?: readonly string[]
  /** Rewrites the URL of a request. */
  readonly rewrite?: (request: IncomingMessage) => string
  /** Receives errors whose details are not sent to the client. */
  readonly onError: (error: TuttiError) => void
}

export type RunningServer = Awaited<ReturnType<typeof startServer>>

const MAX_BODY_BYTES = 1_048_576
/** How long a response may wait for a client that reads nothing. */
const UNREAD_MS = 20_000

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** Starts the server of the HTTP API. @throws TuttiError `ConfigurationError` if the address cannot be used */
export async function startServer(options: ServerOptions) {
  const { host, port } = options
  const closing = new AbortController()
  // Every open stream adds a listener.
  setMaxListeners(0, closing.signal)
  const { server, routes } = await makeServer(options, closing.signal)
  await server.listen({ host, port }).catch(async (error: NodeJS.ErrnoException) => {
    closing.abort()
    await server.close()
    throw listenError(error, port, host)
  })
  const { address, port: actual, family } = server.server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`,
    /** Every endpoint, such as `GET /runs/:runId`. */
    routes,
    /** Stops the server. Also ends open streams and connections. */
    async close(): Promise<void> {
      closing.abort()
      await server.close()
    },
  }
}

async function makeServer(
  options: ServerOptions,
  closing: AbortSignal,
): Promise<{ readonly server: Server; readonly routes: readonly string[] }> {
  const { app, authenticate, resources, onError, clock = systemClock, version, rewrite, trustProxy = [] } = options
  const refuse = (reply: FastifyReply, error: TuttiError, status = httpStatusOfError(error.code)): FastifyReply => {
    if (status >= 500)
      onError(new TuttiError(error.code, `Request ${reply.request.id}: ${error.message}`, { cause: error }))
    const endsAt = TuttiError.is(error, 'LimitReached') ? error.details?.endsAt : undefined
    if (endsAt !== undefined) reply.header('retry-after', Math.max(1, Math.ceil((endsAt - clock.now()) / 1_000)))
    return sendProblem(reply, toProblem(error, reply.request.id, status))
  }
  const server: Server = fastify({
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: trustProxy.length === 0 ? false : [...trustProxy],
    forceCloseConnections: true,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    // A missing host header is rejected below, with our own message.
    http: {
      headersTimeout: 20_000,
      connectionsCheckingInterval: 5_000,
      requireHostHeader: false,
      // Detects clients that disappeared.
      keepAlive: true,
      keepAliveInitialDelay: 30_000,
    },
    // The time to receive a request, also one with large files.
    requestTimeout: 1_800_000,
    clientErrorHandler: refuseBytes,
    // Errors that Fastify reports before any hook runs.
    frameworkErrors: ({ message }, { id }, reply) =>
      void refuse(reply.headers({ ...HEADERS, 'x-request-id': id }), invalid(message), 400),
    ...(rewrite === undefined ? {} : { rewriteUrl: rewrite }),
    routerOptions: { maxParamLength: 300 },
  }).withTypeProvider<ZodTypeProvider>()
  server.setValidatorCompiler(validatorCompiler as never)
  server.setSerializerCompiler(serializerCompiler)
  // A form of another site can send it without a preflight request.
  server.removeContentTypeParser('text/plain')
  addJsonParser(server)
  server.decorateRequest('signedIn')
  server.decorateRequest('admit', async function admit() {
    const { access, hasOwnSecret } = this.routeOptions.config
    if (access === undefined) return
    if (hasOwnSecret !== true) this.signedIn = await authenticate(this)
    assertAccess(this.signedIn, access)
  })
  server.decorateRequest('caller', {
    getter() {
      if (this.signedIn === undefined) throw new TuttiError('NotSignedIn', 'Sign in first.')
      return this.signedIn
    },
  })
  const routes: string[] = []
  server.addHook('onRoute', ({ url, method, config, schema }) => {
    if (config?.access === undefined) throw new TuttiError('Internal', `The route ${url} does not say who may use it.`)
    // Protocols of other vendors define their own query parameters, and public addresses may be called with any.
    const isOurs = config.access !== 'public' && !/^\/(?:v1|mcp)\b/.test(url)
    if (schema !== undefined && isOurs) schema.querystring ??= NO_QUERY
    for (const one of [method].flat()) if (one !== 'HEAD') routes.push(`${one} ${url}`)
  })
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...HEADERS, 'x-request-id': request.id })
    if (request.headers.host === undefined && request.raw.httpVersion !== '1.0')
      throw invalid('The request names no host.')
    if (request.routeOptions.config.access === undefined) return
    assertSameSite(request)
    await request.admit()
  })
  // Receiving the body may take long, and the caller may lose permission meanwhile. Routes that read the body
  // themselves call `admit` afterwards.
  server.addHook('preValidation', async (request) => {
    const { 'content-length': length = '0', 'transfer-encoding': pieces } = request.headers
    if (length !== '0' || pieces !== undefined) await request.admit()
    if (request.routeOptions.config.access !== undefined) assertStorable([request.params, request.query, request.body])
  })
  closeUnread(server.server, UNREAD_MS)
  // Unknown `Expect` headers are ignored.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))
  server.addHook('preHandler', async ({ routeOptions: { schema } }, reply) => {
    const code = successCode(schema?.response)
    if (code !== undefined) reply.code(code)
  })
  server.addHook('preHandler', async ({ body }) => assertContextAllowed(body, app.config.server.allowContextKeys))
  server.addHook('preHandler', resolveNames(app.people))
  server.setErrorHandler((thrown: FastifyError, _request, reply) => refuse(reply, ...errorOf(thrown)))
  server.setNotFoundHandler((_request, reply) =>
    refuse(reply, new TuttiError('NotFound', 'There is no such endpoint or method; see /openapi.json.')),
  )
  await server.register(swagger, openApiOptions(version))
  let description: Buffer | undefined
  server.get('/openapi.json', { config: access.public, schema: { hide: true } }, (_request, reply) => {
    // Serialised once: the document is large and does not change.
    description ??= Buffer.from(JSON.stringify(server.swagger()))
    return reply.type('application/json; charset=utf-8').send(description)
  })
  const parts: ServerParts = { app, clock, authenticate, closing, onError }
  for (const resource of resources) {
    const plugin = async (instance: Server): Promise<void> => resource(routesOf(instance), parts)
    await server.register(plugin as FastifyPluginAsync<object, RawServerDefault>)
  }
  await server.ready()
  return { server, routes }
}

/** The status of a route whose schema has a single successful response. */
function successCode(responses: unknown): number | undefined {
  const [code, other] = Object.keys(responses ?? {}).filter((status) => status.startsWith('2'))
  return other === undefined && code !== undefined ? Number(code) : undefined
}

/** Uses the client's request ID if it has harmless characters; otherwise generates one. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : randomUUID()
}

/** Converts Fastify's errors. They have a status and a readable message. */
function errorOf(thrown: FastifyError): [error: TuttiError, status?: number] {
  if (TuttiError.isInstance(thrown)) return [thrown]
  const { statusCode: status = 500, message } = thrown
  if (status === 415) return [invalid(MEDIA), status]
  if (status === 413) return [new TuttiError('TooLarge', 'The request is larger than the server accepts.')]
  if (status >= 400 && status < 500) return [invalid(message), status]
  return [toTuttiError(thrown)]
}

const MEDIA =
  'This endpoint does not accept the media type of the request. Most take application/json; see /openapi.json.'

function invalid(message: string): TuttiError<'InvalidRequest'> {
  return new TuttiError('InvalidRequest', message)
}

/** Responses to malformed or incomplete requests, by the error code of Node.js. */
const BYTES: Readonly<Record<string, [status: number, reason: string, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request was not complete in time; send it again.'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The headers are larger than the server accepts.'],
}

/** Closes responses that the client does not read. Node.js starts the time again whenever the client has read a part. */
export function closeUnread(server: HttpServer, milliseconds: number): void {
  server.on('request', (_request, response) =>
    response.setTimeout(milliseconds).on('timeout', (socket: Socket) => {
      if (socket.writableLength > 0) socket.destroy()
    }),
  )
}

/** Responds to a malformed or incomplete request, if the connection is still writable. */
function refuseBytes({ code }: Pick<NodeJS.ErrnoException, 'code'>, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, reason, message] = BYTES[code ?? ''] ?? [400, 'Bad Request', 'This is not an HTTP request.']
  const body = JSON.stringify(toProblem(invalid(message), randomUUID(), status))
  const headers = { ...HEADERS, 'content-type': 'application/problem+json', 'content-length': Buffer.byteLength(body) }
  const head = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${reason}\r\n${head.join('')}\r\n${body}`)
  // Do not wait for the client to close the connection.
  socket.destroySoon()
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): TuttiError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is in use already; choose another with --port.`,
    EACCES: `Port ${port} may not be opened by this user; choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `This machine has no address ${host}; choose another with --host.`,
    ENOTFOUND: `The host "${host}" is not known; choose another with --host.`,
  }
  const message = reasons[error.code ?? ''] ?? `The server cannot listen on ${host}:${port}: ${error.message}.`
  return new TuttiError('ConfigurationError', message, { cause: error })
}
