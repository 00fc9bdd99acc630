import { ApiError, sendRequest, type Connection } from './api.ts'

interface Reading {
  readonly signal: AbortSignal
  /** Called with the data of each event, in order. */
  readonly take: (data: string) => void
  /** Whether the stream is complete. */
  readonly isOver: () => boolean
  /** Called when the connection is lost or refused. */
  readonly onError: (error: Error) => void
}

const WAITS_MS = [500, 1_000, 2_000, 5_000]

/**
 * Reads a stream of server-sent events (WHATWG HTML, section 9.2) to its end; reconnects with the ID of the last event.
 * Used instead of `EventSource`, which hides the message of an error response.
 */
export async function readEvents(
  connection: Connection,
  path: string,
  { signal, take, isOver, onError }: Reading,
): Promise<void> {
  let last: string | undefined
  for (let tries = 0; !signal.aborted && !isOver(); tries++) {
    try {
      const headers = { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': last }) }
      const { body } = await sendRequest(connection, 'GET', path, { headers, signal })
      for await (const { id, data } of body === null ? [] : eventsOf(body)) {
        last = id ?? last
        tries = 0
        take(data)
      }
    } catch (thrown) {
      if (signal.aborted) return
      onError(thrown as Error)
      if (thrown instanceof ApiError && thrown.status < 500) return
    }
    if (!isOver()) await pause(WAITS_MS[Math.min(tries, WAITS_MS.length - 1)]!, signal)
  }
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<{ id: string | undefined; data: string }> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const blocks = (rest + decoder.decode(piece.value, { stream: true })).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const lines = block.split('\n')
      const data = valuesOf(lines, 'data').join('\n')
      if (data !== '') yield { id: valuesOf(lines, 'id').at(-1), data }
    }
  }
}

function valuesOf(lines: readonly string[], field: string): string[] {
  return lines
    .filter((line) => line.startsWith(`${field}:`))
    .map((line) => line.slice(field.length + 1).replace(/^ /, ''))
}

/** Waits. If the signal is aborted, resolves early without an error. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
