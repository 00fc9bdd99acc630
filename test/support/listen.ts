import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Listening {
  readonly url: string
  /** Host and port, in the format of an allow-list. */
  readonly host: string
  readonly port: number
  close(): Promise<void>
}

/** An HTTP server on a free port of 127.0.0.1. Nothing listens at its address once it is closed. */
export async function listen(handler: RequestListener = () => undefined): Promise<Listening> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  return {
    url: `http://${host}`,
    host,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
