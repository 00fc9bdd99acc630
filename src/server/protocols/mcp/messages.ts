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
export const ANSWERS = {
  GET: stream,
  POST: { ...stream, 202: z.null().describe('Accepted; there is no response') },
  DELETE: { ...over, 200: z.null().describe('The session has ended') },
}
