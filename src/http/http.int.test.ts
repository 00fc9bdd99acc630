import { createServer, type RequestListener } from 'node:http'
import { connect, createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { ManualClock, settled } from '../testing/manual-clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { createHttpClient, type HttpClient, type HttpRequest } from './client.ts'
import { guardedConnector, type Lookup } from './connect.ts'
import { createPolicy, type HttpPolicyOptions } from './policy.ts'
import { errorOf as tuttiErrorOf } from '../../test/support/errors.ts'
import { mediaTypeOf, bodyText } from './body.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()))
})

async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<{ url: string; port: number }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  cleanups.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return { url: `http://${host}:${port}`, port }
}

function client(options: HttpPolicyOptions = {}, lookup: Lookup = nobody, clock?: ManualClock): HttpClient {
  const made = createHttpClient(options, { lookup, ...(clock === undefined ? {} : { clock }) })
  cleanups.push(() => made.close())
  return made
}

const nobody: Lookup = async (host) => {
  throw Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' })
}
const always =
  (address: string): Lookup =>
  async () => [{ address, family: address.includes(':') ? 6 : 4 }]

function deferred(): { promise: Promise<void>; resolve(): void } {
  let resolve!: () => void
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

/** The error of a request. */
async function errorOf(request: Promise<unknown>): Promise<TuttiError<'HttpRequestError'>> {
  const thrown = await tuttiErrorOf(request)
  if (!TuttiError.is(thrown, 'HttpRequestError')) throw thrown
  return thrown
}

async function ruleOf(request: Promise<unknown>): Promise<unknown> {
  return (await errorOf(request)).details?.rule
}

describe('requests that the guard refuses before sending', () => {
  it.each([
    ['loopback', 'http://127.0.0.1/', 'address'],
    ['decimal', 'http://2130706433/', 'address'],
    ['hexadecimal in one', 'http://0x7f000001/', 'address'],
    ['trailing dot', 'http://127.0.0.1./', 'address'],
    ['this host', 'http://0.0.0.0/', 'address'],
    ['IPv6 loopback', 'http://[::1]/', 'address'],
    ['IPv6 unspecified', 'http://[::]/', 'address'],
    ['IPv6-mapped', 'http://[::ffff:127.0.0.1]/', 'address'],
    ['IPv4-compatible', 'http://[::127.0.0.1]/', 'address'],
    ['NAT64', 'http://[64:ff9b::10.0.0.1]/', 'address'],
    ['6to4', 'http://[2002:7f00:1::]/', 'address'],
    ['Teredo', 'http://[2001:0:7f00:1::]/', 'address'],
    ['unique local', 'http://[fd00::1]/', 'address'],
    ['link-local', 'http://[fe80::1]/', 'address'],
    ['site-local', 'http://[fec0::1]/', 'address'],
    ['documentation', 'http://[2001:db8::1]/', 'address'],
    ['private 10', 'http://10.0.0.1/', 'address'],
    ['private 192', 'http://192.168.1.1/', 'address'],
    ['cloud metadata', 'http://169.254.169.254/latest/meta-data', 'address'],
    ['carrier-grade NAT', 'http://100.64.1.1/', 'address'],
    ['metadata of a cloud under a public number', 'http://168.63.129.16/machine', 'address'],
    ['benchmark', 'http://198.18.0.1/', 'address'],
    ['broadcast', 'http://255.255.255.255/', 'address'],
    ['localhost', 'http://localhost/', 'host-name'],
    ['below localhost', 'http://a.localhost/', 'host-name'],
    ['metadata by name', 'http://metadata.google.internal/', 'host-name'],
    ['a bare name', 'http://intranet/', 'host-name'],
    ['a file', 'file:///etc/passwd', 'protocol'],
    ['ftp', 'ftp://example.com/', 'protocol'],
    ['credentials', 'https://user:pass@example.com/', 'credentials'],
    ['a user name', 'https://127.0.0.1@example.com/', 'credentials'],
    ['a database port', 'http://example.com:5432/', 'port'],
    ['ssh', 'http://example.com:22/', 'port'],
    ['no URL', 'not a url', 'url'],
    ['a path', '/orders', 'url'],
    ['endless', `https://example.com/?q=${'a'.repeat(10_000)}`, 'url-length'],
  ])('%s: %s', async (_name, url, rule) => {
    expect(await ruleOf(client().request({ url }))).toBe(rule)
  })

  it.each([
    [{ method: 'CONNECT' }, 'method'],
    [{ method: 'TRACE' }, 'method'],
    [{ headers: { Host: 'intranet' } }, 'header'],
    [{ headers: { 'Transfer-Encoding': 'chunked' } }, 'header'],
    [{ headers: { 'X-A': 'b\r\nX-Evil: 1' } }, 'header'],
    [{ headers: { 'X A': 'b' } }, 'header'],
  ])('%j', async (request: Partial<HttpRequest>, rule) => {
    expect(await ruleOf(client().request({ url: 'https://example.com/', ...request }))).toBe(rule)
  })

  it('names the reason and the setting, without the query', async () => {
    const error = await errorOf(client().request({ url: 'http://10.0.0.1/?key=SECRET' }))
    expect(error.message).toMatch(/10\.0\.0\.1 is not an address of the public internet \(private\)\. The operator can/)
    expect(error.message + JSON.stringify(error.details)).not.toContain('SECRET')
    expect(error.retryable).toBe(false)
  })
})

describe('names', () => {
  it.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::ffff:10.0.0.1', '::1', '0.0.0.0', '198.18.3.4'])(
    'a public name that resolves to %s is refused',
    async (address) => {
      const error = await errorOf(client({}, always(address)).request({ url: 'https://shop.example.com/' }))
      expect(error.details).toEqual({ rule: 'address' })
      expect(error.message).toContain(address)
    },
  )

  it('one forbidden address among others refuses the name', async () => {
    const lookup: Lookup = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    expect(await ruleOf(client({}, lookup).request({ url: 'https://shop.example.com/' }))).toBe('address')
  })

  it('the result of each lookup is checked, so rebinding between two requests is detected', async () => {
    const { port } = await serve((_, response) => response.setHeader('connection', 'close').end('hello'))
    const answers = ['127.0.0.1', '127.0.0.1', '10.0.0.1']
    const lookup: Lookup = async () => [{ address: answers.shift()!, family: 4 }]
    const http = client({ allowHosts: [`127.0.0.1:${port}`], ports: [port] }, lookup)
    const url = `http://shop.example.com:${port}/`
    expect(bodyText(await http.request({ url }))).toBe('hello')
    expect(bodyText(await http.request({ url }))).toBe('hello')
    expect(await ruleOf(http.request({ url }))).toBe('address')
  })

  it('the address of the connected peer is checked, too, in case it differs from the resolved one', async () => {
    let destroyed = false
    const socket = { remoteAddress: '::ffff:10.0.0.1', destroy: () => (destroyed = true) } as unknown as Socket
    const connector = guardedConnector(createPolicy(), always('93.184.215.14'), () => (_, done) => done(null, socket))
    const thrown = await new Promise((resolve) => {
      connector({ hostname: 'shop.example.com', protocol: 'https:', port: '443' }, (...[error]) => resolve(error))
    })
    expect(thrown).toMatchObject({ details: { rule: 'address' } })
    expect(destroyed).toBe(true)
  })

  it('an unknown name is reported as such and not retried', async () => {
    const error = await errorOf(client().request({ url: 'https://nope.example.com/?token=SECRET' }))
    expect(error.message).toBe('GET https://nope.example.com/ failed: the host name is unknown; check its spelling.')
    expect(error.retryable).toBe(false)
  })
})

