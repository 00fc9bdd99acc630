import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../shared/clock.ts'

const LOOK_EVERY_MS = 15_000
/** What a body brings at least from one look to the next: a thousand bytes a second. */
const LEAST_BYTES = LOOK_EVERY_MS
/**
 * For so long an answer may wait for somebody who takes nothing of it. Node.js gives as much again when a part went at first,
 * so that a connection is ended within a minute: a look, and twice this.
 */
const UNREAD_MS = 20_000

/** Requests of one connection that are not answered yet. Nobody sends more, other than to make answers pile up. */
const MOST_UNANSWERED = 32

interface Connection {
  unanswered: number
  request?: IncomingMessage
  response?: ServerResponse
  /** Of the request at the look before, and how much had come by then. */
  seen?: { readonly request: IncomingMessage; readonly bytes: number }
}

/**
 * Ends connections on which nothing moves though something is to: a request that does not come to its end, an answer that is
 * not taken. One timer looks at all of them. Streams and uploads that move continue for as long as they like.
 * @param refuse answers and ends a connection whose request is too slow
 */
export function keepPace(server: HttpServer, refuse: (socket: Socket) => void, clock: Clock, until: AbortSignal): void {
  const open = new Map<Socket, Connection>()
  server.on('connection', (socket: Socket) => {
    open.set(socket, { unanswered: 0 })
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(request.socket)
    if (connection === undefined) return
    Object.assign(connection, { request, response })
    connection.unanswered++
    response.once('close', () => connection.unanswered--)
    if (connection.unanswered > MOST_UNANSWERED) request.socket.destroy()
  })
  const look = (): void => {
    for (const [socket, connection] of open) {
      if (!isSlow(socket, connection)) watchUnread(socket)
      // In the midst of an answer another one would be taken for a part of it.
      else if (connection.response?.headersSent === true) socket.destroy()
      else refuse(socket)
    }
    cancel = clock.timer(LOOK_EVERY_MS, look)
  }
  let cancel = clock.timer(LOOK_EVERY_MS, look)
  until.addEventListener('abort', () => cancel(), { once: true })
}

/** Whether too little of a body came since the last look. What lies here and is not read yet is not its sender's fault. */
function isSlow({ bytesRead }: Socket, connection: Connection): boolean {
  const { request, seen } = connection
  if (request === undefined || request.complete || request.readableLength > 0) {
    delete connection.seen
    return false
  }
  connection.seen = { request, bytes: bytesRead }
  return seen?.request === request && bytesRead - seen.bytes < LEAST_BYTES
}

/** Node.js ends a socket whose time is over, and gives it more whenever a part of what waits has gone. */
function watchUnread(socket: Socket): void {
  const isWaiting = socket.writableLength > 0
  const isWatched = socket.timeout === UNREAD_MS
  if (isWaiting && !isWatched) socket.setTimeout(UNREAD_MS)
  // What Node.js set meanwhile, for a connection that is kept for the next request, stands.
  if (!isWaiting && isWatched) socket.setTimeout(0)
}
