import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toTuttiError, TuttiError } from '../core/errors.ts'
import { assertAccess } from './access.ts'
import type { ServerParts } from './parts.ts'

/** One event of a stream; `data` is one line. */
export interface ServerSentEvent {
  readonly id?: string
  readonly event?: string
  readonly data: string
}

const HEARTBEAT_MS = 15_000

/**
 * Sends events as they come, written straight to the connection. No faster than the reader takes them: what a slow one has
 * not read stays in the log. Ends with the events, when the reader goes or may not read any more, or when the server stops; a run is none
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
  const gone = new AbortController()
  const leave = (): void => gone.abort()
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
    if (!raw.writableNeedDrain) raw.write(': \n\n')
  })
  try {
    for await (const event of open(gone.signal)) {
      if (gone.signal.aborted) break
      if (!raw.write(lines(event))) await once(raw, 'drain', { signal: gone.signal })
    }
  } catch (thrown) {
    if (gone.signal.aborted) return
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
 * Calls back once whoever reads an answer that goes on may not read any more, such as with a key that was revoked.
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

function lines({ id, event, data }: ServerSentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`
}
