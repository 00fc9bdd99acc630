import type { FastifyReply } from 'fastify'

/** A signal that is aborted when the client disconnects or the server stops. */
export function clientAbortSignal({ raw }: FastifyReply, closing: AbortSignal): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return AbortSignal.any([gone.signal, closing])
}
