import type { FastifyReply } from 'fastify'

/** Aborted when whoever waits for an answer goes, or the server stops. */
export function goneOf({ raw }: FastifyReply, closing: AbortSignal): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return AbortSignal.any([gone.signal, closing])
}
