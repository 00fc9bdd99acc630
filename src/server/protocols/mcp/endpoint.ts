import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../../domain/caller.ts'
import type { Resource, ServerParts } from '../../context.ts'
import { whenShutOut } from '../../sse.ts'
import { ANSWERS } from './messages.ts'
import { McpSessions } from './sessions.ts'

/** An MCP server for one session. */
export interface Connectable {
  connect(transport: Transport): Promise<void>
}

/** Who asks goes with each message, since a key may have lost what it could do when the session began. */
export function authInfoOf(caller: Caller): AuthInfo {
  return { token: '', clientId: caller.userId, scopes: [...caller.scopes], extra: { caller } }
}

/** `/mcp`: MCP over streamable HTTP. @param serverFor makes the server of a session */
export function mcpEndpoint(serverFor: (parts: ServerParts, caller: Caller) => Promise<Connectable>): Resource {
  return async (server, parts) => {
    const sessions = new McpSessions(parts.clock)
    parts.closing.addEventListener('abort', () => void sessions.close(), { once: true })
    server.addHook('onSend', async (_request, reply) => {
      if (reply.statusCode === 401) reply.header('www-authenticate', 'Bearer')
    })
    const routeOf = (method: keyof typeof ANSWERS) =>
      server.route({
        method,
        url: '/mcp',
        // The protocol has no such thing, and a stream has no head alone.
        exposeHeadRoute: false,
        // Each tool says what it takes.
        config: { access: { role: 'viewer', scope: 'read', orScope: 'ask' } },
        schema: { tags: ['mcp'], summary: 'Model Context Protocol over streamable HTTP', response: ANSWERS[method] },
        handler: async (request, reply) => {
          const { caller, headers } = request
          const sessionId = headers['mcp-session-id']
          const known = typeof sessionId === 'string' ? sessions.find(caller, sessionId) : undefined
          if (sessionId !== undefined && known === undefined) {
            return reply.code(404).send(rpcError(-32001, 'This session is over; begin a new one.'))
          }
          const transport = known ?? (await sessions.open(caller))
          // What is not the beginning of a session the transport refuses on its own.
          if (known === undefined) await (await serverFor(parts, caller)).connect(transport as Transport)
          const parsedBody = request.method === 'POST' ? { parsedBody: request.body } : {}
          const answer = await transport.handleRequest(webRequest(request), {
            ...parsedBody,
            authInfo: authInfoOf(caller),
          })
          // Whether the connection continues is between the client and this server.
          answer.headers.delete('connection')
          if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true) return answer
          const { raw } = reply
          raw.once(
            'close',
            whenShutOut(request, parts, () => raw.destroy()),
          )
          // The head goes with the first bytes, and a stream may have nothing to say for long.
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
