import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { closeStalledConnections } from '../../src/server/slow-body-timeout.ts'
import { settled } from '../../src/testing/index.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { startHttpWorld } from '../support/http-server.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** A minimal server with the pace limits, a client, and both ends of their connection. */
async function pair(listener: RequestListener) {
  const clock = new ManualClock()
  const server = createServer(listener)
  const stop = new AbortController()
  closeStalledConnections(server, (socket) => socket.end('HTTP/1.1 408 Request Timeout\r\n\r\n'), clock, stop.signal)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const arriving = once(server, 'connection') as Promise<[Socket]>
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [here] = await arriving
  ends.push(() => {
    stop.abort()
    client.destroy()
    server.closeAllConnections()
    server.close()
  })
  let got = ''
  client.on('data', (bytes) => (got += bytes.toString('latin1')))
  client.on('error', () => undefined)
  /** Sends this many bytes of a body, and waits for their arrival. */
  const bring = async (bytes: number): Promise<void> => {
    const until = here.bytesRead + bytes
    client.write('x'.repeat(bytes))
    while (here.bytesRead < until) await settled(1)
  }
  return { clock, client, here, bring, got: () => got }
}

const HEAD = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n'

/** Reads the body and answers at its end. */
const taking: RequestListener = (request, response) => {
  request.resume().on('end', () => response.end('all of it'))
}

it('refuses a body that stalls, or is too slow', async () => {
  for (const bytes of [0, 14_000]) {
    const { clock, client, here, bring, got } = await pair(taking)
    client.write(HEAD)
    while (here.bytesRead < HEAD.length) await settled(1)
    await clock.advance(15_000)
    if (bytes > 0) await bring(bytes)
    expect(got()).toBe('')
    await clock.advance(15_000)
    while (!got().includes('408')) await settled(1)
  }
})

it('accepts a slow body as long as bytes arrive', async () => {
  const { clock, client, bring, got } = await pair(taking)
  client.write(HEAD)
  for (let i = 0; i < 50; i++) {
    await bring(20_000)
    if (i < 49) await clock.advance(15_000)
  }
  while (!got().includes('\r\n\r\n')) await settled(1)
  expect(got()).toContain('all of it')
})

it('does not time out a sender whose bytes are not read yet', async () => {
  const requests: IncomingMessage[] = []
  const { clock, client, here, got } = await pair((request) => void requests.push(request.pause()))
  client.write(`${HEAD}${'x'.repeat(10_000)}`)
  while ((requests[0]?.readableLength ?? 0) === 0) await settled(1)
  await clock.advance(60_000)
  expect([got(), here.destroyed]).toEqual(['', false])
})

it('closes the connection during an answer, instead of writing another one into it', async () => {
  const { clock, client, here, got } = await pair((_request, response) => void response.write('begun'))
  client.write(HEAD)
  while (!got().includes('begun')) await settled(1)
  await clock.advance(30_000)
  expect(here.destroyed).toBe(true)
  expect(got()).not.toContain('408')
})

it('gives a client that reads nothing twenty seconds, and no limit to a stream that is read', async () => {
  const { clock, client, here } = await pair((_request, response) => {
    response.write('x'.repeat(64_000_000))
  })
  client.pause()
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  while (here.writableLength === 0) await settled(1)
  expect(here.timeout ?? 0).toBe(0)
  await clock.advance(15_000)
  expect(here.timeout).toBe(20_000)
  client.resume()
  while (here.writableLength > 0) await settled(1)
  await clock.advance(15_000)
  expect([here.timeout, here.destroyed]).toEqual([0, false])
})

it.each([
  [32, false],
  [33, true],
])('%i requests that are not answered end their connection: %s', async (requests, isEnded) => {
  const seen: string[] = []
  const { client, here } = await pair(({ url }) => void seen.push(url!))
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(requests))
  while (seen.length < requests) await settled(1)
  expect(here.destroyed).toBe(isEnded)
})

it('answers incomplete requests with problem details', async () => {
  const clock = new ManualClock()
  const world = await startHttpWorld({ clock })
  const answerTo = async (bytes: string): Promise<{ status: string; problem: unknown }> => {
    const { port } = new URL(world.url)
    const client = connect(Number(port), '127.0.0.1')
    let text = ''
    client.on('data', (more) => (text += more.toString()))
    client.write(bytes)
    while (!/\r\n\r\n\{.*\}/.test(text)) {
      await settled(1)
      if (bytes.includes('content-length')) await clock.advance(15_000)
    }
    client.destroy()
    const [head, body] = text.split('\r\n\r\n')
    return { status: head!.split('\r\n')[0]!, problem: JSON.parse(body!) }
  }
  const invalid = { code: 'InvalidRequest', type: 'urn:tutti:error:InvalidRequest' }
  expect(await answerTo('GET nowhere\r\n\r\n')).toMatchObject({
    status: 'HTTP/1.1 400 Bad Request',
    problem: { ...invalid, status: 400 },
  })
  expect(await answerTo(`GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatchObject({
    status: 'HTTP/1.1 431 Request Header Fields Too Large',
    problem: { ...invalid, status: 431 },
  })
  expect(
    await answerTo('POST /session HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n'),
  ).toMatchObject({
    status: 'HTTP/1.1 408 Request Timeout',
    problem: { ...invalid, status: 408 },
  })
  expect(await answerTo('GET / HTTP/1.1\r\n\r\n')).toMatchObject({ problem: { ...invalid, status: 400 } })
  expect(await answerTo('GET /% HTTP/1.1\r\nhost: a\r\n\r\n')).toMatchObject({ problem: { ...invalid, status: 400 } })
  expect((await world.fetch('/mcp', { method: 'HEAD' })).status).toBe(405)
  await world.close()
})
