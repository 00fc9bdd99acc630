import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toTuttiError, TuttiError } from '../domain/errors.ts'
import { assertAccess } from './access.ts'
import type { ServerParts } from './context.ts'

/** An event of a stream; `data` is one line. */
export interface ServerSentEvent {
  readonly id?: string
  readonly event?: string
  readonly data: string
}

const HEARTBEAT_MS = 15_000

/**
 * Sends events at the pace of the client: unread events of a slow client stay in
 * the log. Ends with the last event, when the client disconnects or loses permission, or when the server stops. The run
 * itself is not affected.
 * @param headers additional headers of a protocol
 * @param open opens the stream of events; its signal is aborted when the client is gone
 */
export async function sendEvents(
  reply: FastifyReply,
  open: (signal: AbortSignal) => AsyncIterable<ServerSentEvent>,
  { clock, authenticate, closing, onError }: Pick<ServerParts, 'clock' | 'authenticate' | 'closing' | 'onError'>,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { raw } = reply.hijack()
  const { socket } = raw
  const controller = new AbortController()
  // A flag, since checking the signal for each event and client is slower.
  let isGone = false
  const leave = (): void => {
    isGone = true
    controller.abort()
  }
  raw.once('close', leave)
  closing.addEventListener('abort', leave, { once: true })
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    ...headers,
  })
  raw.flushHeaders()
  const stopBeating = onAccessLost(reply.request, { clock, authenticate }, leave, () => {
    if (!raw.writableNeedDrain && raw.socket?.writableNeedDrain !== true) raw.write(': \n\n')
  })
  try {
    for await (const event of open(controller.signal)) {
      if (isGone) break
      if (!raw.write(lines(event))) await once(raw, 'drain', { signal: controller.signal })
    }
  } catch (thrown) {
    // A broken connection may be noticed here first.
    if (isGone || socket?.destroyed !== false) return
    // Destroy the connection, so that the client reconnects instead of treating this as the end.
    onError(toTuttiError(thrown))
    raw.destroy()
  } finally {
    stopBeating()
    closing.removeEventListener('abort', leave)
    raw.end()
  }
}

/**
 * Calls back when the caller loses permission while a response is streaming, such as after a key was revoked.
 * @param onLook called at each check
 * @returns stops checking
 */
export function onAccessLost(
  request: FastifyRequest,
  { clock, authenticate }: Pick<ServerParts, 'clock' | 'authenticate'>,
  shutOut: () => void,
  onLook: () => void = () => undefined,
): () => void {
  let cancel = (): void => undefined
  const assertReader = async (): Promise<void> =>
    assertAccess(await authenticate(request), request.routeOptions.config.access!)
  const scheduleCheck = (): void => {
    cancel = clock.timer(HEARTBEAT_MS, () => {
      assertReader().catch((thrown: unknown) => {
        if (TuttiError.is(thrown, 'NotSignedIn') || TuttiError.is(thrown, 'NotAllowed')) shutOut()
      })
      onLook()
      scheduleCheck()
    })
  }
  scheduleCheck()
  return () => cancel()
}

function lines({ id, event, data }: ServerSentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`
}

/** A signal that is aborted when the client disconnects or the server stops. */
export function clientAbortSignal({ raw }: FastifyReply, closing: AbortSignal): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => controller.abort())
  return AbortSignal.any([controller.signal, closing])
}
