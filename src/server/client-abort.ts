import type { FastifyReply } from 'fastify'

/** A signal that is aborted when the client disconnects or the server stops. */
export function clientAbortSignal({ raw }: FastifyReply, closing: AbortSignal): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => controller.abort())
  return AbortSignal.any([controller.signal, closing])
}
