import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../../domain/caller.ts'
import type { Resource, ServerParts } from '../../context.ts'
import { onAccessLost } from '../../sse.ts'
import { McpSessions } from './sessions.ts'
import { access } from '../../access.ts'
import { tuttiServer } from './tools.ts'
import { z } from 'zod'
import { EVENT_STREAM, eventOf, withMediaTypes } from '../../media-types.ts'

/** JSON-RPC messages. Their content is defined by the Model Context Protocol. */

const jsonrpc = z.literal('2.0')
const id = z.union([z.string(), z.number(), z.null()])

export const rpcErrorSchema = z
  .object({ jsonrpc, id, error: z.looseObject({ code: z.number().int(), message: z.string() }) })
  .meta({ id: 'RpcError' })

const message = z.union([
  z.looseObject({ jsonrpc, id, result: z.looseObject({}) }),
  rpcErrorSchema,
  z.looseObject({ jsonrpc, id: id.optional(), method: z.string() }),
])

const over = { 404: rpcErrorSchema }
const stream = {
  ...over,
  200: withMediaTypes('Messages of the server', { [EVENT_STREAM]: eventOf(message, 'message', true) }),
}

/** Responses of `/mcp` by HTTP method. */
const ANSWERS = {
  GET: stream,
  POST: { ...stream, 202: z.null().describe('Accepted; there is no response') },
  DELETE: { ...over, 200: z.null().describe('The session has ended') },
}

/** MCP server of a session. */
export interface Connectable {
  connect(transport: Transport): Promise<void>
}

/** The caller is passed with each message: a key may have lost permissions since the session began. */
export function authInfoOf(caller: Caller): AuthInfo {
  return { token: '', clientId: caller.userId, scopes: [...caller.scopes], extra: { caller } }
}

/** `/mcp`: MCP over streamable HTTP. @param serverFor makes the server of a session */
export function mcpEndpoint(serverFor: (parts: ServerParts, caller: Caller) => Promise<Connectable>): Resource {
  return async ({ server }, parts) => {
    const sessions = new McpSessions(parts.clock)
    parts.closing.addEventListener('abort', () => void sessions.close(), { once: true })
    server.addHook('onSend', async (_request, reply) => {
      if (reply.statusCode === 401) reply.header('www-authenticate', 'Bearer')
    })
    const routeOf = (method: keyof typeof ANSWERS) =>
      server.route({
        method,
        url: '/mcp',
        // The protocol has no HEAD, and a stream cannot answer it.
        exposeHeadRoute: false,
        // Each tool checks the permissions that it needs.
        config: access.follow,
        schema: { tags: ['mcp'], summary: 'Model Context Protocol over streamable HTTP', response: ANSWERS[method] },
        handler: async (request, reply) => {
          const { caller, headers } = request
          const sessionId = headers['mcp-session-id']
          const known = typeof sessionId === 'string' ? sessions.find(caller, sessionId) : undefined
          if (sessionId !== undefined && known === undefined) {
            return reply.code(404).send(rpcError(-32001, 'This session has ended; start a new one.'))
          }
          const transport = known ?? (await sessions.open(caller))
          // The transport rejects messages without a session that are not `initialize`.
          if (known === undefined) await (await serverFor(parts, caller)).connect(transport as Transport)
          const parsedBody = request.method === 'POST' ? { parsedBody: request.body } : {}
          const answer = await transport.handleRequest(webRequest(request), {
            ...parsedBody,
            authInfo: authInfoOf(caller),
          })
          // `connection` is a hop-by-hop header; the server sets it.
          answer.headers.delete('connection')
          if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true) return answer
          const { raw } = reply
          raw.once(
            'close',
            onAccessLost(request, parts, () => raw.destroy()),
          )
          // Headers are sent with the first bytes, and a stream may be silent for long.
          const begun = new TransformStream({ start: (stream) => stream.enqueue(new TextEncoder().encode(': \n\n')) })
          return new Response(answer.body!.pipeThrough(begun), answer)
        },
      })
    for (const method of ['GET', 'POST', 'DELETE'] as const) routeOf(method)
  }
}

function rpcError(code: number, message: string) {
  return { jsonrpc: '2.0' as const, error: { code, message }, id: null }
}

function webRequest({ method, headers, url }: FastifyRequest): Request {
  const given = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one]))
  return new Request(new URL(url, 'http://127.0.0.1'), { method, headers: given as [string, string][] })
}

/** Tutti as an MCP server at `/mcp`, for programs with an API key, within its scopes. */
export function mcp(version: string): Resource {
  return mcpEndpoint(({ app }, caller) =>
    tuttiServer(app, version, ({ authInfo }) => (authInfo?.extra?.['caller'] as Caller | undefined) ?? caller),
  )
}
