import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toTuttiError, TuttiError } from '../domain/errors.ts'
import { assertAccess } from './access.ts'
import type { ServerParts } from './context.ts'

/** One event of a stream; `data` is one line. */
export interface ServerSentEvent {
  readonly id?: string
  readonly event?: string
  readonly data: string
  /** As it goes to connections: made once for all readers that are given the same one. */
  chunk?: Buffer
}

const HEARTBEAT_MS = 15_000

/**
 * Sends events as they come, written straight to the connection. No faster than the reader takes them: what a slow one has
 * not read stays in the log. Ends with the events, when the reader goes or may no longer read, or when the server stops; a run is none
 * the worse for it.
 * @param headers that a protocol asks for besides
 * @param open makes the events; its signal is aborted when nobody reads any more
 */
export async function sendEvents(
  reply: FastifyReply,
  open: (signal: AbortSignal) => AsyncIterable<ServerSentEvent>,
  { clock, authenticate, closing, onTrouble }: Pick<ServerParts, 'clock' | 'authenticate' | 'closing' | 'onTrouble'>,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { raw } = reply.hijack()
  const { socket } = raw
  const gone = new AbortController()
  // Asked for each event of each reader, whom the signal would cost more.
  let isGone = false
  const leave = (): void => {
    isGone = true
    gone.abort()
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
  const stopBeating = whenShutOut(reply.request, { clock, authenticate }, leave, () => {
    if (!raw.writableNeedDrain && raw.socket?.writableNeedDrain !== true) raw.write(': \n\n')
  })
  try {
    for await (const event of open(gone.signal)) {
      if (isGone) break
      const full = write(raw, event)
      if (full !== undefined) await once(full, 'drain', { signal: gone.signal })
    }
  } catch (thrown) {
    // A connection that breaks is told of here first.
    if (isGone || socket?.destroyed !== false) return
    // Cut off, so that the reader comes back for the rest instead of taking this for the end.
    onTrouble(toTuttiError(thrown))
    raw.destroy()
  } finally {
    stopBeating()
    closing.removeEventListener('abort', leave)
    raw.end()
  }
}

/**
 * Calls back once whoever reads an answer that continues may no longer read, such as with a key that was revoked.
 * @param onLook called each time that this is looked at
 * @returns ends looking
 */
export function whenShutOut(
  request: FastifyRequest,
  { clock, authenticate }: Pick<ServerParts, 'clock' | 'authenticate'>,
  shutOut: () => void,
  onLook: () => void = () => undefined,
): () => void {
  let cancel = (): void => undefined
  const assertReader = async (): Promise<void> =>
    assertAccess(await authenticate(request), request.routeOptions.config.access!)
  const again = (): void => {
    cancel = clock.timer(HEARTBEAT_MS, () => {
      assertReader().catch((thrown: unknown) => {
        if (TuttiError.is(thrown, 'NotSignedIn') || TuttiError.is(thrown, 'NotAllowed')) shutOut()
      })
      onLook()
      again()
    })
  }
  again()
  return () => cancel()
}

/**
 * Writes an event as one chunk of HTTP in one piece: Node.js hands its connection three of them, which costs with many readers as
 * much as all else. Before it is its turn on its connection, and for HTTP/1.0, Node.js is left to it.
 * @returns what says `drain` once more can be taken; undefined where it can
 */
function write(raw: ServerResponse, event: ServerSentEvent): Writable | undefined {
  const { socket } = raw
  const isNext = socket !== null && raw.chunkedEncoding && raw.writableLength === socket.writableLength
  if (!isNext) return raw.write(lines(event)) ? undefined : raw
  event.chunk ??= chunkOf(lines(event))
  return socket.write(event.chunk) ? undefined : socket
}

function chunkOf(text: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
}

function lines({ id, event, data }: ServerSentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`
}
