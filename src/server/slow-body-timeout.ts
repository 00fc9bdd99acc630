import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../shared/clock.ts'

const POLL_INTERVAL_MS = 15_000
/** Minimum of bytes between two checks of a body: a thousand bytes per second. */
const MIN_BYTES = POLL_INTERVAL_MS
/**
 * How long a response may wait for a client that reads nothing. Node.js doubles this if a part was sent at first, so a
 * connection is closed within a minute: one check interval, and twice this.
 */
const UNREAD_MS = 20_000

/** Maximum of unanswered requests per connection. Legitimate clients stay below it. */
const MAX_UNANSWERED = 32

interface Connection {
  unanswered: number
  request?: IncomingMessage
  response?: ServerResponse
  /** The request at the previous check, and its bytes received by then. */
  seen?: { readonly request: IncomingMessage; readonly bytes: number }
}

/**
 * Closes stalled connections: with an incomplete request that no longer progresses, or a response that is not read. One
 * timer checks all of them. Streams and uploads that progress are not limited.
 * @param refuse answers and closes a connection whose request is too slow
 */
export function closeStalledConnections(
  server: HttpServer,
  refuse: (socket: Socket) => void,
  clock: Clock,
  until: AbortSignal,
): void {
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
    if (connection.unanswered > MAX_UNANSWERED) request.socket.destroy()
  })
  const look = (): void => {
    for (const [socket, connection] of open) {
      if (!isSlow(socket, connection)) watchUnread(socket)
      // An error response would become part of the response being sent.
      else if (connection.response?.headersSent === true) socket.destroy()
      else refuse(socket)
    }
    cancel = clock.timer(POLL_INTERVAL_MS, look)
  }
  let cancel = clock.timer(POLL_INTERVAL_MS, look)
  until.addEventListener('abort', () => cancel(), { once: true })
}

/**
 * Whether too little of a body was received since the last check. Bytes received but not read by the server do not
 * count against the sender.
 */
function isSlow({ bytesRead }: Socket, connection: Connection): boolean {
  const { request, seen } = connection
  if (request === undefined || request.complete || request.readableLength > 0) {
    delete connection.seen
    return false
  }
  connection.seen = { request, bytes: bytesRead }
  return seen?.request === request && bytesRead - seen.bytes < MIN_BYTES
}

/** Uses the socket timeout of Node.js, which is renewed whenever a part of the waiting data was sent. */
function watchUnread(socket: Socket): void {
  const isWaiting = socket.writableLength > 0
  const isWatched = socket.timeout === UNREAD_MS
  if (isWaiting && !isWatched) socket.setTimeout(UNREAD_MS)
  // Keep the timeout that Node.js has set meanwhile for a keep-alive connection.
  if (!isWaiting && isWatched) socket.setTimeout(0)
}
