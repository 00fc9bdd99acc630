import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../testing/manual-clock.ts'
import { systemClock } from '../../shared/clock.ts'
import { createEmbedder } from './embedder.ts'

interface Asked {
  readonly path: string
  readonly key: string | undefined
  readonly model: string
  readonly input: readonly string[]
}

type Answer = (asked: Asked, response: ServerResponse, count: number) => void

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server with OpenAI's `/embeddings`. Each vector holds the length of its text. */
async function startServer(answer: Answer = vectors): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await readAll(request)) as Pick<Asked, 'model' | 'input'>
    const seen = { path: request.url ?? '', key: request.headers.authorization, ...body }
    asked.push(seen)
    answer(seen, response, asked.length)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked }
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

function vectors({ input }: Asked, response: ServerResponse): void {
  json(response, 200, { data: input.map((text, index) => ({ index, embedding: [text.length, 1] })) })
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

const refuse = (status: number, headers?: Record<string, string>): Answer => {
  return (_, response) => json(response, status, { error: { message: 'No.' } }, headers)
}

const embedderAt = (url: string, model = 'small', key?: string) =>
  createEmbedder(
    { provider: 'compatible', model, url, ...(key === undefined ? {} : { key }) },
    { fetch, clock: systemClock },
  )

describe('embedder', () => {
  it('calls an OpenAI-compatible server, and returns a vector for each text in order', async () => {
    const { url, asked } = await startServer()
    const embedder = embedderAt(url, 'small', 'secret')
    const texts = Array.from({ length: 150 }, (_, at) => 'x'.repeat(at + 1))
    const found = await embedder.embed(texts, 'passage')
    expect(embedder.model).toBe('compatible:small')
    expect(found.map(([length]) => length)).toEqual(texts.map((text) => text.length))
    expect(found[0]).toBeInstanceOf(Float32Array)
    expect(asked.map(({ input }) => input.length)).toEqual([150])
    expect(asked[0]).toMatchObject({ path: '/v1/embeddings', key: 'Bearer secret', model: 'small' })
  })

  it('makes no request without text, and fills texts that a server would refuse', async () => {
    const { url, asked } = await startServer()
    expect(await embedderAt(url).embed([], 'query')).toEqual([])
    expect(await embedderAt(url).embed(['  ', 'yy'], 'query')).toHaveLength(2)
    expect(asked.map(({ input }) => input.map((text) => text.length))).toEqual([[1, 2]])
  })

  it.each([
    ['nomic-embed-text:v1.5', 'search_query: t', 'search_document: t'],
    ['intfloat/multilingual-e5-large', 'query: t', 'passage: t'],
    ['text-embedding-3-small', 't', 't'],
  ])('tells %s the purpose of a text', async (model, query, passage) => {
    const { url, asked } = await startServer()
    const embedder = embedderAt(url, model)
    await embedder.embed(['t'], 'query')
    await embedder.embed(['t'], 'passage')
    expect(asked.flatMap(({ input }) => input)).toEqual([query, passage])
  })

  it('asks a busy server again', async () => {
    const { url, asked } = await startServer((seen, response, count) =>
      count === 1 ? refuse(429, { 'retry-after-ms': '1' })(seen, response, count) : vectors(seen, response),
    )
    expect(await embedderAt(url).embed(['abc'], 'passage')).toEqual([Float32Array.of(3, 1)])
    expect(asked).toHaveLength(2)
  })

  it('makes one request for a question, with a timeout of four seconds', async () => {
    const failing = await startServer(refuse(503))
    await expect(embedderAt(failing.url).embed(['abc'], 'query')).rejects.toMatchObject({ code: 'ModelUnavailable' })
    expect(failing.asked).toHaveLength(1)
    const clock = new ManualClock()
    const silent = await startServer(() => undefined)
    const outcome = createEmbedder({ provider: 'p', model: 'm', url: silent.url }, { fetch, clock })
      .embed(['abc'], 'query')
      .catch((error: unknown) => error)
    await expect.poll(() => silent.asked.length).toBe(1)
    await clock.advance(4_000)
    expect(await outcome).toMatchObject({ code: 'ModelUnavailable', message: expect.stringMatching(/in 4 s\.$/) })
  })

  it.each([400, 413])(
    'splits batches that are too large, and shortens a text that is too long (status %i)',
    async (status) => {
      const { url, asked } = await startServer((seen, response, count) => {
        const isTooMuch = seen.input.length > 2 || seen.input.some((text) => text.length > 700)
        return (isTooMuch ? refuse(status) : vectors)(seen, response, count)
      })
      const found = await embedderAt(url).embed(['a', 'bb', 'ccc', 'word '.repeat(200)], 'passage')
      expect(found.map(([length]) => length)).toEqual([1, 2, 3, 499])
      expect(asked.at(-1)!.input[0]).toHaveLength(499)
    },
  )

  it('gives up after five times', async () => {
    const { url, asked } = await startServer(refuse(503, { 'retry-after-ms': '1' }))
    await expect(embedderAt(url).embed(['abc'], 'passage')).rejects.toMatchObject({
      code: 'ModelUnavailable',
      retryable: true,
    })
    expect(asked).toHaveLength(5)
  })

  it.each([
    [401, /key/],
    [404, /URL/],
    [400, /No\./],
    [307, /URL/],
  ])('does not retry after status %i, and suggests a fix', async (status, advice) => {
    const { url, asked } = await startServer(refuse(status, status === 307 ? { location: 'http://127.0.0.1:1/' } : {}))
    await expect(embedderAt(url, 'm', 'topsecret').embed(['abc'], 'query')).rejects.toMatchObject({
      code: 'ModelError',
      retryable: false,
      message: expect.stringMatching(advice),
    })
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['too few vectors', { data: [{ index: 0, embedding: [1] }] }],
    ['vectors of different length', { data: [{ embedding: [1] }, { embedding: [1, 2] }] }],
    ['numbers beyond those of a vector', { data: [{ embedding: [1e39, 0] }, { embedding: [1, 2] }] }],
    ['vectors of zeros', { data: [{ embedding: [0, 0] }, { embedding: [1, 2] }] }],
    ['something else', { hello: 1 }],
  ])('refuses %s', async (_, body) => {
    const { url } = await startServer((__, response) => json(response, 200, body))
    await expect(embedderAt(url).embed(['a', 'b'], 'query')).rejects.toMatchObject({ code: 'ModelError' })
  })

  it('stops at once on abort', async () => {
    const stop = new AbortController()
    const { url } = await startServer(() => stop.abort(new Error('enough')))
    await expect(embedderAt(url).embed(['a'], 'query', stop.signal)).rejects.toThrow('enough')
  })
})