describe('the list of allowed hosts', () => {
  it.each([
    ['a host and port', (port: number) => `shop.internal:${port}`],
    ['a host with any port', () => 'shop.internal'],
    ['all below a domain', () => '*.internal'],
    ['an address', () => '127.0.0.1'],
    ['a block', (port: number) => `127.0.0.0/8:${port}`],
  ])('%s is reached', async (_, entry) => {
    const { port } = await serve((_, response) => response.end('inside'))
    const isName = /[a-z]/.test(entry(port))
    const http = client({ allowHosts: [entry(port)] }, always('127.0.0.1'))
    const url = isName ? `http://shop.internal:${port}/` : `http://127.0.0.1:${port}/`
    expect(bodyText(await http.request({ url }))).toBe('inside')
  })

  it('an IPv6 host is reached', async () => {
    const { port } = await serve((_, response) => response.end('six'), '::1').catch(() => ({ port: 0 }))
    if (port === 0) return // no IPv6 here
    expect(bodyText(await client({ allowHosts: ['[::1]'] }).request({ url: `http://[::1]:${port}/` }))).toBe('six')
  })

  it('another port of a listed host stays closed', async () => {
    const http = client({ allowHosts: ['shop.internal:8081'] }, always('127.0.0.1'))
    expect(await ruleOf(http.request({ url: 'http://shop.internal:8082/' }))).toBe('host-name')
  })

  it('a listed name may not resolve to a metadata service', async () => {
    const http = client({ allowHosts: ['shop.internal'] }, always('169.254.169.254'))
    expect(await ruleOf(http.request({ url: 'http://shop.internal/' }))).toBe('address')
  })

  it('a domain does not match names with the same ending', async () => {
    const http = client({ allowHosts: ['*.corp.example'] }, always('10.0.0.1'))
    expect(await ruleOf(http.request({ url: 'http://evilcorp.example/' }))).toBe('address')
  })

  it.each(['http://shop', 'a b', '', '10.0.0.0/40', 'host:port'])('"%s" is an invalid entry', (entry) => {
    expect(() => createHttpClient({ allowHosts: [entry] })).toThrow(/is not an entry for the list of allowed hosts/)
  })
})

