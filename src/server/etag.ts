import { createHash } from 'node:crypto'
import type { Server } from './context.ts'

/** Larger responses get no ETag: the hash costs more than it saves. */
const MAX_CHARS = 1_048_576

/** Adds ETags to responses, and answers 304 to requests whose `If-None-Match` matches. */
export function tagAnswers(server: Server): void {
  server.addHook('onSend', async ({ method, headers }, reply, payload) => {
    const isRead = ['GET', 'HEAD'].includes(method) && reply.statusCode === 200 && !reply.hasHeader('etag')
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    if (!isRead || !isJson || !isBody(payload) || payload.length > MAX_CHARS) return payload
    // Weak: a proxy may compress the response.
    const etag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`
    reply.header('etag', etag)
    const had = new Set((headers['if-none-match'] ?? '').split(',').map((one) => one.trim()))
    if (!had.has(etag) && !had.has(etag.slice(2))) return payload
    reply.code(304)
    return null
  })
}

function isBody(payload: unknown): payload is string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload)
}
