import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CERTIFICATE, KEY } from '../../test/fixtures/models/certificate.ts'
import { TuttiError } from '../domain/errors.ts'
import { createRandom } from '../../test/support/random.ts'
import { createHttpClient } from './client.ts'
import type { FoundAddress, Lookup } from './connect.ts'

/** Two addresses of this machine. The guard allows one of them, like a public and an internal address. */
const ALLOWED = '127.0.0.2'
const INSIDE = '127.0.0.1'
const OTHERS = ['169.254.169.254', '10.0.0.1', '::1', '::ffff:127.0.0.1']

let servers: Server[]
let port: number
const reached: string[] = []
beforeAll(async () => {
  const serve = (host: string, at = 0): Promise<Server> =>
    new Promise((resolve, reject) => {
      const server = createServer((_request, response) => {
        reached.push(host)
        response.setHeader('connection', 'close').end(host)
      })
      server.once('error', reject).listen(at, host, () => resolve(server))
    })
  const inside = await serve(INSIDE)
  ;({ port } = inside.address() as AddressInfo)
  servers = [inside, await serve(ALLOWED, port)]
})
afterAll(() => servers.forEach((server) => server.close()))

describe('a name that resolves differently at each lookup', () => {
  it('is connected only to the checked address', async () => {
    const random = createRandom(4)
    const counts = { answered: 0, refused: 0 }
    for (let round = 0; round < 150; round++) {
      const looked: (readonly FoundAddress[])[] = []
      const lookup: Lookup = async () => {
        const some = Array.from({ length: random.int(1, 2) }, () =>
          random.chance(0.7) ? ALLOWED : random.pick([INSIDE, ...OTHERS]),
        )
        looked.push(some.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
        return looked.at(-1)!
      }
      const http = createHttpClient({ allowHosts: [`${ALLOWED}:${port}`], ports: [port] }, { lookup })
      reached.length = 0
      const outcome = await http.request({ url: `http://shop.example.com:${port}/` }).catch((thrown: unknown) => thrown)
      await http.close()
      const isGood = looked[0]!.every(({ address }) => address === ALLOWED)
      counts[isGood ? 'answered' : 'refused']++
      expect([round, looked.length, reached]).toEqual([round, 1, isGood ? [ALLOWED] : []])
      expect(outcome).toMatchObject(
        isGood ? { status: 200 } : { code: 'HttpRequestError', details: { rule: 'address' } },
      )
    }
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(20)
  })
})

describe('a receiver with an untrusted certificate', () => {
  it('receives nothing, and the reason is reported', async () => {
    const told: unknown[] = []
    const server = createTlsServer({ key: KEY, cert: CERTIFICATE }, (request) => told.push(request.url))
    await new Promise<void>((resolve) => server.listen(0, INSIDE, resolve))
    const at = (server.address() as AddressInfo).port
    const http = createHttpClient({ allowHosts: [`${INSIDE}:${at}`] })
    const thrown = await http
      .request({ method: 'POST', url: `https://${INSIDE}:${at}/answers?key=SECRET`, body: 'the answer' })
      .catch((error: unknown) => error)
    await http.close()
    server.close()
    expect(TuttiError.is(thrown, 'HttpRequestError') && thrown.message).toMatch(
      /^POST https:\/\/127\.0\.0\.1:\d+\/answers failed: its certificate is not accepted \(\w*CERT\w*\)/,
    )
    expect(thrown).toMatchObject({ retryable: false })
    expect(told).toEqual([])
  })
})