describe('redirects', () => {
  it('are followed up to five times, relative ones too', async () => {
    const { url, port } = await serve((request, response) => {
      const n = Number(request.url!.slice(1))
      if (n < 5) response.writeHead(302, { location: `/${n + 1}` }).end()
      else response.end('arrived')
    })
    const response = await client({ allowHosts: [`127.0.0.1:${port}`] }).request({ url: `${url}/0` })
    expect([bodyText(response), response.url]).toEqual(['arrived', `${url}/5`])
  })

  it('fail after the fifth', async () => {
    const { url, port } = await serve((_, response) => response.writeHead(302, { location: '/again' }).end())
    expect(await ruleOf(client({ allowHosts: [`127.0.0.1:${port}`] }).request({ url }))).toBe('redirect-limit')
  })

  it.each([
    ['http://169.254.169.254/latest', 'address'],
    ['http://[::ffff:10.0.0.1]/', 'address'],
    ['http://localhost/', 'host-name'],
    ['file:///etc/passwd', 'protocol'],
    ['http://user:pass@example.com/', 'credentials'],
    ['http://[', 'url'],
  ])('to %s are refused', async (location, rule) => {
    const { url, port } = await serve((_, response) => response.writeHead(302, { location }).end())
    expect(await ruleOf(client({ allowHosts: [`127.0.0.1:${port}`] }).request({ url }))).toBe(rule)
  })

  it('a public host cannot redirect to a listed internal one', async () => {
    const inside = await serve((_, response) => response.end('secret'))
    const outside = await serve((_, response) => response.writeHead(302, { location: `${inside.url}/` }).end())
    // The outside server acts as a public host: its address counts as public, and is not on the list.
    const policy = createPolicyFor(outside.port, inside.port)
    const http = client(policy, always('127.0.0.1'))
    expect(bodyText(await http.request({ url: inside.url }))).toBe('secret')
    const error = await errorOf(http.request({ url: `http://public.example.com:${outside.port}/` }))
    expect(error.details).toEqual({ rule: 'address' })
  })

  it('to another origin drop authorization, cookies and keys; within one origin they stay', async () => {
    const seen: Record<string, unknown>[] = []
    const target = await serve((request, response) => {
      seen.push(request.headers)
      response.end('ok')
    })
    const first = await serve((request, response) => {
      seen.push(request.headers)
      const location = request.url === '/' ? '/second' : `${target.url}/`
      response.writeHead(302, { location }).end()
    })
    const headers = { authorization: 'Bearer S', cookie: 'a=S', 'x-shop-key': 'S', accept: 'application/json' }
    await client({ allowHosts: ['127.0.0.1'] }).request({ url: `${first.url}/`, headers })
    expect(seen.map((each) => each['authorization'])).toEqual(['Bearer S', 'Bearer S', undefined])
    expect(JSON.stringify(seen[2])).not.toContain('S"')
    expect(seen[2]).toMatchObject({ accept: 'application/json' })
  })

  it('turn POST into GET for 303 and keep it for 307 within the origin', async () => {
    const seen: string[] = []
    const { url } = await serve((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers['content-type'] ?? '-'}`)
      if (request.url === '/a') response.writeHead(307, { location: '/b' }).end()
      else if (request.url === '/b') response.writeHead(303, { location: '/c' }).end()
      else response.end()
    })
    const http = client({ allowHosts: ['127.0.0.1'] })
    await http.request({ method: 'POST', url: `${url}/a`, body: '{}', headers: { 'content-type': 'application/json' } })
    expect(seen).toEqual(['POST /a application/json', 'POST /b application/json', 'GET /c -'])
  })

  it('never repeat a change at another origin', async () => {
    const target = await serve((_, response) => response.end())
    const { url } = await serve((_, response) => response.writeHead(307, { location: target.url }).end())
    const http = client({ allowHosts: ['127.0.0.1'] })
    expect(await ruleOf(http.request({ method: 'POST', url, body: 'x' }))).toBe('redirect-resend')
  })
})

/** `inside` is listed by address and port. `outside` is a name whose address is allowed for its port only. */
function createPolicyFor(outside: number, inside: number): HttpPolicyOptions {
  return { allowHosts: [`127.0.0.1:${inside}`, `127.0.0.1:${outside}`], ports: [outside, inside] }
}

describe('answers', () => {
  it('are unpacked', async () => {
    const { url } = await serve((request, response) => {
      const packed = { '/gzip': gzipSync('é'), '/deflate': deflateSync('é'), '/br': brotliCompressSync('é') }
      response.setHeader('content-encoding', request.url!.slice(1)).end(packed[request.url as keyof typeof packed])
    })
    const http = client({ allowHosts: ['127.0.0.1'] })
    for (const name of ['gzip', 'deflate', 'br']) {
      expect(bodyText(await http.request({ url: `${url}/${name}` }))).toBe('é')
    }
  })

  it.each([
    ['gzip', gzipSync(Buffer.alloc(20_000_000)), 'gzip', 'decompression'],
    ['brotli', brotliCompressSync(Buffer.alloc(20_000_000)), 'br', 'decompression'],
    ['packed twice', gzipSync(gzipSync(Buffer.alloc(1_000))), 'gzip, gzip', 'encoding'],
    ['an unknown packing', Buffer.from('x'), 'zstd', 'encoding'],
  ])('bombs are refused: %s', async (_, body, encoding, rule) => {
    const { url } = await serve((_, response) => response.setHeader('content-encoding', encoding).end(body))
    expect(await ruleOf(client({ allowHosts: ['127.0.0.1'] }).request({ url, maxBytes: 100_000 }))).toBe(rule)
  })

  it('a body that does not match its encoding is an error, not a crash', async () => {
    const { url } = await serve((_, response) => response.setHeader('content-encoding', 'gzip').end('plain'))
    const error = await errorOf(client({ allowHosts: ['127.0.0.1'] }).request({ url }))
    expect(error.message).toMatch(/^GET http:.* failed: Z_DATA_ERROR/)
  })

  it('that are too long are truncated with a note; an endless one is ended', async () => {
    const { url } = await serve((_, response) => {
      const more = (): void => void (response.destroyed || response.write('x'.repeat(10_000), () => setImmediate(more)))
      more()
    })
    const response = await client({ allowHosts: ['127.0.0.1'] }).request({ url, maxBytes: 25_000 })
    expect([response.truncated, response.body.length]).toEqual([true, 25_000])
  })

  it('of exactly the limit are complete', async () => {
    const { url } = await serve((_, response) => response.end('x'.repeat(100)))
    const http = client({ allowHosts: ['127.0.0.1'] })
    expect((await http.request({ url, maxBytes: 100 })).truncated).toBe(false)
    expect((await http.request({ url, maxBytes: 99 })).truncated).toBe(true)
  })

  it('HEAD and 204 have no body', async () => {
    const { url } = await serve((request, response) => response.writeHead(request.method === 'HEAD' ? 200 : 204).end())
    const http = client({ allowHosts: ['127.0.0.1'] })
    expect((await http.request({ url, method: 'head' })).body.length).toBe(0)
    expect(await http.request({ url })).toMatchObject({ status: 204, truncated: false })
  })

  it('are decoded with the declared charset', () => {
    const body = Buffer.from('caf\xe9', 'latin1')
    expect(bodyText({ headers: { 'content-type': 'text/plain; charset="ISO-8859-1"' }, body })).toBe('café')
    expect(bodyText({ headers: { 'content-type': 'text/plain; charset=klingon' }, body: Buffer.from('é') })).toBe('é')
    expect(mediaTypeOf({ headers: { 'content-type': 'Application/JSON; charset=utf-8' } })).toBe('application/json')
  })
})

describe('time', () => {
  it.each([
    ['no answer at all', () => undefined],
    ['a body that drips', (response: { write(text: string): unknown }) => response.write('x')],
  ])('%s ends with the time limit', async (_, answer) => {
    const arrived = deferred()
    const { url } = await serve((_, response) => {
      answer(response)
      arrived.resolve()
    })
    const clock = new ManualClock()
    const request = errorOf(client({ allowHosts: ['127.0.0.1'] }, nobody, clock).request({ url, timeoutMs: 5_000 }))
    await arrived.promise
    await settled()
    await clock.advance(5_000)
    const error = await request
    expect(error.message).toMatch(/gave no complete answer within 5 s/)
    expect([error.retryable, clock.pending]).toEqual([true, 0])
  })

  it('a name server that never answers ends with the time limit', async () => {
    const clock = new ManualClock()
    const http = client({}, () => new Promise(() => {}), clock)
    const request = errorOf(http.request({ url: 'https://shop.example.com/' }))
    await settled()
    await clock.advance(30_000)
    expect((await request).message).toMatch(/within 30 s/)
  })

  it('the caller can abort, and gets its own abort reason', async () => {
    const arrived = deferred()
    const { url } = await serve(() => arrived.resolve())
    const controller = new AbortController()
    const request = client({ allowHosts: ['127.0.0.1'] }).request({ url, signal: controller.signal })
    await arrived.promise
    controller.abort(new TuttiError('Cancelled', 'enough'))
    await expect(request).rejects.toMatchObject({ code: 'Cancelled' })
  })

  it('a dropped connection is retryable', async () => {
    const { url } = await serve((request) => request.socket.destroy())
    const error = await errorOf(client({ allowHosts: ['127.0.0.1'] }).request({ url }))
    expect([error.retryable, error.message]).toEqual([true, `GET ${url}/ failed: the server closed the connection.`])
  })

  it.each([
    ['not HTTP', 'SSH-2.0-OpenSSH\r\n', /the answer is not HTTP/],
    ['endless headers', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`, /headers of the answer are too large/],
    ['less than promised', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc', /the server closed the connection/],
  ])('%s is one clear error', async (_, answer, message) => {
    const raw = createSocketServer((socket) => {
      socket.on('error', () => undefined)
      socket.end(answer)
    })
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve))
    cleanups.push(async () => void raw.close())
    const url = `http://127.0.0.1:${(raw.address() as AddressInfo).port}/`
    const error = await errorOf(client({ allowHosts: ['127.0.0.1'] }).request({ url }))
    expect(error.message).toMatch(message)
  })

  it('a closed port is reported as such', async () => {
    const { url } = await serve(() => {})
    await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()))
    const error = await errorOf(client({ allowHosts: ['127.0.0.1'] }).request({ url }))
    expect(error.message).toBe(`GET ${url}/ failed: nothing listens there.`)
  })
})

