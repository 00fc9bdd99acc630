import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { closeUnread } from '../../src/server/server.ts'

describe('a response', () => {
  const MS = 300

  async function pair(): Promise<{ client: Socket; here: Socket; stop: () => Promise<void> }> {
    const server = fastify({ forceCloseConnections: true })
    closeUnread(server.server, MS)
    server.get('/', async () => 'x'.repeat(64_000_000))
    server.get('/slow', async () => {
      await new Promise((resolve) => setTimeout(resolve, 3 * MS))
      return 'done'
    })
    await server.listen({ port: 0, host: '127.0.0.1' })
    const arriving = once(server.server, 'connection') as Promise<[Socket]>
    const client = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
    const [here] = await arriving
    return {
      client,
      here,
      async stop() {
        client.destroy()
        await server.close()
      },
    }
  }

  it('is closed if the client reads nothing of it', async () => {
    const { client, here, stop } = await pair()
    client.pause()
    client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    await once(here, 'close')
    expect(here.destroyed).toBe(true)
    await stop()
  })

  it('may take its time, and is read to its end by a slow client', async () => {
    const { client, stop } = await pair()
    client.write('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n')
    const [first] = (await once(client, 'data')) as [Buffer]
    expect(first.toString()).toContain('done')
    client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    let bytes = 0
    for await (const part of client) {
      if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, MS / 3))
      bytes += (part as Buffer).length
      if (bytes > 64_000_000) break
    }
    expect(bytes).toBeGreaterThan(64_000_000)
    await stop()
  })
})
