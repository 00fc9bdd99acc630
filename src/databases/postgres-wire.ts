import { connect, Socket } from 'node:net'
import type { PoolClient } from 'pg'
import type { ConnectTarget } from './database.ts'

/** What node-pg keeps of a connection and leaves out of its types. */
interface ClientInternals {
  readonly host: string
  readonly port: number
  readonly processID: number
  readonly secretKey: number
  readonly connection: { readonly stream: Socket }
}

/** Magic number of a CancelRequest, PostgreSQL protocol 3.0 section "Message Formats". */
const CANCEL_REQUEST_CODE = 80_877_102
const CANCEL_TIMEOUT_MS = 5_000

/** The socket under a client, after a switch to TLS the encrypted one. */
export function postgresSocket(client: PoolClient): Socket {
  return internals(client).connection.stream
}

/** A socket for pg, which connects it by port and host. */
export function socketTo(target: ConnectTarget): Socket {
  const socket = new Socket()
  const connectTo = socket.connect.bind(socket)
  return Object.assign(socket, {
    connect(port: number, host: string): Socket {
      try {
        return connectTo(target(host, port))
      } catch (thrown) {
        return socket.destroy(thrown as Error)
      }
    },
  })
}

/**
 * Asks the server to cancel the current query of this client, as libpq does: on a separate connection, with the secret
 * key. Best effort: if this fails, `statement_timeout` still ends the query.
 */
export function sendCancelRequest(client: PoolClient, target: ConnectTarget = (host, port) => ({ host, port })): void {
  const { host, port, processID, secretKey } = internals(client)
  const request = Buffer.alloc(16)
  request.writeInt32BE(16, 0)
  request.writeInt32BE(CANCEL_REQUEST_CODE, 4)
  request.writeInt32BE(processID, 8)
  request.writeInt32BE(secretKey, 12)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(target(host, port))
  socket.setTimeout(CANCEL_TIMEOUT_MS, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.end(request)
}

function internals(client: PoolClient): ClientInternals {
  return client as unknown as ClientInternals
}