describe('proxies', () => {
  /** Forwards plain requests and tunnels, and records them. */
  async function startProxy(target: () => number): Promise<{ url: string; asked: string[] }> {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.end('through the proxy')
    })
    server.on('connect', (request, socket) => {
      asked.push(`CONNECT ${request.url}`)
      const upstream = connect(target(), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.pipe(socket).pipe(upstream)
      })
      upstream.on('error', () => socket.destroy())
      socket.on('error', () => upstream.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanups.push(async () => {
      server.closeAllConnections()
      server.close()
    })
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
  }

  it('are used when configured, and names are still checked', async () => {
    const { port } = await serve((_, response) => response.end('direct'))
    const proxy = await startProxy(() => port)
    const settings = { proxy: { http: proxy.url } }
    const http = client(settings, always('93.184.215.14'))
    expect(bodyText(await http.request({ url: 'http://shop.example.com/a?b=1' }))).toBe('through the proxy')
    expect(proxy.asked).toEqual(['GET http://shop.example.com/a?b=1'])
    expect(await ruleOf(client(settings, always('10.0.0.1')).request({ url: 'http://shop.example.com/' }))).toBe(
      'address',
    )
    expect(await ruleOf(client(settings).request({ url: 'http://169.254.169.254/' }))).toBe('address')
    expect(proxy.asked).toHaveLength(1)
  })

  it('open a tunnel for https', async () => {
    const proxy = await startProxy(() => 1)
    const http = client({ proxy: { https: proxy.url } }, always('93.184.215.14'))
    await errorOf(http.request({ url: 'https://shop.example.com/' }))
    expect(proxy.asked).toEqual(['CONNECT shop.example.com:443'])
  })

  it('are not used for excluded hosts, nor because of the environment alone', async () => {
    const { url } = await serve((_, response) => response.end('direct'))
    const proxy = await startProxy(() => 1)
    const excepted = client({ allowHosts: ['127.0.0.1'], proxy: { http: proxy.url, noProxy: '127.0.0.1' } })
    expect(bodyText(await excepted.request({ url }))).toBe('direct')
    process.env['HTTP_PROXY'] = proxy.url
    try {
      expect(bodyText(await client({ allowHosts: ['127.0.0.1'] }).request({ url }))).toBe('direct')
    } finally {
      delete process.env['HTTP_PROXY']
    }
    expect(proxy.asked).toEqual([])
  })
})
