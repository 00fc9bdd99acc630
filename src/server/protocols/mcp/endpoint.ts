import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Resource } from '../../context.ts'
import { onAccessLost } from '../../sse.ts'
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

const response = {
  200: withMediaTypes('Messages of the server', { [EVENT_STREAM]: eventOf(message, 'message') }),
  202: z.null().describe('Accepted; there is no response'),
}

/**
 * Tutti as an MCP server at `/mcp`, for programs with an API key, within its scopes. Over streamable HTTP without
 * sessions: any process can answer a request.
 */
export function mcp(version: string): Resource {
  return async ({ server }, parts) => {
    server.addHook('onSend', async (_request, reply) => {
      if (reply.statusCode === 401) reply.header('www-authenticate', 'Bearer')
    })
    // Each tool checks the permissions that it needs.
    const config = access.follow
    const schema = { tags: ['mcp'], summary: 'Model Context Protocol over streamable HTTP', response }
    server.post('/mcp', { config, schema }, async (request, reply) => {
      const { caller, body } = request
      const { StreamableHTTPServerTransport: HttpTransport } =
        await import('@modelcontextprotocol/sdk/server/streamableHttp.js')
      // Without a generator of session IDs, there are no sessions.
      const transport = new HttpTransport()
      const tutti = await tuttiServer(parts.app, version, () => caller)
      await tutti.connect(transport as Transport)
      const { raw } = reply.hijack()
      const stopChecks = onAccessLost(request, parts, () => raw.destroy())
      const end = (): void => {
        stopChecks()
        void tutti.close()
      }
      // The client may have gone away while the server was made.
      if (raw.destroyed) return end()
      raw.once('close', end)
      // The SDK keeps each connection open, also for a client that asked to close it.
      if (!raw.shouldKeepAlive) raw.once('finish', () => request.raw.socket.end())
      for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value!)
      await transport.handleRequest(request.raw, raw, body).catch((error: unknown) => {
        raw.destroy()
        throw error
      })
    })
    // The protocol requires this status of a server without a stream of its own and without sessions.
    server.route({
      method: ['GET', 'DELETE'],
      url: '/mcp',
      exposeHeadRoute: false,
      config,
      schema: { hide: true },
      handler: (_request, reply) => reply.code(405).header('allow', 'POST').send(),
    })
  }
}
